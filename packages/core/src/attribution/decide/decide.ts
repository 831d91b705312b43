/**
 * Decides who earns how much from sales, as a function of the facts and of the times at which they happened. Nothing here depends on the order in
 * which facts arrived, and nothing reads a clock or a database (docs/rules/attribution.md#order-of-facts).
 */
import { type Commission, isUnpaid, type ReviewReason } from '../../ledger/commissions/commission.entity.ts';
import { dueDate } from '../../ledger/commissions/commission.transitions.ts';
import { isInCurrencyOf } from '../../ledger/earning/earn.ts';
import { reviewReasonsOf } from '../../ledger/earning/flag-commission.ts';
import { isOfRules, type SaleWorth } from '../../ledger/earning/worth.ts';
import {
  type ContestedSale,
  decidedBy,
  isImported,
  isLive,
  type NoCommissionReason,
  type SaleLimits,
} from '../../ledger/sales/sale.entity.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { nameOfClaim } from '../../program/customer-identities/customer-identity.ts';
import { possibleDuplicates } from './duplicates.ts';
import {
  acceptedClaims,
  attributeCharges,
  type Charge,
  type Claim,
  type Earner,
  isOfSameEarner,
  type Outcome,
  type Rule,
} from './earners.ts';
import { applyLimits, eligibilityOf, isSuspiciousAt, versionAt } from './eligibility.ts';
import {
  byCharge,
  chargeKey,
  type ClaimFact,
  type Facts,
  isExcludedCharge,
  isFromCrowd,
  isSettled,
  isShadowAt,
  mayBeRevised,
  MERCHANT,
  type PaidOnTop,
  type SaleFact,
  type TermsVersion,
} from './facts.ts';
import { decideLeads, type LeadVerdict } from './leads.ts';
import { withOwnReferrals } from './own-referrals.ts';
import {
  type AttributedFacts,
  changesPlace,
  type Earning,
  exceedsCap,
  isOwedSomething,
  isWorthSame,
  isWorthSomething,
  owedBy,
  referralOf,
  sharesCap,
  withLateCodes,
  worthTo,
} from './worth.ts';

/** Everything that follows from the facts. */
export interface Verdict {
  /** In the order of the charges. */
  sales: readonly SaleVerdict[];
  /** The claim to which the customer is bound or, if none is live any more, was bound last; null if there was none, or if the customer is unknown. */
  binding: ClaimFact | null;
  /** Times of conversion, by the key of the claim. Contains only claims that converted. */
  conversions: ReadonlyMap<string, Instant>;
  leads: LeadVerdict;
}

/** The decision about a sale, and the outcome for its commission. */
export type SaleVerdict = DecidedSale & SaleOutcome;

interface DecidedSale {
  fact: SaleFact;
  /** The claim to which the sale is attributed, or null. */
  claim: ClaimFact | null;
  rule: Rule;
  /** Why the sale earns nothing; null if it may earn. */
  refusal: NoCommissionReason | null;
  /** The earner if the commission of the sale were not paid; null if the facts do not contradict the payment. */
  contested: ContestedSale | null;
  /** Time of the charge for which the current commission was decided, if its terms are not those of the current time and it is paid; otherwise null. */
  redatedFrom: Instant | null;
  /** Reasons to flag the commission, the one that counts first. */
  flags: readonly ReviewReason[];
  /** The affiliate who has the commission of the sale after the verdict. Null if nobody has one, or if a person voided it. */
  holder: string | null;
  /** The bonuses that the sale has now, of whichever affiliate. */
  bonuses: readonly PaidOnTop[];
  /** The limits of the sale, which are those of the campaign at the time of the charge; null if the sale has no claim. */
  limits: SaleLimits | null;
}

type SaleOutcome =
  /** The commission is paid to a referral that no claim has. Nothing about the sale changes but `contested`. */
  | { outcome: 'paid_elsewhere' }
  /** The sale has no commission, and gets none. */
  | { outcome: 'refuse' }
  /** The commission is undone, and the sale gets no other one. */
  | { outcome: 'supersede' }
  /** The sale gets a commission, with `replace` instead of the current one. */
  | { outcome: 'earn' | 'replace'; reward: Reward }
  /** The commission stays with other earnings, because the sale was reopened. */
  | { outcome: 'revise'; reward: Reward; dueAt: Instant | null }
  /**
   * The commission stays. `move`: with another referral of the same affiliate and campaign. `dueAt` is the new due date, because the time of the charge
   * was corrected or the terms of its second have changed; null if it stays.
   */
  | { outcome: 'keep' | 'move'; dueAt: Instant | null };

interface Reward {
  worth: SaleWorth;
  /** The percentage of the base reward; null if it is a fixed amount. */
  basisPoints: number | null;
  dueAt: Instant;
}

/** A sale during the decision. The steps replace its values one after the other. */
type Pending = Pick<DecidedSale, 'fact' | 'claim' | 'rule' | 'refusal' | 'contested' | 'limits'> & {
  isPaidElsewhere: boolean;
  /** The worth of the sale if no earlier sale of the decision earns, as far as it was computed. */
  alone?: SaleWorth;
};

/** Decides about all sales of the facts. */
export function decide(given: Facts): Verdict {
  const known = withOwnClaims(withLateCodes(given));
  const claims = known.claims.map((claim) => withEligibility(claim, known));
  const outcome = attribute(claims, known);
  const claimOf = new Map(known.claims.map((claim) => [claim.key, claim]));
  const reopened = withReopened(attributionsOf(outcome, known, claimOf), known);
  const attributed = [...attributionsOf(outcome, reopened, claimOf), ...countedSales(reopened)];
  const facts = { ...reopened, referrals: referralsOf(attributed) };
  const pending = limited(attributed, facts).toSorted((a, b) => byCharge(a.fact.sale, b.fact.sale));
  const duplicates = duplicatesOf(pending, facts);
  const bound = facts.customer === null || outcome.binding === null ? null : claimOf.get(outcome.binding)!;
  const binding = bound ?? lastBinding(claims, facts);
  const earnings: Earning[] = [];
  return {
    sales: pending.map((each) => {
      const { verdict, granted } = verdictOf(each, facts, duplicates, earnings);
      if (granted !== null) earnings.push({ fact: each.fact, claim: each.claim!, worth: granted });
      return verdict;
    }),
    binding,
    conversions: outcome.conversions,
    leads: decideLeads(facts, { binding, earlier: () => bindingsAtLeads(claims, facts) }, outcome.conversions),
  };
}

/** Replaces claims by referrals that assignments have started, if the customer has one of the affiliate. */
function withOwnClaims(facts: Facts): Facts {
  const others = facts.claims.filter(({ isAssigned }) => !isAssigned);
  if (others.length === facts.claims.length) return facts;
  const byOthers = { ...facts, claims: others };
  const { conversions } = attribute(
    others.map((claim) => withEligibility(claim, byOthers)),
    byOthers,
  );
  return { ...facts, claims: withOwnReferrals(facts.claims, conversions) };
}

/**
 * Returns, for each time at which a referral was named, the claim to which the customer was bound then. The leads of these claims earn, even if the
 * claims have expired since.
 */
function bindingsAtLeads(claims: readonly EligibleClaim[], facts: Facts): ClaimFact[] {
  if (facts.customer === null) return [];
  const named = claims.filter(({ kind, isProven }) => kind === 'link' && isProven);
  const times = [...new Set(named.map(({ madeAt }) => madeAt))].toSorted();
  return times.map((now) => bindingAt(now, claims, facts)).filter((claim) => claim !== null);
}

/** Returns the claim to which the customer was bound last. A binding begins when a claim is made or begins. */
function lastBinding(claims: readonly EligibleClaim[], facts: Facts): ClaimFact | null {
  if (facts.customer === null) return null;
  const times = [...new Set(claims.flatMap(({ from, madeAt }) => [from, madeAt]))].filter((at) => at <= facts.now);
  for (const now of times.toSorted().toReversed()) {
    const claim = bindingAt(now, claims, facts);
    if (claim !== null) return claim;
  }
  return null;
}

function bindingAt(now: Instant, claims: readonly EligibleClaim[], facts: Facts): ClaimFact | null {
  const known = claims.filter(({ madeAt }) => madeAt <= now);
  const { binding } = attribute(known, { ...facts, now });
  return facts.claims.find(({ key }) => key === binding) ?? null;
}

/**
 * Reopens the unpaid sales that share a cap with others, because these may have become known later, the settled ones that exceed it, and those that move to
 * another referral, of which they may be the first sale.
 */
function withReopened(attributed: readonly Pending[], facts: Facts): Facts {
  const mayDiffer = ({ fact, claim, refusal }: Pending) =>
    fact.reopenedBy === null &&
    claim !== null &&
    refusal === null &&
    ((isSettled(fact) ? exceedsCap(fact, claim, facts) : sharesCap(fact, claim, facts)) || changesPlace(fact, claim, facts));
  const sharing = new Set(attributed.filter(mayDiffer).map(({ fact }) => fact));
  if (sharing.size === 0) return facts;
  return { ...facts, sales: facts.sales.map((fact) => (sharing.has(fact) ? { ...fact, reopenedBy: 'rewards' as const } : fact)) };
}

type EligibleClaim = ClaimFact & Claim;

export function withEligibility(claim: ClaimFact, facts: Facts): EligibleClaim {
  const { affiliates, campaigns } = facts;
  const { affiliate_id, campaign_id } = claim;
  const eligibility = eligibilityOf(affiliates.get(affiliate_id)!.versions, campaigns.get(campaign_id)!.versions);
  return { ...claim, eligibility, names: namesOf(claim, facts) };
}

/** Returns the names that tie a claim to a person: the ids in its facts, and its own name if a fact has joined it with an address. */
function namesOf({ key, named_id, namedBy }: ClaimFact, { customer }: Facts): string[] {
  const own = nameOfClaim(named_id ?? key);
  const isJoined = customer?.joins.some(({ of }) => of.includes(own)) === true;
  return [...namedBy.filter((name) => name !== MERCHANT), ...(isJoined ? [own] : [])];
}

/**
 * Attributes live and test charges separately, so that test sales do not change what live sales earn (docs/rules/platform.md#modes). The test
 * charges bind the customer only if there are no live charges. Sales of unknown customers are attributed one by one, because they may be of
 * different people: they share only the conversions of their referral.
 */
function attribute(claims: readonly EligibleClaim[], facts: Facts): Outcome {
  const decided = decidedSales(facts);
  const charges = (sales: readonly SaleFact[]) => sales.map((sale) => chargeOf(sale, facts));
  if (facts.customer === null) {
    const conversions = new Map(facts.before.conversions);
    // The claims are those of the first sale. Others that the decision concerns name one of its referrals.
    const isOf = ({ sale_id, referral_id }: ClaimFact, sale: SaleFact) =>
      sale_id === null ? sale === decided[0] || referral_id === sale.sale.referral_id : sale_id === sale.sale.id;
    const attributions = inOrder(decided).flatMap((sale) => {
      const own = claims.filter((claim) => isOf(claim, sale));
      const [charge] = charges([sale]);
      const outcome = attributeCharges(own, [charge!], facts.now, { binding: null, conversions });
      for (const [key, at] of outcome.conversions) conversions.set(key, at);
      // The sale may have been charged before the sale that is known to have converted the referral.
      for (const { claim, refusal } of outcome.attributions)
        if (claim !== null && refusal === null && charge!.netCents > 0 && charge!.chargedAt < conversions.get(claim)!)
          conversions.set(claim, charge!.chargedAt);
      return outcome.attributions;
    });
    return { attributions, binding: null, conversions };
  }
  const [live, test] = [true, false].map((mode) =>
    attributeCharges(
      claimsOfMode(claims, facts, mode),
      charges(decided.filter(({ sale }) => isLive(sale) === mode)),
      facts.now,
      facts.before,
      facts.customer!.joins,
    ),
  ) as [Outcome, Outcome];
  const tests = decided.filter(({ sale }) => !isLive(sale));
  if (tests.length === decided.length) return test;
  if (tests.length === 0) return live;
  return {
    attributions: [...live.attributions, ...test.attributions],
    binding: live.binding ?? test.binding,
    conversions: new Map([...test.conversions, ...live.conversions]),
  };
}

function decidedSales({ sales }: Facts): SaleFact[] {
  return sales.filter(({ isOnlyCounted }) => !isOnlyCounted);
}

/** Returns the claims of a customer that count for the charges of a mode, each from the time on from which it has an effect. */
export function claimsOfMode(claims: readonly EligibleClaim[], facts: Facts, isLiveMode: boolean): EligibleClaim[] {
  const decided = decidedSales(facts);
  const testIds = new Set(decided.flatMap(({ sale }) => (isLive(sale) ? [] : [sale.id])));
  const ofMode = isLiveMode
    ? claims.filter(({ sale_id, isTest }) => (sale_id === null ? !isTest : !testIds.has(sale_id)))
    : claims;
  // A customer who has paid in live mode is known in test mode, too.
  const payments = decided.filter(({ sale }) => !isLiveMode || isLive(sale)).map((sale) => chargeOf(sale, facts));
  return acceptedClaims(ofMode, payments, facts.before.binding);
}

function inOrder(sales: readonly SaleFact[]): SaleFact[] {
  return sales.toSorted((a, b) => byCharge(a.sale, b.sale));
}

export function chargeOf(fact: SaleFact, { claims, customer }: Facts): Charge {
  const { sale, payer, commission } = fact;
  const paid = commission !== null && isPaidFor(commission, sale) ? commission.referral_id : null;
  return {
    key: chargeKey(sale),
    chargedAt: sale.charged_at,
    netCents: sale.charge_amount_cents - sale.tax_amount_cents,
    // The referral that the report of a repeated sale names belongs to the sale of the payment.
    named: sale.repeats_sale_id !== null ? null : keyOfNamed(claims, sale.named_referral_id),
    redeemed: claims.filter(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id).map(({ key }) => key),
    decidedAt: decidedBy(sale),
    isExcluded: isExcludedCharge(sale, customer),
    settled: paid === null ? null : (claims.find(({ referral_id }) => referral_id === paid)?.key ?? null),
    assigned: keyOfAssigned(claims, sale.assigned_referral_id),
    payer: [...payer.ids, ...payer.emails],
    shown: claims.filter((claim) => isShown(fact, claim)).map(({ key }) => key),
  };
}

/** Returns the key of the claim by a referral that the merchant named, or null if there is no such claim. */
function keyOfNamed(claims: readonly ClaimFact[], referralId: string | null): string | null {
  if (referralId === null) return null;
  const links = claims.filter(({ kind }) => kind === 'link');
  const own = links.find((claim) => [claim.key, claim.referral_id, ...claim.standsFor].includes(referralId));
  return (own ?? links.find(({ named_id }) => named_id === referralId))?.key ?? null;
}

/** Returns the key of the claim by the referral to which a person assigned the sale, also if a code started that referral; null if there is none. */
function keyOfAssigned(claims: readonly ClaimFact[], referralId: string | null): string | null {
  if (referralId === null) return null;
  return (
    keyOfNamed(claims, referralId) ??
    claims.find(({ referral_id, standsFor }) => [referral_id, ...standsFor].includes(referralId))?.key ??
    null
  );
}

/** Connects the attributions with the sales and the claims. */
function attributionsOf(outcome: Outcome, { sales, campaigns }: Facts, claimOf: ReadonlyMap<string, ClaimFact>): Pending[] {
  const byKey = new Map(sales.map((fact) => [chargeKey(fact.sale), fact]));
  const contestedBy = ({ claim, refusal }: Earner): ContestedSale => ({
    affiliate_id: refusal === null ? claimOf.get(claim!)!.affiliate_id : null,
    reason: refusal,
    amount_cents: null,
  });
  return outcome.attributions.map(({ charge, claim: key, rule, refusal, contested }) => {
    const fact = byKey.get(charge)!;
    const { sale, commission } = fact;
    const claim = key === null ? null : claimOf.get(key)!;
    const earns = claim !== null && refusal === null;
    // The claims do not contain the referral that was paid.
    const isPaidElsewhere = commission !== null && isPaidFor(commission, sale) && !(earns && isOfSameEarner(commission, claim));
    if (isPaidElsewhere)
      return {
        fact,
        claim: null,
        rule: 'paid',
        refusal: null,
        contested: contestedBy({ claim: key, refusal }),
        isPaidElsewhere,
        limits: null,
      };
    const byFacts = contested && contestedBy(contested);
    // A charge in a shadow converts its referral like any other, so that the customer stays with the affiliate.
    const isOfShadow = earns && rule !== 'paid' && isShadowAt(campaigns.get(claim.campaign_id)!, decidedBy(sale));
    const reason = isOfShadow ? 'shadow' : refusal;
    return { fact, claim, rule, refusal: reason, contested: byFacts, isPaidElsewhere, limits: null };
  });
}

function referralsOf(attributed: readonly Pending[]): AttributedFacts['referrals'] {
  const ofSale = ({ fact, claim, isPaidElsewhere }: Pending) =>
    isPaidElsewhere ? fact.sale.referral_id : claim && referralOf(claim);
  return new Map(attributed.map((each) => [each.fact.sale.id, ofSale(each)]));
}

/** Returns the sales that only count towards the limits of their referral. */
function countedSales({ sales, claims }: Facts): Pending[] {
  return sales.flatMap((fact) => {
    if (!fact.isOnlyCounted) return [];
    const { contested, referral_id } = fact.sale;
    const claim = claims.find((each) => each.referral_id === referral_id)!;
    return {
      fact,
      claim,
      rule: 'converted',
      refusal: null,
      contested: LIMIT_REASONS.includes(contested?.reason ?? '') ? null : contested,
      isPaidElsewhere: false,
      limits: null,
    };
  });
}

/**
 * Applies limits to the sales of each referral in the order of the charges, separately for live and test sales. The limits of a sale are
 * those that the campaign had when the sale was charged (docs/rules/attribution.md#limits).
 */
function limited(pending: readonly Pending[], facts: AttributedFacts): Pending[] {
  const result = pending.map((each) => {
    const { fact, claim } = each;
    return { ...each, limits: claim && limitsOf(termsOf(fact, claim, facts)) };
  });
  const own = result.filter(({ claim, refusal }) => claim !== null && refusal === null);
  for (const ofReferral of Map.groupBy(own, ({ claim }) => referralOf(claim!)).values()) {
    for (const ofMode of Map.groupBy(ofReferral, ({ fact }) => isLive(fact.sale)).values()) {
      const { refused, contested } = applyLimits(ofMode.map((each) => limitedCharge(each, facts)));
      for (const each of ofMode) {
        const key = chargeKey(each.fact.sale);
        const reason = contested.get(key);
        each.refusal = refused.get(key) ?? null;
        if (reason !== undefined && isPaid(each.fact) && !isImported(each.fact.sale))
          each.contested ??= { affiliate_id: null, reason, amount_cents: null };
      }
    }
  }
  return result;
}

function limitedCharge(pending: Pending, facts: AttributedFacts): Parameters<typeof applyLimits>[0][number] {
  const { fact, claim, limits } = pending;
  const { sale, commission } = fact;
  const isOwn = commission !== null && isCommissionOf(commission, fact, claim) && !isOutdated(fact);
  // A sale that has earned counts by its own commission. A sale without a commission counts if the terms at the time of the charge pay for it.
  // The same holds for a sale that is decided again.
  if (!isOwn || mayBeRevised(fact) || leftAfterRefund(fact, facts) !== null)
    pending.alone = worthTo(fact, claim!, termsOf(fact, claim!, facts), facts, []);
  const { alone } = pending;
  const isWorth = alone === undefined ? isOwedSomething(commission!, fact, facts) : isWorthSomething(alone);
  const takesPlace = alone === undefined ? owedBy(commission!, fact, facts) > 0 : alone.amount.cents > 0;
  // A sale that earned again before this rule existed counts by its current commission.
  const isEarning = commission !== null && commission.state !== 'voided';
  return {
    key: chargeKey(sale),
    chargedAt: sale.charged_at,
    worth: isWorth,
    takesPlace,
    endedAt: isEarning ? null : (fact.endedByHand.get(claim!.affiliate_id) ?? null),
    wasRefused: LIMIT_REASONS.includes(sale.no_commission_reason ?? ''),
    isSettled: (isOwn && (isPaid(fact) || isImported(sale))) || (isEarning && isAssignedTo(claim!, fact)),
    limits: limits!,
  };
}

export const LIMIT_REASONS: readonly string[] = ['max_commissions_reached', 'commission_period_over', 'nothing_to_earn'];

/** True if limits restrict anything. */
export function restricts({ maxCommissions, periodMonths }: SaleLimits): boolean {
  return maxCommissions !== null || periodMonths !== null;
}

/** Returns the limits that terms set. */
export function limitsOf({
  max_commissions: maxCommissions,
  max_commission_period_months: periodMonths,
}: TermsVersion): SaleLimits {
  return { maxCommissions, periodMonths };
}

/** Returns the terms that apply to a sale (docs/rules/attribution.md#history). */
export function termsOf({ sale }: SaleFact, { campaign_id }: ClaimFact, { campaigns }: Facts): TermsVersion {
  return versionAt(campaigns.get(campaign_id)!.versions, decidedBy(sale));
}

/**
 * True if the commission belongs to the claim and to the sale as the sale is now. False if another affiliate or campaign earned it, or if the mode or
 * the currency of the sale has changed since, which happens when the provider reports a sale that the merchant reported first.
 */
function isCommissionOf(commission: Commission, { sale }: SaleFact, claim: ClaimFact | null): boolean {
  return (
    claim !== null &&
    isOfSameEarner(commission, claim) &&
    commission.livemode === isLive(sale) &&
    isInCurrencyOf(commission, sale)
  );
}

/** True if a person assigned the sale and it has earned for the claim since, be it in another mode or currency: no fact undoes that. */
function isAssignedTo(claim: ClaimFact, { sale, commission }: SaleFact): boolean {
  return sale.assigned_referral_id !== null && commission !== null && isOfSameEarner(commission, claim);
}

function isPaid({ commission, sale }: SaleFact): boolean {
  return commission !== null && isPaidFor(commission, sale);
}

/**
 * True if the commission has been paid for the sale as the sale is now: only refunds, disputes and people move its money
 * (docs/rules/attribution.md#paid-commissions). False if the mode or the currency of the sale has changed since.
 */
function isPaidFor(commission: Commission, sale: SaleFact['sale']): boolean {
  return commission.state === 'paid' && commission.livemode === isLive(sale) && isInCurrencyOf(commission, sale);
}

/**
 * True if the commission was decided for another time of the charge and may still change: it is unpaid, or a refund has voided it
 * (docs/rules/intake.md#time-of-a-charge).
 */
function isOutdated({ sale, commission }: SaleFact): boolean {
  if (sale.redated_from === null || commission === null) return false;
  return isUnpaid(commission) || (commission.state === 'voided' && commission.voided_by_refund);
}

/**
 * Returns whether anything is left of a commission that a refund has voided, if its sale is decided again: `something` if the refund failed, and an amount
 * was given back by the former terms. Null for other sales.
 */
function leftAfterRefund(fact: SaleFact, facts: Facts): 'nothing' | 'something' | null {
  const { reopenedBy, commission } = fact;
  if (reopenedBy === null || !commission?.voided_by_refund) return null;
  return owedBy(commission, fact, facts) > 0 ? 'something' : 'nothing';
}

/** True if the current commission of the sale is right. */
function isKept({ fact, claim, refusal, isPaidElsewhere }: Pending, facts: Facts): boolean {
  const { commission } = fact;
  if (commission === null) return false;
  if (isPaidElsewhere) return true;
  if (!isCommissionOf(commission, fact, claim)) return false;
  // The terms of the new time may pay nothing.
  if (isOutdated(fact) && (commission.state === 'voided' || refusal !== null)) return false;
  // So may the terms of a sale that is decided again.
  if ((mayBeRevised(fact) || leftAfterRefund(fact, facts) === 'something') && refusal === 'nothing_to_earn') return false;
  // A commission that the merchant voided stays, because it earns nothing anyway. A commission that a refund voided may have been restored by an
  // adjustment after the refund failed. The refund or correction that changed an amount has already adjusted the commission.
  return (commission.state === 'voided' && !commission.voided_by_refund) || refusal === null || refusal === 'nothing_to_earn';
}

/**
 * Finds the ids of sales whose commissions must be kept out of payouts, because the merchant and the provider seem to have reported the
 * same sale. Of each such pair, returns the merchant's sale, or the provider's sale if the commission of the merchant's sale is claimed or
 * paid. Once a person has approved or voided the merchant's sale, or the provider's sale as a flagged one, neither is flagged again.
 */
function duplicatesOf(pending: readonly Pending[], facts: Facts): Set<string> {
  const earning = pending.filter(({ claim, refusal, isPaidElsewhere }) => claim !== null && refusal === null && !isPaidElsewhere);
  const pairs = possibleDuplicates(earning.map(({ fact: { sale } }) => sale));
  const byId = new Map(pending.map((each) => [each.fact.sale.id, each]));
  const keptOf = (id: string) => {
    const found = byId.get(id);
    return found !== undefined && isKept(found, facts) ? found.fact : null;
  };
  return new Set(
    pairs.flatMap(({ merchant, provider }) => {
      const [ours, theirs] = [keptOf(merchant.id), keptOf(provider.id)];
      // A person who decides about the provider's sale may not know of the merchant's yet.
      if (isReviewed(ours) || (isReviewed(theirs) && theirs!.commission!.review_reason === 'possible_duplicate')) return [];
      const stands = ours !== null && (!isUnpaid(ours.commission!) || ours.isClaimed);
      return [stands ? provider.id : merchant.id];
    }),
  );
}

/** True if a person has approved or voided the commission of a sale. */
function isReviewed(fact: SaleFact | null): boolean {
  if (!fact?.commission) return false;
  const { review_status, state, voided_by_refund } = fact.commission;
  return review_status === 'approved' || (state === 'voided' && !voided_by_refund);
}

/** @returns the verdict, and what it newly grants the sale, which uses up caps; null if nothing */
function verdictOf(
  pending: Pending,
  facts: AttributedFacts,
  duplicates: ReadonlySet<string>,
  earnings: readonly Earning[],
): { verdict: SaleVerdict; granted: SaleWorth | null } {
  const kept = isKept(pending, facts);
  const { fact, claim, rule, refusal, isPaidElsewhere, limits, alone } = pending;
  const earns = claim !== null && refusal === null;
  const isEnded = claim !== null && fact.endedByHand.has(claim.affiliate_id);
  const left = leftAfterRefund(fact, facts);
  const mayEnd = mayBeRevised(fact) || isOutdated(fact) || (left !== null && !isEnded);
  const isOpen = earns && (kept ? mayEnd : !isEnded);
  const decided = isOpen ? rewardOf(fact, claim, facts, earnings, alone) : null;
  const isRevised =
    kept &&
    decided !== null &&
    mayBeRevised(fact) &&
    !isOutdated(fact) &&
    decided.worth.terms.currency === fact.commission!.currency;
  const mayBeSame = isRevised ? fact.reopenedBy === 'rewards' : kept;
  const isSame = mayBeSame && decided !== null && hasTermsOf(fact, decided.worth, facts);
  const stays = kept && (!isOpen || isRevised || isSame || (left === 'nothing' && decided === null));
  const reward = isRevised || isSame ? null : decided;
  const contested = pending.contested ?? (kept && earns ? otherAmount(fact, claim, facts, earnings) : null);
  const holder = stays ? holderOf(fact.commission!) : reward === null ? null : claim!.affiliate_id;
  const verdict: DecidedSale = {
    fact,
    claim,
    rule,
    limits,
    contested,
    holder,
    bonuses: facts.rewards?.bonuses.get(fact.sale.id) ?? [],
    // Earlier sales of the same decision may have used up the cap of a rule.
    refusal: isOpen && decided === null ? 'nothing_to_earn' : refusal,
    redatedFrom: isPaid(fact) && contested !== null ? fact.sale.redated_from : null,
    flags: earns ? flagsOf(fact, claim, facts, duplicates) : [],
  };
  const mayFallDue = stays && decided !== null && !fact.isClaimed && !fact.commission!.due_by_hand;
  const dueAt = mayFallDue && decided.dueAt !== fact.commission!.due_at ? decided.dueAt : null;
  const outcome = (): SaleOutcome => {
    const { commission } = fact;
    if (isPaidElsewhere) return { outcome: 'paid_elsewhere' };
    if (stays && isRevised && !isSame) return { outcome: 'revise', reward: decided, dueAt };
    if (stays) return { outcome: commission!.referral_id === claim!.referral_id ? 'keep' : 'move', dueAt };
    if (reward !== null) return { outcome: commission === null ? 'earn' : 'replace', reward };
    return { outcome: commission === null ? 'refuse' : 'supersede' };
  };
  const isGranted = reward !== null || mayBeRevised(fact);
  return { verdict: { ...verdict, ...outcome() }, granted: isGranted && decided !== null ? decided.worth : null };
}

/** Returns the affiliate of a commission, or null if a person voided it. */
function holderOf({ affiliate_id, state, voided_by_refund }: Commission): string | null {
  return state === 'voided' && !voided_by_refund ? null : affiliate_id;
}

/** True if the commission of a sale has these terms. What rules pay is compared by rule. */
function hasTermsOf(fact: SaleFact, worth: SaleWorth, facts: Facts): boolean {
  const { commission } = fact;
  if (commission === null || !isWorthSame(worth, fact, facts)) return false;
  if (isOfRules(worth.terms)) return true;
  const { pay } = worth.terms.lines[0]!;
  if (pay.kind === 'percent') return commission.basis_points === pay.basis_points;
  return commission.basis_points === null && commission.amount_cents === worth.amount.cents;
}

/**
 * Returns what a paid commission would be by the tiers and the time of the charge that are known now, or null if these do not contradict the
 * payment (docs/rules/rewards.md#tiers, docs/rules/intake.md#time-of-a-charge). Nothing is paid or taken back. Unless one of both has changed, the former result stays.
 * Bonuses may be paid without the commission: it is then corrected, and they are compared.
 */
function otherAmount(
  fact: SaleFact,
  claim: ClaimFact,
  facts: AttributedFacts,
  earnings: readonly Earning[],
): ContestedSale | null {
  const { sale, commission } = fact;
  const paidOnTop = (facts.rewards?.bonuses.get(sale.id) ?? []).filter(
    ({ affiliate_id, is_paid }) => is_paid && affiliate_id === claim.affiliate_id,
  );
  if (!isPaid(fact) && paidOnTop.length === 0) return null;
  if (fact.reopenedBy !== 'rewards' && sale.redated_from === null)
    return sale.contested?.amount_cents == null ? null : sale.contested;
  const worth = worthTo(fact, claim, termsOf(fact, claim, facts), facts, earnings);
  const isRight = isPaid(fact) ? hasTermsOf(fact, worth, facts) : paidOnTop.every((bonus) => isEarnedOnTop(bonus, worth));
  if (isRight) return null;
  const amounts = [worth, ...worth.bonuses].filter(({ terms }) => terms.currency === commission!.currency);
  return {
    affiliate_id: claim.affiliate_id,
    reason: null,
    amount_cents: amounts.reduce((sum, { amount }) => sum + amount.cents, 0),
  };
}

/** True if a sale earns a bonus of this amount by its rule. */
function isEarnedOnTop({ rule_id, currency, cents }: PaidOnTop, { bonuses }: SaleWorth): boolean {
  const earned = bonuses.filter(({ terms }) => terms.lines[0]!.rule_id === rule_id && terms.currency === currency);
  return earned.reduce((sum, { amount }) => sum + amount.cents, 0) === cents;
}

function rewardOf(
  fact: SaleFact,
  claim: ClaimFact,
  facts: AttributedFacts,
  earnings: readonly Earning[],
  alone: SaleWorth | undefined,
): Reward | null {
  const terms = termsOf(fact, claim, facts);
  const worth = earnings.length === 0 && alone !== undefined ? alone : worthTo(fact, claim, terms, facts, earnings);
  if (!isWorthSomething(worth)) return null;
  const dueAt = dueDate(fact.sale.charged_at, terms);
  return { worth, basisPoints: terms.commission_basis_points, dueAt };
}

function flagsOf(fact: SaleFact, claim: ClaimFact, facts: Facts, duplicates: ReadonlySet<string>): ReviewReason[] {
  const { sale } = fact;
  const { eligibility } = withEligibility(claim, facts);
  return reviewReasonsOf(facts.affiliates.get(claim.affiliate_id)!.emails, facts.customer?.emails ?? [], {
    isDisputed: sale.disputed,
    isDuplicate: duplicates.has(sale.id),
    isTaxIgnored: sale.tax_ignored,
    isCrowded: facts.claims.some((each) => each.referral_id === claim.referral_id && isFromCrowd(each)),
    isUnproven: facts.claims.some(
      ({ isProven, referral_id }) => !isProven && referral_id !== null && referral_id === claim.referral_id,
    ),
    isUnverified:
      (facts.customer?.hasUnverifiedEmail === true && !isConnected(fact, claim, facts)) || namesAnother(fact, claim, facts),
    isSuspicious: isSuspiciousAt(eligibility, decidedBy(sale)),
  });
}

/**
 * True if more than an address that somebody typed connects a sale with a claim: an id of the customer, the payment itself, the merchant or a person
 * (docs/rules/ledger.md#review).
 */
function isConnected(fact: SaleFact, claim: ClaimFact, { claims }: Facts): boolean {
  const { kind, affiliate_id, named_id } = claim;
  // The customer may have been two customers at first, for each of whom the referral was named.
  const same = claims.filter((each) => each === claim || (named_id !== null && each.named_id === named_id));
  const names = same.flatMap(({ namedBy }) => namedBy);
  return (
    (kind === 'link' && names.includes(MERCHANT)) ||
    names.some((id) => fact.payer.ids.includes(id)) ||
    // Another claim of the affiliate may have won the sale.
    claims.some((each) => each.affiliate_id === affiliate_id && isShown(fact, each))
  );
}

/**
 * True if a sale whose customer is known by an address alone names a referral of another affiliate, and nothing of this one: many guests may share one
 * address, e.g. one that the shop fills in for them (docs/rules/ledger.md#review).
 */
function namesAnother(fact: SaleFact, { affiliate_id }: ClaimFact, { claims }: Facts): boolean {
  if (fact.payer.ids.length > 0) return false;
  const shown = claims.filter((each) => isShown(fact, each));
  return shown.some(({ kind }) => kind === 'link') && shown.every((each) => each.affiliate_id !== affiliate_id);
}

/** True if the payment itself, its report or a person names the claim for the sale, or if its code was redeemed with it. */
function isShown({ sale, payer }: SaleFact, { key, referral_id, named_id, sale_id, standsFor }: ClaimFact): boolean {
  const names = [key, referral_id, named_id, ...standsFor];
  return (
    sale_id === sale.id ||
    [sale.named_referral_id, sale.assigned_referral_id, ...payer.references].some((name) => name !== null && names.includes(name))
  );
}
