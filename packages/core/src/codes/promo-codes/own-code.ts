/** Codes of a merchant's own shop, which needs no payment provider (docs/rules/codes.md#own-codes). */
import type { WriteCtx } from '../../platform/call/context.ts';
import { referenced } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { inLatin } from '../../platform/wire/latin.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { CODE_REASONS } from '../reasons.ts';
import { assertAssignable } from './assignable-affiliate.ts';
import { createOwnAssignment, promoCodeAssignment } from './promo-code-record.ts';
import type { PromoCode } from './promo-code.entity.ts';
import type { CreatePromoCode, PromoCodeAssignment } from './promo-code.schema.ts';

/** Code for a name without any character that a code may contain. */
const FALLBACK = 'PARTNER';

/**
 * Generates codes to try for an affiliate, best first: the name in capitals, then the name with a number
 * (docs/rules/codes.md#affiliate-coupons). Letters are spelled in Latin ones (`inLatin`), and all characters but letters and digits are removed.
 */
export function* couponCodes(affiliate: {
  first_name: string | null;
  last_name: string | null;
  email: string;
}): Generator<string> {
  const name =
    [affiliate.first_name, affiliate.last_name].filter((part) => part !== null).join('') || affiliate.email.split('@')[0];
  const letters = inLatin(name ?? '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 20);
  const base = letters || FALLBACK;
  yield base;
  for (let number = 2; ; number += 1) yield `${base}${number}`;
}

/** Number of generated codes that are tried. */
const TRIES = 200;

/**
 * Assigns a code of the merchant's own shop to an affiliate. Changes nothing if the affiliate has the code already. Without a code, makes one from the
 * affiliate's name.
 *
 * @returns the assignment, and whether this call created it
 * @throws VALIDATION_ERROR for an affiliate or a campaign that cannot earn; CONFLICT for a code of another affiliate, or whose tracking was stopped
 */
export async function createOwnCode(
  ctx: WriteCtx,
  { code: given, affiliate_id, campaign_id }: CreatePromoCode,
): Promise<{ record: PromoCodeAssignment; created: boolean }> {
  const affiliate = await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id');
  const campaign = await referenced(ctx, Campaign, campaign_id ?? affiliate.campaign_id, 'campaign_id');
  assertAssignable(affiliate, campaign);
  const code = given ?? (await freeCode(ctx, affiliate));
  const taken = (await findTaken(ctx, [code])).toSorted(
    (a, b) => Number(b.stopped_at === null) - Number(a.stopped_at === null),
  )[0];
  if (taken === undefined) {
    const assignee = { affiliateId: affiliate.id, campaignId: campaign.id };
    return { record: promoCodeAssignment(createOwnAssignment(ctx, assignee, code)), created: true };
  }
  if (taken.affiliate_id !== affiliate.id) throw new DomainError('CONFLICT', CODE_REASONS.code_of_other_affiliate);
  if (taken.stopped_at !== null) throw new DomainError('CONFLICT', CODE_REASONS.code_not_tracked);
  return { record: promoCodeAssignment(taken), created: false };
}

/** Finds the assignments of codes with one of these texts, also those of a payment provider, because a report names a code by its text. */
function findTaken({ db, accountId }: WriteCtx, texts: readonly string[]): Promise<PromoCode[]> {
  return db
    .selectFrom('promo_code')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', true)
    .where((where) => where.or(texts.map((text) => sameText('code', text))))
    .execute();
}

async function freeCode(ctx: WriteCtx, affiliate: Affiliate): Promise<string> {
  const tried = couponCodes(affiliate).take(TRIES).toArray();
  const taken = new Set((await findTaken(ctx, tried)).map(({ code }) => code.toUpperCase()));
  const free = tried.find((code) => !taken.has(code));
  if (free === undefined) throw invalid('code', CODE_REASONS.codes_of_name_taken, 'required');
  return free;
}
