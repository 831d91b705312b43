import type { WriteCtx } from '../platform/call/context.ts';
import { type Locked, protectedBy } from '../platform/call/locks.ts';
import { known, load } from '../platform/call/records.ts';
import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import type { Instant } from '../platform/time/instant.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { bindReferral, moveReferral, setReferralConversion, unbindReferral } from '../program/referrals/referral.transitions.ts';
import type { KnownClaim } from './known-claim.ts';

/** Binds the customer to the claim's referral, and unbinds the referral that the customer had before. Does nothing if `claim` is null. */
export async function bind(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  customerId: string,
  claim: KnownClaim | null,
  referralOf: (claim: KnownClaim) => Promise<Locked<Referral>>,
): Promise<void> {
  if (claim === null) return;
  const bound = await findBound(ctx, customerId);
  if (bound && bound.id === claim.referral_id) return;
  const referral = await referralOf(claim);
  if (bound) unbindReferral(ctx, protectedBy(affiliates, bound));
  bindReferral(ctx, referral, customerId);
}

/** Loads the referral to which a customer is bound, or null. */
export async function findBound(ctx: WriteCtx, customerId: string): Promise<Referral | null> {
  const referrals = ctx.db.selectFrom('referral').selectAll().where('account_id', '=', ctx.accountId);
  const [bound] = await load(ctx, Referral, referrals.where('customer_id', '=', customerId));
  return bound ?? null;
}

/**
 * Marks each referral that has a first charge as converted at that charge. If the customer is known, also corrects earlier conversions: a
 * referral that turns out to have no charge becomes a lead again.
 *
 * @returns the claims whose referrals have just converted
 */
export async function convert(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  customerId: string | null,
  claims: readonly KnownClaim[],
  conversions: ReadonlyMap<string, Instant>,
): Promise<KnownClaim[]> {
  const converted: KnownClaim[] = [];
  for (const claim of claims) {
    if (claim.referral_id === null) continue;
    const referral = protectedBy(affiliates, await known(ctx, Referral, claim.referral_id));
    const at = conversions.get(claim.key);
    if (at !== undefined && referral.conversion_state !== 'conversion') {
      moveReferral(ctx, referral, 'conversion', at);
      converted.push(claim);
    } else if (customerId !== null && (referral.converted_at ?? undefined) !== at) {
      setReferralConversion(ctx, referral, at ?? null);
    }
  }
  return converted;
}
