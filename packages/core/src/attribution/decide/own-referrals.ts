/** Referrals that assignments have started although the customer has one of the affiliate (docs/rules/attribution.md#assigning-by-hand). */
import { compare } from '../../platform/order/compare.ts';
import { earlierOf, type Instant, wholeSecond } from '../../platform/time/instant.ts';
import { isLive } from '../../program/referrals/referral.entity.ts';
import { isOfSameEarner } from './earners.ts';
import type { ClaimFact } from './facts.ts';

/**
 * True if an assignment of a sale charged at `at` uses a referral of the customer: the claim was made and counts from then or earlier, and the referral was
 * live. A claim that was made later would not have earned from the charge by the facts either.
 */
export function servesCharge(
  at: Instant,
  { claimed_from, made_at, ...life }: Parameters<typeof isLive>[0] & { claimed_from: Instant; made_at: Instant },
): boolean {
  const charged = wholeSecond(at);
  return wholeSecond(claimed_from) <= charged && wholeSecond(made_at) <= charged && isLive(life, charged);
}

/**
 * Returns the claims without those by referrals that an assignment started, if the customer turns out to have had a referral of the affiliate that serves
 * the charge, or redeemed a code of the affiliate. That stands for the started one, as if it had been known before.
 *
 * @param conversions times of conversion of the other claims, by key
 */
export function withOwnReferrals(claims: readonly ClaimFact[], conversions: ReadonlyMap<string, Instant>): ClaimFact[] {
  const isOwn = (assigned: ClaimFact, { key, isAssigned, isTest, from, madeAt, expiresAt, deactivatedAt }: ClaimFact) =>
    !isAssigned &&
    !isTest &&
    servesCharge(assigned.from, {
      claimed_from: from,
      made_at: madeAt,
      expires_at: expiresAt,
      deactivated_at: deactivatedAt,
      converted_at: conversions.get(key) ?? null,
    });
  // A visit comes before a code, whichever becomes known first.
  const rank = ({ kind }: ClaimFact) => (kind === 'link' ? 0 : 1);
  const ownOf = (assigned: ClaimFact) =>
    claims
      .filter((claim) => isOfSameEarner(assigned, claim) && isOwn(assigned, claim))
      .toSorted((a, b) => compare(rank(a), rank(b)) || compare(a.from, b.from) || compare(a.key, b.key))[0];
  const replaced = new Map(
    claims.flatMap((claim) => {
      const own = claim.isAssigned ? ownOf(claim) : undefined;
      return own === undefined ? [] : [[claim, own] as const];
    }),
  );
  return claims
    .filter((claim) => !replaced.has(claim))
    .map((claim) => [...replaced].flatMap(([assigned, own]) => (own === claim ? [assigned] : [])).reduce(standingFor, claim));
}

/** Adds what an assignment says to the claim by the customer's own referral. A proof replaces the times of a public lead. */
function standingFor(own: ClaimFact, { referral_id, from, madeAt, namedBy }: ClaimFact): ClaimFact {
  return {
    ...own,
    from: own.isProven ? earlierOf(own.from, from) : from,
    madeAt: own.isProven ? earlierOf(own.madeAt, madeAt) : madeAt,
    isProven: true,
    namedBy: [...new Set([...own.namedBy, ...namedBy])].toSorted(),
    standsFor: [...own.standsFor, referral_id!],
  };
}
