/** Decides about the rewards for leads, as a function of the facts (docs/rules/rewards.md#rewards-for-leads). */
import { type ContestedReward, isUnpaid, type ReviewReason } from '../../ledger/commissions/commission.entity.ts';
import { isSameContest, mayBeFlagged } from '../../ledger/commissions/commission.transitions.ts';
import { reviewReasonsOf } from '../../ledger/earning/flag-commission.ts';
import { earlierOf, type Instant, isBefore, plusDays } from '../../platform/time/instant.ts';
import { isExcludedAt } from '../../program/customers/exclusions.ts';
import { inEffect } from '../../rewards/rules/rule-versions.ts';
import { ruleForLead } from '../../rewards/worth/leads.ts';
import type { Pay } from '../../rewards/worth/rule.ts';
import { eligibilityOf, isSuspiciousAt, obstacleAt, versionAt } from './eligibility.ts';
import { type ClaimFact, type Facts, isFromCrowd, type LeadFact, tierKey } from './facts.ts';

export interface LeadVerdict {
  /** The reward to create, or null. */
  earned: LeadReward | null;
  /** Rewards that were held until the customer pays, which has happened, with their due dates. */
  released: readonly { lead: LeadFact; dueAt: Instant }[];
  /** Rewards of affiliates who have lost the customer, and those by other referrals than the one to which the customer is bound. */
  lost: readonly LeadFact[];
  /** Rewards for which another rule decides now, because the lead came earlier or tiers turned out to be others, with the right reward. Null if nothing is earned. */
  revised: readonly { lead: LeadFact; reward: LeadReward | null }[];
  /** Rewards whose flag is wrong, because the lead turned out to be one of many from one network or the merchant has named it, with the right reason. */
  doubted: readonly { lead: LeadFact; reason: ReviewReason | null }[];
  /** Claimed and paid rewards that facts contradict, and those that they contradict no longer (null). */
  contested: readonly { lead: LeadFact; contested: ContestedReward | null }[];
}

/** A reward for the lead of a claim. */
export interface LeadReward {
  claim: ClaimFact;
  ruleId: string;
  pay: Extract<Pay, { kind: 'fixed' }>;
  dueAt: Instant;
  reviewReason: ReviewReason | null;
}

const NOTHING: LeadVerdict = { earned: null, released: [], lost: [], revised: [], doubted: [], contested: [] };

/**
 * Decides about the rewards for a customer who is a lead.
 *
 * @param binding the claim to which the customer is bound, or null
 * @param conversions times of conversion, by the key of the claim
 */
export function decideLeads(facts: Facts, binding: ClaimFact | null, conversions: ReadonlyMap<string, Instant>): LeadVerdict {
  const { rewards, claims, campaigns } = facts;
  if (rewards === null) return NOTHING;
  const rewarded = claims.flatMap((claim) => {
    const lead = claim.kind === 'link' && claim.referral_id !== null ? rewards.leads.get(claim.referral_id) : undefined;
    return lead === undefined ? [] : [{ claim, lead }];
  });
  // Two customers who were merged may both have been leads of one affiliate.
  const isBoundRewarded = rewarded.some(({ claim }) => claim.key === binding?.key);
  const winnerOver = (claim: ClaimFact) =>
    binding !== null &&
    (claim.affiliate_id !== binding.affiliate_id || (isBoundRewarded && claim.key !== binding.key)) &&
    !conversions.has(claim.key)
      ? binding.affiliate_id
      : null;
  const lost = rewarded.filter(({ claim, lead }) => winnerOver(claim) !== null && mayChange(lead));
  const revised = rewarded
    .filter((each) => isReopened(each.claim, facts) && !lost.includes(each) && mayChange(each.lead))
    .map(({ claim, lead }) => ({ lead, reward: rewardFor(claim, facts, conversions) }))
    .filter(({ lead, reward }) => !isSameReward(lead, reward));
  const undone = new Set(revised.flatMap(({ lead, reward }) => (reward === null ? [lead] : [])));
  const kept = rewarded.filter((each) => !lost.includes(each) && !undone.has(each.lead));
  const released = kept.flatMap(({ claim, lead }) => {
    const paidAt = conversions.get(claim.key);
    if (paidAt === undefined || !isUnpaid(lead) || lead.review_reason !== 'unpaid_lead') return [];
    const terms = versionAt(campaigns.get(claim.campaign_id)!.versions, namedAt(claim, facts));
    const dueAt = plusDays(paidAt, terms.days_until_commissions_are_due);
    return [{ lead, dueAt: dueAt < lead.due_at ? dueAt : lead.due_at }];
  });
  const doubted = kept.flatMap(({ claim, lead }) => {
    const isHeld = !conversions.has(claim.key) && lead.due_at > facts.now;
    const reason = isFromCrowd(claim) ? 'crowded_network' : isHeld ? 'unpaid_lead' : null;
    const isRight = lead.review_reason === reason || (reason !== 'crowded_network' && lead.review_reason !== 'crowded_network');
    return isRight || lead.is_claimed || !mayBeFlagged(lead) ? [] : [{ lead, reason } as const];
  });
  const earned = kept.length === 0 && binding !== null ? rewardFor(binding, facts, conversions) : null;
  const contested = kept
    .map(({ claim, lead }) => {
      if (mayChange(lead) || lead.state === 'voided') return { lead, contested: null };
      const winner = winnerOver(claim);
      // A customer who went to another affiliate after the reward had fallen due does not make it wrong.
      if (winner !== null && isBefore(binding!.madeAt, lead.due_at))
        return { lead, contested: { affiliate_id: winner, amount_cents: 0 } };
      const byRules = isReopened(claim, facts) ? contestBy(lead, rewardFor(claim, facts, conversions)) : keptContest(lead);
      return { lead, contested: byRules };
    })
    .filter(({ lead, contested }) => !isSameContest(lead.contested, contested));
  return { earned, released, lost: lost.map(({ lead }) => lead), revised, doubted, contested };
}

/** True if the reward for the lead of a claim is decided again: leads are, or the customer was two customers at first, one of whom was a lead earlier. */
function isReopened(claim: ClaimFact, facts: Facts): boolean {
  return facts.reopensLeads || namedAt(claim, facts) !== claim.madeAt;
}

/** True if facts change the reward: it is neither paid nor claimed. */
function mayChange(lead: LeadFact): boolean {
  return isUnpaid(lead) && !lead.is_claimed;
}

/** Returns how a reward that would be decided now contradicts the one that was claimed or paid. Null if their amounts are the same. */
function contestBy({ amount_cents, currency }: LeadFact, reward: LeadReward | null): ContestedReward | null {
  const right = reward?.pay.currency === currency ? reward.pay.amount_cents : 0;
  return right === amount_cents ? null : { affiliate_id: null, amount_cents: right };
}

/** Returns the contest by the rules that was found when leads were decided again, because this decision does not ask the rules. */
function keptContest({ contested }: LeadFact): ContestedReward | null {
  return contested === null || contested.affiliate_id !== null ? null : contested;
}

function isSameReward({ rule_id, amount_cents, currency }: LeadFact, reward: LeadReward | null): boolean {
  return (
    reward !== null && rule_id === reward.ruleId && amount_cents === reward.pay.amount_cents && currency === reward.pay.currency
  );
}

/**
 * Returns the time at which the referral of a claim was first named for the customer. A customer with several identities may have been two customers
 * at first, so that another referral continues it.
 */
function namedAt({ named_id, madeAt }: ClaimFact, { claims }: Facts): Instant {
  return claims
    .filter(
      (other) => named_id !== null && other.named_id === named_id && other.kind === 'link' && other.isProven && !other.isTest,
    )
    .map((other) => other.madeAt)
    .reduce(earlierOf, madeAt);
}

/** Returns the reward for the lead of a claim, or null. Only proven claims by a referral are rewarded. */
function rewardFor(claim: ClaimFact, facts: Facts, conversions: ReadonlyMap<string, Instant>): LeadReward | null {
  const { customer, rewards, affiliates, campaigns } = facts;
  const { affiliate_id, campaign_id, referral_id } = claim;
  const at = namedAt(claim, facts);
  const campaign = campaigns.get(campaign_id)!;
  if (customer === null || claim.kind !== 'link' || !claim.isProven || claim.isTest || referral_id === null) return null;
  if (isExcludedAt(customer.exclusions, at) || (claim.deactivatedAt !== null && !isBefore(at, claim.deactivatedAt))) return null;
  const affiliate = affiliates.get(affiliate_id)!;
  const eligibility = eligibilityOf(affiliate.versions, campaign.versions);
  if (obstacleAt(eligibility, at) !== null) return null;
  const { link_id = null, country = null } = rewards!.referrers.get(referral_id) ?? {};
  const tiers = rewards!.tiers.get(tierKey(affiliate_id, campaign_id, true, at)) ?? [];
  const rules = inEffect(rewards!.rules.get(campaign_id) ?? [], at);
  const rule = ruleForLead(rules, { at, affiliate_id, link_id, country, tiers });
  if (rule === null || rule.pay.kind !== 'fixed' || rule.pay.amount_cents === 0) return null;
  const terms = versionAt(campaign.versions, at);
  const paidAt = conversions.get(claim.key);
  const heldUntil = plusDays(at, rule.hold_days ?? 0);
  const afterPayment = paidAt === undefined ? null : plusDays(paidAt, terms.days_until_commissions_are_due);
  const dueAt = afterPayment !== null && afterPayment < heldUntil ? afterPayment : heldUntil;
  const [reason = null] = reviewReasonsOf(affiliate.emails, customer.emails, {
    isDisputed: false,
    isDuplicate: false,
    isTaxIgnored: false,
    isCrowded: isFromCrowd(claim),
    isUnproven: false,
    isUnverified: false,
    isSuspicious: isSuspiciousAt(eligibility, at),
  });
  const isHeld = paidAt === undefined && heldUntil > facts.now;
  return { claim, ruleId: rule.id, pay: rule.pay, dueAt, reviewReason: reason ?? (isHeld ? 'unpaid_lead' : null) };
}
