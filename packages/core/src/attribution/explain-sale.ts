import type { ReviewReason } from '../ledger/commissions/commission.entity.ts';
import { type ContestedSale, decidedBy, isImported, isLive, type NoCommissionReason, Sale } from '../ledger/sales/sale.entity.ts';
import type { Ctx } from '../platform/call/context.ts';
import { find, foundOrThrow } from '../platform/call/records.ts';
import { WorkingSet } from '../platform/call/working-set.ts';
import { compare } from '../platform/order/compare.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { codeOf } from './attribute.ts';
import { chargeOf, claimsOfMode, decide, type SaleVerdict, termsOf, type Verdict, withEligibility } from './decide/decide.ts';
import { type ClaimStatus, type Rule, statusOf } from './decide/earners.ts';
import type { ClaimFact, Facts } from './decide/facts.ts';
import { readFactsOf, readFactsOfSale } from './gather/gather.ts';
import type { SaleDecision } from './sale-decision.schema.ts';

/** Explains who earns from a sale and why, by deciding about it from all facts without changing anything. Throws NOT_FOUND. */
export async function explainSale(ctx: Ctx, id: string): Promise<SaleDecision> {
  const reader = { db: ctx.db, accountId: ctx.accountId, now: ctx.now, services: ctx.services, records: new WorkingSet() };
  const sale = foundOrThrow(await find(reader, Sale, id), 'sale');
  if (isImported(sale)) return decidedElsewhere(sale);
  if (sale.customer_id !== null) return decisionOf(await readFactsOf(reader, sale.customer_id), id);
  const named = sale.assigned_referral_id ?? sale.named_referral_id ?? sale.referral_id;
  const referral = named === null ? null : await find(reader, Referral, named);
  const promo = await codeOf(reader, sale);
  return decisionOf(await readFactsOfSale(reader, sale, { referrals: referral === null ? [] : [referral], promo }), id);
}

function decidedElsewhere({ affiliate_id, referral_id }: Sale): SaleDecision {
  return {
    rule: 'imported',
    explanation: 'The commission was imported from another tool, which had decided about the sale.',
    claims: [],
    affiliate_id,
    referral_id,
    no_commission_reason: null,
    terms: null,
    flags: [],
    contested: null,
  };
}

/** Returns the verdict of the facts about one of their sales, in plain words. */
function decisionOf(facts: Facts, saleId: string): SaleDecision {
  const verdict = decide(facts);
  const ofSale = verdict.sales.find(({ fact }) => fact.sale.id === saleId)!;
  const { claim, rule, refusal, contested } = ofSale;
  return {
    rule,
    explanation: explanationOf(ofSale),
    claims: facts.claims.toSorted((a, b) => compare(a.from, b.from)).map((each) => claimIn(each, facts, { verdict, ofSale })),
    affiliate_id: claim?.affiliate_id ?? ofSale.fact.sale.affiliate_id,
    referral_id: claim?.referral_id ?? ofSale.fact.sale.referral_id,
    no_commission_reason: refusal,
    terms: claim && termsIn(ofSale, claim, facts),
    flags: ofSale.flags.map((reason) => ({ reason, explanation: FLAGS[reason] })),
    contested: contested && {
      affiliate_id: contested.affiliate_id,
      no_commission_reason: contested.reason,
      explanation: `The commission has been paid. ${contradictionOf(contested, ofSale)}`,
    },
  };
}

function contradictionOf({ affiliate_id, reason, amount_cents }: ContestedSale, { redatedFrom }: SaleVerdict): string {
  if (reason !== null) return `By facts that arrived later, nobody earns: ${lowerFirst(REFUSALS[reason])}`;
  if (amount_cents === null) return `Facts that arrived later give the sale to the affiliate ${affiliate_id}.`;
  if (redatedFrom !== null)
    return `The provider then reported another time of the charge, at which other terms applied: it would be ${amount_cents} cents.`;
  return `By the tiers that are known now, it would be ${amount_cents} cents.`;
}

function claimIn(
  claim: ClaimFact,
  facts: Facts,
  { verdict, ofSale }: { verdict: Verdict; ofSale: SaleVerdict },
): SaleDecision['claims'][number] {
  const { conversions } = verdict;
  const claims = facts.claims.map((each) => withEligibility(each, facts));
  const counted = claimsOfMode(claims, facts, isLive(ofSale.fact.sale)).find(({ key }) => key === claim.key);
  const winner = ofSale.claim?.key ?? null;
  const status = counted ? statusOf(counted, chargeOf(ofSale.fact, facts), { winner, conversions }) : statusOfUncounted(claim);
  return {
    kind: claim.kind,
    affiliate_id: claim.affiliate_id,
    campaign_id: claim.campaign_id,
    referral_id: claim.referral_id,
    code: claim.code,
    visited_at: claim.from,
    made_at: claim.madeAt,
    proven: claim.isProven,
    status,
    explanation: STATUSES[status],
  };
}

/** A claim that does not count for the mode of the sale was made by a public lead, or by a code of the other mode. */
function statusOfUncounted({ lead }: ClaimFact): ClaimStatus {
  return lead === null ? 'another_claim_won' : 'lead_without_effect';
}

function termsIn({ fact }: SaleVerdict, claim: ClaimFact, facts: Facts): SaleDecision['terms'] {
  const terms = termsOf(fact, claim, facts);
  const points = terms.commission_basis_points;
  return {
    commission_percent: points === null ? null : points / 100,
    commission_amount_cents: terms.commission_amount_cents,
    commission_amount_currency: terms.commission_amount_currency,
    max_commissions: terms.max_commissions,
    max_commission_period_months: terms.max_commission_period_months,
    in_effect_at: decidedBy(fact.sale),
  };
}

/** Returns the decision about a sale in plain words. */
export function explanationOf({ claim, rule, refusal, outcome, fact }: SaleVerdict): string {
  if (outcome === 'paid_elsewhere') return `${RULES.paid} It stays with the affiliate ${fact.sale.affiliate_id}.`;
  if (claim === null) return refusal === null ? RULES.none : REFUSALS[refusal];
  const winner = `The sale belongs to the affiliate ${claim.affiliate_id}. ${RULES[rule]}`;
  return refusal === null ? winner : `${winner} It earns nothing: ${lowerFirst(REFUSALS[refusal])}`;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

const RULES: Record<Rule, string> = {
  paid: 'The commission has been paid, and facts do not move paid money.',
  assigned: 'A person assigned the sale, and facts do not undo what a person decided.',
  redeemed_code: 'The affiliate’s promo code was redeemed with this sale, and the account prefers codes to links.',
  converted: 'The customer had bought through this affiliate before, and stays with them.',
  named: 'The merchant named this referral for the sale, and no earlier claim binds the customer.',
  last_click: 'It is the last click before the sale, and the campaign pays the last click.',
  first_claim: 'It is the earliest claim that was live at the time of the charge.',
  none: 'Nobody has a claim on this customer.',
};

const REFUSALS: Record<NoCommissionReason, string> = {
  no_referral: 'No claim on the customer was made before the sale.',
  before_visit: 'The charge came before the first visit.',
  referral_expired: 'The referral had expired before the charge without converting.',
  referral_deactivated: 'The referral was deactivated at the time of the charge.',
  affiliate_inactive: 'The affiliate was not active at the time of the charge.',
  campaign_archived: 'The campaign was archived at the time of the charge.',
  max_commissions_reached: 'The campaign’s number of commissions per referral was reached.',
  commission_period_over: 'The period in which the campaign pays commissions was over.',
  nothing_to_earn: 'Nothing is left to earn from: the sale has no amount after tax and refunds, or the campaign paid nothing.',
  excluded: 'The metadata of the payment or its customer say that nobody earns.',
  shadow: 'The former tool still decided at the time of the charge what sales earn.',
};

const STATUSES: Record<ClaimStatus, string> = {
  won: 'This claim won the sale.',
  another_claim_won: 'The claim was live, but another one won.',
  made_after_charge: 'The claim was made after the charge, and does not change who earned from it.',
  visited_after_charge: 'The visit came after the charge.',
  lead_without_effect: 'The customer left the address when they had already paid or belonged to another affiliate.',
  referral_expired: 'The referral had expired before the charge without converting.',
  referral_deactivated: 'The referral was deactivated at the time of the charge.',
  affiliate_inactive: 'The affiliate was not active at the time of the charge.',
  campaign_archived: 'The campaign was archived at the time of the charge.',
};

const FLAGS: Record<ReviewReason, string> = {
  dispute: 'A dispute of the charge is open.',
  self_referral: 'The customer has an email address of the affiliate.',
  possible_duplicate: 'The merchant and the payment provider may have reported the same sale twice.',
  tax_currency: 'The tax was stated in another currency than the charge, and was ignored.',
  crowded_network: 'The lead that connects the customer with the affiliate was one of many from one network.',
  unproven_lead: 'Only a public lead connects the customer with the affiliate.',
  unverified_address:
    'Only an email address connects the sale with the affiliate: somebody typed it, or the sale names another affiliate.',
  unpaid_lead: 'The lead has not paid yet.',
  suspicious_affiliate: 'The affiliate was suspicious at the time of the charge.',
};
