import { sql } from 'kysely';
import { z } from 'zod';
import { timestamp } from '../../platform/wire/scalars.ts';
import { createCampaign } from '../../program/campaigns/campaign.service.ts';
import { CreateCampaign } from '../../program/campaigns/campaign.ts';
import type { RecordKind, Verdict } from '../port/import-kind.ts';

const { reward_type, url, ...terms } = CreateCampaign.omit({ slug: true, default: true, metadata: true }).shape;

const ImportedCampaign = z.strictObject({
  ...terms,
  /** Null if the source does not tell what affiliates earn. The campaign is then one of the account. */
  reward_type: reward_type.nullable(),
  url: url.nullable(),
  created_at: timestamp().nullable(),
});
export type ImportedCampaign = z.infer<typeof ImportedCampaign>;

/** The fields that a new campaign must have. */
type Required = Pick<CreateCampaign, 'reward_type' | 'url'>;

/** Campaigns with their terms. A campaign with the same name is taken as the same one, with the terms that it has here. */
export const CAMPAIGNS: RecordKind<ImportedCampaign, Required> = {
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
    return found.map(({ id }, i): Verdict<Required> => {
      const { reward_type: type, url: address } = rows[i]!.data;
      if (id !== null) return { outcome: 'existing', record_id: id };
      if (type === null || address === null) return { outcome: 'problem', reason: 'campaign_missing' };
      return { outcome: 'new', references: { reward_type: type, url: address } };
    });
  },

  async make(ctx, _of, { data: { created_at: _, ...campaign } }, required) {
    return [(await createCampaign(ctx, { ...campaign, ...required })).id];
  },
};
