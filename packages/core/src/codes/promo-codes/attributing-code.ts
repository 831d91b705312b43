import { sql } from 'kysely';
import { oneOf, sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { typedCodes } from '../../platform/wire/typed-text.ts';

/**
 * The promotion code that a customer paid with, given by the provider's ids, which are exact, or by the text that the customer typed.
 * `livemode` is the mode of the charge. If `livemode` is undefined, live codes are preferred.
 */
export interface RedeemedCode {
  psp_promotion_code_ids?: readonly string[] | undefined;
  code?: string | undefined;
  /** The id of the code for which the text of a recorded sale was taken. Among codes of the mode, the text still means this code. */
  takenFor?: string | null;
  livemode?: boolean | undefined;
}

/** The assignment of a redeemed code. */
export interface AttributingCode {
  affiliate_id: string;
  campaign_id: string;
  code: string;
  psp_promotion_code_id: string;
  /** True if it was found by the text of the code, which the merchant has reported. */
  is_reported: boolean;
}

/**
 * Finds the assignment that attributes a charge paid with `redeemed` (docs/rules/attribution.md#attribution). Returns null if the code is not
 * assigned, or its tracking had been stopped before the charge. A code counts even if the provider no longer redeems it.
 */
export async function findAttributingCode(
  db: Db,
  accountId: string,
  redeemed: RedeemedCode,
  chargedAt: Instant,
): Promise<AttributingCode | null> {
  const { psp_promotion_code_ids: ids = [], code, takenFor = null, livemode } = redeemed;
  if (ids.length === 0 && code === undefined) return null;
  const typed = code === undefined ? [] : typedCodes(code);
  let query = db
    .selectFrom('promo_code')
    .select(['affiliate_id', 'campaign_id', 'code', 'psp_promotion_code_id'])
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('stopped_at', 'is', null), eb('stopped_at', '>', chargedAt)]));
  query =
    ids.length > 0
      ? query.where(oneOf('psp_promotion_code_id', ids))
      : query.where((eb) => eb.or(typed.map((text) => sameText('code', text))));
  if (ids.length > 0 && livemode !== undefined) query = query.where('livemode', '=', livemode);
  // A code that ends with a punctuation mark comes before the code without it.
  if (typed.length > 1) query = query.orderBy(sameText('code', typed[0]!), 'desc');
  // Several codes may match, because a live code and a test code may have the same text, and because the provider may reuse the text of a
  // code that is no longer active.
  const found = await query
    .orderBy('livemode', livemode === false ? 'asc' : 'desc')
    .orderBy(sql`psp_promotion_code_id is not distinct from ${takenFor}`, 'desc')
    .orderBy(sql`status = 'active'`, 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return found === undefined ? null : { ...found, is_reported: ids.length === 0 };
}
