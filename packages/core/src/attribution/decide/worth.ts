/** The worth of the sales of a decision to the affiliates of their claims (docs/rules/rewards.md). */
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import { isOfRules, keptByBase, plainWorth, type SaleWorth, worthByRules } from '../../ledger/earning/worth.ts';
import { decidedBy, isCharged, isLive, isPurchase } from '../../ledger/sales/sale.entity.ts';
import { type Instant, isBefore } from '../../platform/time/instant.ts';
import type { CampaignTerms } from '../../program/campaigns/campaign.service.ts';
import { inEffect } from '../../rewards/rules/rule-versions.ts';
import { type Cap, dependsOnHistory, hasSharedCap, type Rule, type Terms } from '../../rewards/worth/rule.ts';
import { periodOf, wholeMonths } from '../../rewards/worth/windows.ts';
import {
  byOrderOfCaps,
  chargeKey,
  type ClaimFact,
  type Facts,
  isExcludedCharge,
  isSettled,
  mayBeRevised,
  type PaidByLines,
  type SaleFact,
  tierKey,
} from './facts.ts';

/** The facts, and to which referrals this decision attributes the sales. */
export interface AttributedFacts extends Facts {
  /** For each sale, by its id, its referral (`referralOf`); null if it has none. */
  referrals: ReadonlyMap<string, string | null>;
}

/** Returns the id of the referral of a claim, or what stands for it as long as the claim has none. */
export function referralOf({ referral_id, key }: ClaimFact): string {
  return referral_id ?? key;
}

/** A sale with the claim that earns from it, and what it earns. */
export interface Earning {
  fact: SaleFact;
  claim: ClaimFact;
  worth: SaleWorth;
}

/**
 * Returns what a sale that has no commission yet is worth to a claim.
 *
 * @param base the terms of the campaign at the charge
 * @param earlier what the same decision has granted before: it uses up caps, and counts as earlier sales
 */
export function worthTo(
  fact: SaleFact,
  claim: ClaimFact,
  base: CampaignTerms,
  facts: AttributedFacts,
  earlier: readonly Earning[],
): SaleWorth {
  const { rewards, campaigns } = facts;
  const { sale } = fact;
  const at = decidedBy(sale);
  const since = campaigns.get(claim.campaign_id)!.rewarded_since;
  if (rewards === null || since === null || isBefore(at, since)) return plainWorth(sale, base);
  const rules = inEffect(rewards.rules.get(claim.campaign_id) ?? [], at);
  const referrer = claim.referral_id === null ? undefined : rewards.referrers.get(claim.referral_id);
  const [ofReferral, ofCustomer] = earlierSales(fact, claim, facts);
  const worth = worthByRules(sale, rewards.lines.get(sale.id) ?? null, rules, base, {
    at,
    codes: codesOf(fact, facts),
    affiliate_id: claim.affiliate_id,
    link_id: referrer?.link_id ?? null,
    country: referrer?.country ?? null,
    sale_number: ofReferral.length + 1,
    age_months: ofReferral.length === 0 ? 0 : wholeMonths(ofReferral.toSorted()[0]!, sale.charged_at),
    customer: ofCustomer.length === 0 ? 'new' : 'returning',
    tiers: rewards.tiers.get(tierKey(claim.affiliate_id, claim.campaign_id, isLive(sale), sale.charged_at)) ?? [],
    used_cents: Object.fromEntries(
      rules.flatMap((rule) => (rule.cap === null ? [] : [[rule.id, usedCents(rule, fact, claim, facts, earlier)]])),
    ),
  });
  // A reward on top of a sale is paid once. If another affiliate has it, a person decides (docs/rules/rewards.md#rules-on-top).
  const paidToOthers = (rewards.bonuses.get(sale.id) ?? []).filter(
    ({ is_paid, affiliate_id }) => is_paid && affiliate_id !== claim.affiliate_id,
  );
  if (paidToOthers.length === 0) return worth;
  const isPaid = ({ terms }: { terms: Terms }) => paidToOthers.some(({ rule_id }) => rule_id === terms.lines[0]!.rule_id);
  return { ...worth, bonuses: worth.bonuses.filter((bonus) => !isPaid(bonus)) };
}

/** Returns the codes that were redeemed with a sale: those of affiliates or, without one, the code that the merchant reported. */
function codesOf({ sale }: SaleFact, { claims }: Facts): string[] {
  const ofAffiliates = claims.flatMap(({ kind, sale_id, code }) => (kind === 'code' && sale_id === sale.id ? [code!] : []));
  return ofAffiliates.length > 0 || sale.promo_code === null ? ofAffiliates : [sale.promo_code];
}

/**
 * Reopens sales that were decided without a code that is known now, if rules depend on codes: a code counts from its charge. The record of a sale has the code of its decision.
 */
export function withLateCodes(facts: Facts): Facts {
  const { rewards } = facts;
  if (rewards === null || ![...rewards.rules.values()].flat().some(({ when }) => when.codes !== undefined)) return facts;
  const sales = facts.sales.map((fact) =>
    fact.reopenedBy === null && codesOf(fact, facts).some((code) => code !== fact.sale.promo_code)
      ? { ...fact, reopenedBy: 'rewards' as const }
      : fact,
  );
  return { ...facts, sales };
}

/** True if the sale earns something, be it on top of its commission. */
export function isWorthSomething({ amount, bonuses }: SaleWorth): boolean {
  return amount.cents > 0 || bonuses.some((bonus) => bonus.amount.cents > 0);
}

/** True if a sale is worth to its affiliate what its commission and bonuses are owed now, by the same rules. */
export function isWorthSame({ terms, amount, bonuses }: SaleWorth, { sale, commission }: SaleFact, { rewards }: Facts): boolean {
  if (commission === null || terms.currency !== commission.currency) return false;
  const lines = terms.lines.map(({ rule_id }, i) => ({ rule_id, cents: amount.lines[i]!.cents }));
  const own = commission.lines_currency === null ? null : (rewards?.own.get(commission.id) ?? []);
  const isSameSale = own === null ? !isOfRules(terms) : isOfRules(terms) && byRule(lines) === byRule(own);
  const onTop = (rewards?.bonuses.get(sale.id) ?? []).filter(({ affiliate_id }) => affiliate_id === commission.affiliate_id);
  const earned = bonuses.map(({ terms: own, amount: { cents } }) => ({
    rule_id: own.lines[0]!.rule_id,
    currency: own.currency,
    cents,
  }));
  return isSameSale && byRule(withCurrency(onTop)) === byRule(withCurrency(earned));
}

/** Returns the amounts other than 0, with the currency in the name of the rule. */
function withCurrency(bonuses: readonly { rule_id: string | null; currency: string; cents: number }[]) {
  return bonuses.flatMap(({ rule_id, currency, cents }) => (cents === 0 ? [] : [{ rule_id: `${rule_id} ${currency}`, cents }]));
}

/** Returns a text that is the same for the same amounts by rule. */
function byRule(amounts: readonly { rule_id: string | null; cents: number }[]): string {
  const sums = new Map<string, number>();
  for (const { rule_id, cents } of amounts) sums.set(rule_id ?? '', (sums.get(rule_id ?? '') ?? 0) + cents);
  return JSON.stringify([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** True if something is owed now for a commission that the sale has already, or for its bonuses. */
export function isOwedSomething(commission: Commission, fact: SaleFact, facts: Facts): boolean {
  const bonuses = facts.rewards?.bonuses.get(fact.sale.id) ?? [];
  return (
    owedBy(commission, fact, facts) + sumOf(bonuses.filter(({ affiliate_id }) => affiliate_id === commission.affiliate_id)) > 0
  );
}

/** Returns what is owed now for a commission that the sale has already, in cents, without its bonuses. */
export function owedBy(commission: Commission, { sale }: SaleFact, { rewards }: Facts): number {
  return commission.lines_currency === null ? keptByBase(commission, sale) : sumOf(rewards?.own.get(commission.id) ?? []);
}

/** Returns the times of earlier charges of the referral and of the customer. Sales of zero and excluded sales do not count. */
function earlierSales({ sale }: SaleFact, claim: ClaimFact, facts: AttributedFacts): [Instant[], Instant[]] {
  const { rewards, sales, customer, referrals } = facts;
  const own = chargeKey(sale);
  const isEarlier = (key: string, at: Instant, isLiveSale: boolean) =>
    isLiveSale === isLive(sale) && (at < sale.charged_at || (at === sale.charged_at && key < own));
  const others = (rewards?.history ?? []).filter(({ key, charged_at, is_live }) => isEarlier(key, charged_at, is_live));
  const decided = sales.filter(
    (other) =>
      isEarlier(chargeKey(other.sale), other.sale.charged_at, isLive(other.sale)) &&
      (other.isOnlyCounted ? isPurchase(other.sale) : isCharged(other.sale) && !isExcludedCharge(other.sale, customer)),
  );
  const referral = referralOf(claim);
  const ofReferral = [
    ...others.filter(({ referral_id }) => referral_id === referral).map(({ charged_at }) => charged_at),
    ...decided.filter((other) => referrals.get(other.sale.id) === referral).map((other) => other.sale.charged_at),
  ];
  if (customer === null) return [ofReferral, ofReferral];
  const ofCustomer = others.filter(({ customer_id }) => customer_id === customer.id).map(({ charged_at }) => charged_at);
  const boughtNow = decided.filter((other) => !other.isOnlyCounted || other.sale.customer_id === customer.id);
  return [ofReferral, [...ofCustomer, ...boughtNow.map((other) => other.sale.charged_at)]];
}

/** True if a rule that may pay for a sale has a cap for several sales. */
export function sharesCap({ sale }: SaleFact, { campaign_id }: ClaimFact, { rewards }: Facts): boolean {
  return inEffect(rewards?.rules.get(campaign_id) ?? [], decidedBy(sale)).some(hasSharedCap);
}

/** True if the commission of a sale moves to another referral, and a rule that may pay for the sale depends on the earlier sales of a referral. */
export function changesPlace(
  { sale, commission }: SaleFact,
  { campaign_id, referral_id }: ClaimFact,
  { rewards }: Facts,
): boolean {
  if (commission === null || commission.referral_id === referral_id) return false;
  return inEffect(rewards?.rules.get(campaign_id) ?? [], decidedBy(sale)).some(dependsOnHistory);
}

/** True if a rule with a cap pays more than that, with what it pays for the commission and the bonuses of a settled sale, or if it may have before. */
export function exceedsCap(fact: SaleFact, claim: ClaimFact, facts: Facts): boolean {
  const { commission, sale } = fact;
  if (!sharesCap(fact, claim, facts) || commission?.affiliate_id !== claim.affiliate_id) return false;
  const own = paidBy(fact, claim.affiliate_id, facts);
  return inEffect(facts.rewards!.rules.get(claim.campaign_id)!, decidedBy(sale)).some((rule) => {
    const cents = sumOf(own.filter(({ rule_id }) => rule_id === rule.id));
    if (rule.cap === null || rule.cap.per === 'sale' || cents === 0) return false;
    return sale.contested?.amount_cents != null || usedCents(rule, fact, claim, facts, []) + cents > rule.cap.amount_cents;
  });
}

/** Returns what rules pay an affiliate for the current commission of a sale and its bonuses. `is_settled`: facts do not revise it. */
function paidBy(fact: SaleFact, affiliateId: string, { rewards }: Facts): readonly (PaidByLines & { is_settled: boolean })[] {
  const { sale, commission } = fact;
  const is_settled = isSettled(fact);
  const isOwn = ({ affiliate_id }: { affiliate_id: string }) => affiliate_id === affiliateId;
  const own = commission !== null && isOwn(commission) && isStanding(commission) ? (rewards!.own.get(commission.id) ?? []) : [];
  const bonuses = (rewards!.bonuses.get(sale.id) ?? []).filter(isOwn);
  return [
    ...own.map((each) => ({ ...each, is_settled })),
    ...bonuses.map((each) => ({ ...each, is_settled: is_settled || each.is_paid })),
  ];
}

function isStanding({ state, voided_by_refund }: Commission): boolean {
  return state !== 'voided' || voided_by_refund;
}

/**
 * Returns what a rule with a cap pays to the owner, within the window of the cap, for the sales that come before a sale in the order of caps
 * (`byOrderOfCaps`). A cap for a referral is one for its customer, who may have several referrals of the affiliate. What is settled for the sale itself got
 * no more than the cap had left then.
 *
 * @param earlier what the same decision has granted to earlier sales
 */
function usedCents(rule: Rule, fact: SaleFact, claim: ClaimFact, facts: Facts, earlier: readonly Earning[]): number {
  const { cap } = rule;
  const { rewards, sales, customer } = facts;
  if (cap === null || cap.per === 'sale' || rewards === null) return 0;
  const { from } = periodOf(cap.window, fact.sale.charged_at);
  const isOfAffiliate = cap.per === 'affiliate';
  const isOwner = (owner: { affiliate_id: string; referral_id: string | null }) =>
    owner.affiliate_id === claim.affiliate_id &&
    (isOfAffiliate || customer !== null || (owner.referral_id !== null && owner.referral_id === claim.referral_id));
  const isIn = (at: Instant) => periodOf(cap.window, at).from === from;
  const isOfRule = ({ rule_id }: { rule_id: string | null }) => rule_id === rule.id;
  const place = rewards.inOrderOfCaps.indexOf(fact.sale.id);
  const paid = rewards.paid.filter(
    (each) =>
      isOfRule(each) &&
      isOwner(each) &&
      (isOfAffiliate || customer === null || each.is_of_person) &&
      each.place <= place &&
      isIn(each.month) &&
      isCounted(cap, each.currency, each.is_live, fact),
  );
  const grants = earlier.filter((each) => byOrderOfCaps(each.fact, fact) < 0);
  const granted = grants.flatMap(({ fact: { sale }, claim: other, worth }) =>
    isOwner(other) && isIn(sale.charged_at)
      ? [worth, ...worth.bonuses].flatMap(({ terms, amount }) =>
          isCounted(cap, terms.currency, isLive(sale), fact)
            ? terms.lines.flatMap((line, i) => (isOfRule(line) ? [amount.lines[i]!] : []))
            : [],
        )
      : [],
  );
  const kept = sales.flatMap((other) => {
    const { sale, commission } = other;
    if (sale.id === fact.sale.id || !isIn(sale.charged_at) || grants.some((each) => each.fact.sale.id === sale.id)) return [];
    const isBefore = !mayBeRevised(other) && byOrderOfCaps(other, fact) < 0;
    const own =
      isBefore &&
      commission !== null &&
      isStanding(commission) &&
      isOwner(commission) &&
      isCounted(cap, commission.currency, commission.livemode, fact)
        ? (rewards.own.get(commission.id) ?? [])
        : [];
    const bonuses = (rewards.bonuses.get(sale.id) ?? []).filter(
      (bonus) =>
        (isBefore || (bonus.is_paid && !isSettled(fact))) &&
        isOwner(bonus) &&
        isCounted(cap, bonus.currency, bonus.is_live, fact),
    );
    return [...own, ...bonuses].filter(isOfRule);
  });
  const leftBefore = paidBy(fact, claim.affiliate_id, facts).find((each) => each.is_settled && isOfRule(each))?.at_most_cents;
  const used = sumOf(paid) + sumOf(granted) + sumOf(kept);
  return leftBefore == null ? used : Math.max(used, cap.amount_cents - leftBefore);
}

function isCounted(cap: Cap, currency: string, isLiveSale: boolean, { sale }: SaleFact): boolean {
  return currency === cap.currency && isLiveSale === isLive(sale);
}

function sumOf(amounts: readonly { cents: number }[]): number {
  return amounts.reduce((sum, { cents }) => sum + cents, 0);
}
