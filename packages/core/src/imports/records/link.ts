import { sql } from 'kysely';
import { z } from 'zod';
import { get } from '../../platform/call/records.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { httpUrl, text, timestamp } from '../../platform/wire/scalars.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { CreateLink } from '../../program/links/link.schema.ts';
import { createLink } from '../../program/links/link.service.ts';
import type { RecordKind, Verdict } from '../port/record-kind.ts';
import { isComing, namedAffiliate } from './affiliate.ts';

const ImportedLink = z.strictObject({
  external_id: externalId().nullable(),
  /** Id at the source or address of the affiliate. */
  affiliate: text(255),
  token: CreateLink.shape.token.unwrap(),
  /** Null for the address of the campaign. */
  url: httpUrl().nullable(),
  created_at: timestamp().nullable(),
});
export type ImportedLink = z.infer<typeof ImportedLink>;

interface References {
  affiliate_id: string | null;
}

interface Found {
  record_id: string | null;
  owner_id: string | null;
  earlier: string | null;
  earlier_record_id: string | null;
  affiliate_outcome: string | null;
  affiliate_id: string | null;
}

/** Links, in the campaigns of their affiliates. Their tokens stay, so that links in old posts go on working. */
export const LINKS: RecordKind<ImportedLink, References> = {
  schema: ImportedLink,

  async check(ctx, of, rows) {
    const sought = sql`unnest(${rows.map((row) => row.source_id)}::text[], ${rows.map(({ data }) => data.token.toLowerCase())}::text[],
      ${rows.map(({ data }) => data.affiliate)}::text[])`;
    const { rows: found } = await sql<Found>`
      select link.id as record_id, link.affiliate_id as owner_id, earlier.source_id as earlier, earlier.record_id as earlier_record_id,
        affiliate.outcome as affiliate_outcome, affiliate.record_id as affiliate_id
      from ${sought} with ordinality sought (source_id, token, affiliate, place)
      join data_import_row own on own.import_id = ${of.id} and own.kind = 'link' and own.source_id = sought.source_id
      left join link on link.account_id = ${ctx.accountId} and lower(link.token) = sought.token
      left join lateral ${namedAffiliate(of, sql`sought.affiliate`)} affiliate on true
      left join lateral (
        select source_id, record_id from data_import_row
        where import_id = ${of.id} and kind = 'link' and lower(data ->> 'token') = sought.token and id < own.id
        order by id limit 1
      ) earlier on true
      order by place`.execute(ctx.db);
    return found.map((each): Verdict<References> => {
      if (each.earlier !== null) return { outcome: 'skipped', reason: 'repeated', record_id: each.earlier_record_id };
      if (!isComing(each.affiliate_outcome)) return { outcome: 'problem', reason: 'affiliate_missing' };
      if (each.record_id === null) return { outcome: 'new', references: { affiliate_id: each.affiliate_id } };
      if (each.owner_id !== each.affiliate_id) return { outcome: 'problem', reason: 'token_taken' };
      return { outcome: 'existing', record_id: each.record_id };
    });
  },

  async make(ctx, _of, { data: { external_id, token, url } }, { affiliate_id }) {
    const { id, campaign_id } = await get(ctx, Affiliate, affiliate_id!);
    const destination = url ?? (await get(ctx, Campaign, campaign_id)).url;
    const link = await createLink(ctx, {
      affiliate_id: id,
      campaign_id,
      token,
      url: destination,
      ...(external_id !== null && { external_id }),
    });
    return [link.id];
  },
};
