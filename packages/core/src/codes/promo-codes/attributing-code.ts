import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { sameText } from '../../platform/db/same-text.ts';

/** A promotion code that a customer paid with, by the provider's ids (exact) or as it was typed. */
export interface RedeemedCode {
  psp_promotion_code_ids?: readonly string[] | undefined;
  code?: string | undefined;
  livemode?: boolean | undefined;
}

/** Whose code it was. */
export interface AttributingCode {
  affiliate_id: string;
  campaign_id: string;
  code: string;
  psp_promotion_code_id: string;
}

/**
 * The assignment that attributes a charge paid with `redeemed` (docs/domain-rules.md#attribution); null when the code is
 * nobody's, or its tracking had been stopped by then. A code that the provider no longer redeems was redeemed all the same.
 */
export async function findAttributingCode(
  db: Db,
  accountId: string,
  redeemed: RedeemedCode,
  chargedAt: Instant,
): Promise<AttributingCode | null> {
  const { psp_promotion_code_ids: ids = [], code, livemode } = redeemed;
  if (ids.length === 0 && code === undefined) return null;
  let query = db
    .selectFrom('promo_code')
    .select(['affiliate_id', 'campaign_id', 'code', 'psp_promotion_code_id'])
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('stopped_at', 'is', null), eb('stopped_at', '>', chargedAt)]));
  if (livemode !== undefined) query = query.where('livemode', '=', livemode);
  query = ids.length > 0 ? query.where('psp_promotion_code_id', 'in', ids) : query.where(sameText('code', code ?? ''));
  // The provider may reuse a text that is no longer active, and the same text may exist in both modes.
  const found = await query
    .orderBy(sql`status = 'active'`, 'desc')
    .orderBy('livemode', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return found ?? null;
}
