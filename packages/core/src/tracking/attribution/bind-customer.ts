import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import {
  bindReferral,
  moveReferral,
  setReferralConversion,
  unbindReferral,
} from '../../program/referrals/referral.transitions.ts';
import type { KnownClaim } from './known-claim.ts';

/** Binds the customer to the claim's referral, and unbinds the referral that the customer had before. Does nothing if `claim` is null. */
export async function bind(
  ctx: WriteCtx,
  customerId: string,
  claim: KnownClaim | null,
  referralOf: (claim: KnownClaim) => Promise<Referral>,
): Promise<void> {
  if (claim === null) return;
  const bound = await ctx.em.findOne(Referral, { customer_id: customerId }, { refresh: true });
  if (bound && bound.id === claim.referral_id) return;
  const referral = await referralOf(claim);
  if (bound) unbindReferral(bound, ctx.now);
  await ctx.em.flush();
  bindReferral(referral, customerId, ctx.now);
  await ctx.em.flush();
}

/**
 * Marks each referral that has a first charge as converted at that charge. If the customer is known, also corrects earlier conversions: a
 * referral that turns out to have no charge becomes a lead again.
 *
 * @returns the claims whose referrals have just converted
 */
export async function convert(
  ctx: WriteCtx,
  customerId: string | null,
  claims: readonly KnownClaim[],
  conversions: ReadonlyMap<string, Instant>,
): Promise<KnownClaim[]> {
  const converted: KnownClaim[] = [];
  for (const claim of claims) {
    if (claim.referral_id === null) continue;
    const referral = await known(ctx, Referral, claim.referral_id);
    const at = conversions.get(claim.key);
    if (at !== undefined && referral.conversion_state !== 'conversion') {
      await moveReferral(ctx, referral, 'conversion', at);
      converted.push(claim);
    } else if (customerId !== null && (referral.converted_at ?? undefined) !== at) {
      setReferralConversion(referral, at ?? null, ctx.now);
    }
  }
  return converted;
}
