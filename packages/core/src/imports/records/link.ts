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
import { findAffiliates, findEarlier, isComing, tokenKey } from './find-rows.ts';

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

/** Links, in the campaigns of their affiliates. Their tokens stay, so that links in old posts go on working. */
export const LINKS: RecordKind<ImportedLink, References> = {
  schema: ImportedLink,

  keysOf: ({ token }) => [tokenKey(token)],

  async check(ctx, of, rows) {
    const earlier = await findEarlier(ctx, of, 'link', LINKS, rows);
    const affiliates = await findAffiliates(
      ctx,
      of,
      rows.map(({ data }) => data.affiliate),
    );
    const tokens = rows.map(({ data }) => data.token.toLowerCase());
    const { rows: known } = await sql<{ id: string; token: string; affiliate_id: string }>`
      select id, lower(token) as token, affiliate_id from link
      where account_id = ${ctx.accountId} and lower(token) = any (${tokens}::text[])`.execute(ctx.db);
    const byToken = new Map(known.map((link) => [link.token, link]));
    return rows.map(({ data }, i): Verdict<References> => {
      const same = earlier[i] ?? null;
      if (same !== null) return { outcome: 'skipped', reason: 'repeated', record_id: same.record_id };
      const affiliate = affiliates.get(data.affiliate);
      if (affiliate === undefined || !isComing(affiliate)) return { outcome: 'problem', reason: 'affiliate_missing' };
      const existing = byToken.get(tokens[i]!);
      if (existing === undefined) return { outcome: 'new', references: { affiliate_id: affiliate.record_id } };
      if (existing.affiliate_id !== affiliate.record_id) return { outcome: 'problem', reason: 'token_taken' };
      return { outcome: 'existing', record_id: existing.id };
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
