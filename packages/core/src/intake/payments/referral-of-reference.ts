import { sql } from 'kysely';
import { findReferenced } from '../../attribution/claims/referred.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { load } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { findCustomers, identitiesOf } from '../../program/customers/customer.service.ts';
import { isLive, Referral } from '../../program/referrals/referral.entity.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { customerOfPayer } from '../sales/facts-of-payment.ts';
import type { Referrer } from '../sales/record-sale.ts';
import { findTarget, isEarning, isToken } from '../visits/link-target.ts';

/**
 * Finds the referral that one of the values names. The merchant chooses the values, so those that are neither the id nor the merchant's own id of a referral are ignored. If they
 * name several referrals, the one with the smallest id counts, in whatever order the facts arrive.
 */
export async function findReferral(ctx: WriteCtx, values: readonly string[]): Promise<Referrer> {
  for (const id of new Set(values.toSorted())) {
    const found = await findReferenced(ctx, id);
    if (found !== null) return found;
  }
  return { referral: null, referredId: null };
}

/**
 * Finds the referral that the references of a payment name. The reference of a checkout may be the token of a link.
 *
 * @param knownIds referrals of the payment, one of which may have been started for the link before
 */
export async function referrerOf(ctx: WriteCtx, seen: PaymentSeen, knownIds: readonly string[]): Promise<Referrer> {
  const { references } = seen;
  const named = await findReferral(
    ctx,
    references.filter(({ ofPayment }) => ofPayment).map(({ value }) => value),
  );
  const token = references.find(({ place }) => place === 'checkout');
  if (named.referral !== null || token === undefined) return named;
  const at = token.at < ctx.now ? token.at : ctx.now;
  const identities = identitiesOf(customerOfPayer(seen, at));
  const known = identities.length === 0 ? [] : (await findCustomers(ctx, identities)).customers;
  const referral = await referralOfLink(ctx, token.value, { customerId: known[0]?.id ?? null, knownIds, at });
  return { referral, referredId: known[0]?.id ?? null };
}

/**
 * Returns the live referral of the link with a token: that of the customer, or one of `knownIds`. Starts one if there is none: the checkout that names
 * the link, e.g. a payment link that an affiliate shares, is then the visit. Returns null if no link that can earn has this token.
 *
 * @param of.customerId null if the customer is unknown
 * @param of.at the time of the checkout
 */
export async function referralOfLink(
  ctx: WriteCtx,
  token: string,
  { customerId, knownIds, at }: { customerId: string | null; knownIds: readonly string[]; at: Instant },
): Promise<Referral | null> {
  if (!isToken(token)) return null;
  const target = await findTarget(ctx.db, token, ctx.accountId);
  if (target === null || !isEarning(target)) return null;
  const referrals = ctx.db
    .selectFrom('referral')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('link_id', '=', target.id)
    // As an array, because conditions with `or` would compare all referrals of the link.
    .where(
      sql<boolean>`id = any (array(
        select unnest(${knownIds}::text[])
        union select id from referral where customer_id = ${customerId}
        union select referral_id from attribution_claim where customer_id = ${customerId}))`,
    )
    .orderBy('id');
  const own = (await load(ctx, Referral, referrals)).find((referral) => isLive(referral, at));
  const { id: link_id, affiliate_id, campaign_id } = target;
  return own ?? startReferral(ctx, { affiliate_id, campaign_id, link_id, visited_at: at });
}
