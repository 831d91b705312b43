import { sql } from 'kysely';
import { z } from 'zod';
import { timestamp } from '../../platform/wire/scalars.ts';
import { CreateCampaign } from '../../program/campaigns/campaign.schema.ts';
import { createCampaign } from '../../program/campaigns/campaign.service.ts';
import type { RecordKind, Verdict } from '../port/record-kind.ts';

const ImportedCampaign = z.strictObject({
  ...CreateCampaign.omit({ slug: true, default: true, metadata: true }).shape,
  created_at: timestamp().nullable(),
});
export type ImportedCampaign = z.infer<typeof ImportedCampaign>;

/** Campaigns with their terms. A campaign with the same name is taken as the same one, with the terms that it has here. */
export const CAMPAIGNS: RecordKind<ImportedCampaign, null> = {
  schema: ImportedCampaign,

  keysOf: ({ external_id, name }) => [...(external_id ? [`external ${external_id}`] : []), `name ${name.toLowerCase()}`],

  async check(ctx, _of, rows) {
    const ids = rows.map(({ data }) => data.external_id ?? null);
    const names = rows.map(({ data }) => data.name);
    const { rows: found } = await sql<{ id: string | null }>`
      select coalesce(
        (select id from campaign where account_id = ${ctx.accountId} and external_id = sought.external_id),
        (select id from campaign where account_id = ${ctx.accountId} and archived_at is null and lower(name) = lower(sought.name) order by id limit 1)
      ) as id
      from unnest(${ids}::text[], ${names}::text[]) with ordinality sought (external_id, name, place) order by place`.execute(
      ctx.db,
    );
    return found.map(({ id }): Verdict<null> =>
      id === null ? { outcome: 'new', references: null } : { outcome: 'existing', record_id: id },
    );
  },

  async make(ctx, _of, { data: { created_at: _, ...terms } }) {
    return [(await createCampaign(ctx, terms)).id];
  },
};
