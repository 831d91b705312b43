import { sql } from 'kysely';
import { findReferenced } from '../../attribution/claims/referred.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { load } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { findCustomers, identitiesOf } from '../../program/customers/customer.service.ts';
import { isLive, Referral } from '../../program/referrals/referral.entity.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import type { PaymentSeen, Reference } from '../../sources/port/seen.ts';
import { customerOfPayer } from '../sales/facts-of-payment.ts';
import type { Referrer } from '../sales/record-sale.ts';
import { type EarningTarget, findTarget, isEarning, isToken } from '../visits/link-target.ts';

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
 * Finds the referral that the references of a payment name. A reference may also be the token of a link.
 *
 * @param knownIds referrals of the payment, one of which may have been started for the link before
 */
export async function referrerOf(ctx: WriteCtx, seen: PaymentSeen, knownIds: readonly string[]): Promise<Referrer> {
  const { references } = seen;
  const named = await findReferral(
    ctx,
    references.filter(({ ofPayment }) => ofPayment).map(({ value }) => value),
  );
  if (named.referral !== null) return named;
  const link = await findLink(
    ctx,
    references.filter(({ ofPayment }) => ofPayment),
  );
  if (link === null) return named;
  const at = link.reference.at < ctx.now ? link.reference.at : ctx.now;
  const identities = identitiesOf(customerOfPayer(seen, at));
  const known = identities.length === 0 ? [] : (await findCustomers(ctx, identities)).customers;
  const referral = await referralOfLink(ctx, link, { customerId: known[0]?.id ?? null, knownIds, at });
  return { referral, referredId: known[0]?.id ?? null };
}

type Said = Pick<Reference, 'value' | 'place'>;

/** A link that can earn, and the reference that is its token. */
interface NamedLink<Of extends Said = Said> {
  target: EarningTarget;
  reference: Of;
}

/** Returns the link of the first reference that is the token of a link that can earn, or null. */
export async function findLink<Of extends Said>(ctx: WriteCtx, references: readonly Of[]): Promise<NamedLink<Of> | null> {
  for (const reference of references) {
    if (reference.place === 'renewal' || !isToken(reference.value)) continue;
    const target = await findTarget(ctx.db, reference.value, ctx.accountId);
    if (target !== null && isEarning(target)) return { target, reference };
  }
  return null;
}

/**
 * Returns the live referral of a link: that of the customer, or one of `knownIds`. If there is none, starts one, because a checkout that names the link
 * (e.g. by a payment link that an affiliate shares) counts as a visit. A referral that has ended is returned, too, if the link is named in metadata:
 * a provider repeats the metadata with every change, which must not start a new referral.
 *
 * @param of.customerId null if the customer is unknown
 * @param of.at the time at which the link was named
 */
export async function referralOfLink(
  ctx: WriteCtx,
  { target, reference }: NamedLink,
  { customerId, knownIds, at }: { customerId: string | null; knownIds: readonly string[]; at: Instant },
): Promise<Referral> {
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
  const isOwn = (referral: Referral) =>
    reference.place === 'metadata' ? knownIds.includes(referral.id) || referral.created_at <= at : isLive(referral, at);
  const own = (await load(ctx, Referral, referrals)).find(isOwn);
  const { id: link_id, affiliate_id, campaign_id } = target;
  return own ?? startReferral(ctx, { affiliate_id, campaign_id, link_id, visited_at: at });
}
