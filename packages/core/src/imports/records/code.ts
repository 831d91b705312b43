import { sql } from 'kysely';
import { z } from 'zod';
import { UNLIMITED } from '../../codes/promo-codes/observation.ts';
import { createAssignment, createOwnAssignment, ownCodeId } from '../../codes/promo-codes/promo-code-record.ts';
import { text, timestamp } from '../../platform/wire/scalars.ts';
import { ownMode } from '../../sources/port/port.ts';
import type { RecordKind, Verdict } from '../port/import-kind.ts';
import { findAffiliates, findEarlier, findLinks, findOwnCampaigns, isComing } from './find-rows.ts';

const ImportedCode = z.strictObject({
  /** Id at the source, address or token of the affiliate. Null if the code names a link. */
  affiliate: text(255).nullable(),
  /** Id at the source of a link of the affiliate, in whose campaign the code counts. */
  link: text(255).nullable(),
  code: text(255),
  /** The payment provider's id of the promotion code. Null for a code of the merchant's own shop. */
  psp_promotion_code_id: text(255).nullable(),
  is_active: z.boolean(),
  created_at: timestamp().nullable(),
});
export type ImportedCode = z.infer<typeof ImportedCode>;

interface References {
  affiliate_id: string | null;
  campaign_id: string | null;
}

const keyOf = ({ psp_promotion_code_id, code }: ImportedCode) => psp_promotion_code_id ?? ownCodeId(code);

/** Promotion codes that exist at the payment provider, where nothing is written, and codes of the merchant's own shop. */
export const CODES: RecordKind<ImportedCode, References> = {
  schema: ImportedCode,

  keysOf: (data) => [`code ${keyOf(data)}`],

  async check(ctx, of, rows) {
    const { db, accountId } = ctx;
    const earlier = await findEarlier(ctx, of, 'code', CODES, rows);
    const links = await findLinks(
      ctx,
      of,
      rows.flatMap(({ data }) => data.link ?? []),
    );
    const named = rows.map(({ data }) => data.affiliate ?? links.get(data.link ?? '')?.affiliate);
    const names = named.flatMap((name) => name ?? []);
    const affiliates = await findAffiliates(ctx, of, names);
    const ids = rows.map(({ data }) => keyOf(data));
    const { rows: known } = await sql<{ id: string; psp_promotion_code_id: string; affiliate_id: string }>`
      select id, psp_promotion_code_id, affiliate_id from promo_code
      where account_id = ${accountId} and livemode and psp_promotion_code_id = any (${ids}::text[])`.execute(db);
    const byId = new Map(known.map((code) => [code.psp_promotion_code_id, code]));
    const campaignOf = await findOwnCampaigns(ctx, affiliates);
    return rows.map(({ data }, i): Verdict<References> => {
      if (earlier[i]) return { outcome: 'skipped', reason: 'repeated', record_id: earlier[i].record_id };
      const affiliate = affiliates.get(named[i] ?? '');
      if (affiliate === undefined || !isComing(affiliate)) return { outcome: 'problem', reason: 'affiliate_missing' };
      const existing = byId.get(keyOf(data));
      if (existing !== undefined && existing.affiliate_id !== affiliate.record_id)
        return { outcome: 'problem', reason: 'other_affiliate' };
      if (existing !== undefined) return { outcome: 'existing', record_id: existing.id };
      const affiliate_id = affiliate.record_id;
      const campaign_id = links.get(data.link ?? '')?.campaign_id ?? campaignOf.get(affiliate_id ?? '') ?? null;
      return { outcome: 'new', references: { affiliate_id, campaign_id } };
    });
  },

  make(ctx, _of, { data }, { affiliate_id, campaign_id }) {
    const assignee = { affiliateId: affiliate_id!, campaignId: campaign_id! };
    if (data.psp_promotion_code_id === null) return Promise.resolve([createOwnAssignment(ctx, assignee, data.code).id]);
    const { id } = createAssignment(ctx, assignee, 'import', {
      id: data.psp_promotion_code_id,
      code: data.code,
      active: data.is_active,
      mode: ownMode(ctx.accountId),
      couponId: null,
      createdAt: new Date(data.created_at ?? ctx.now),
      ...UNLIMITED,
    });
    return Promise.resolve([id]);
  },
};
