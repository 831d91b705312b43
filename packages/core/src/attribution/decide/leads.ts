/** Decides about the rewards for leads, as a function of the facts (docs/rules/rewards.md#rewards-for-leads). */
import { type ContestedReward, isUnpaid, type ReviewReason } from '../../ledger/commissions/commission.entity.ts';
import { dueDate, isSameContest, type LeadHold, mayBeFlagged } from '../../ledger/commissions/commission.transitions.ts';
import { reviewReasonsOf } from '../../ledger/earning/flag-commission.ts';
import { compare } from '../../platform/order/compare.ts';
import { earlierOf, type Instant, isBefore, plusDays } from '../../platform/time/instant.ts';
import { isExcludedAt } from '../../program/customers/customer.entity.ts';
import { inEffect } from '../../rewards/rules/rule-versions.ts';
import { ruleForLead } from '../../rewards/worth/evaluate.ts';
import type { Pay } from '../../rewards/worth/rule.ts';
import { eligibilityOf, isSuspiciousAt, obstacleAt, versionAt } from './eligibility.ts';
import { type ClaimFact, type Facts, isFromCrowd, isShadowAt, type LeadFact, tierKey } from './facts.ts';

export interface LeadVerdict {
  /** The reward to create, or null. */
  earned: LeadReward | null;
  /** Rewards of affiliates who have lost the customer or did not have the customer first, and all but one of those that an affiliate has for the customer. */
  lost: readonly LeadFact[];
  /** Rewards that another rule decides now, with the right reward (null: none), because the lead came earlier or tiers turned out to be others. */
  revised: readonly { lead: LeadFact; reward: LeadReward | null }[];
  /** Rewards that are held or released now, and those whose flag is wrong: the customer has paid, or has not after all. */
  held: readonly { lead: LeadFact; hold: LeadHold }[];
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

const NOTHING: LeadVerdict = { earned: null, lost: [], revised: [], held: [], contested: [] };

/** A reward for a lead, and the claim of its referral. */
interface Rewarded {
  claim: ClaimFact;
  lead: LeadFact;
}

/**
 * Decides about the rewards for a customer who is a lead.
 *
 * @param bound `binding`: the claim to which the customer is or was last bound, or null; `earlier`: the claims of the customer whenever a referral was named
 * @param conversions times of conversion, by the key of the claim
 */
export function decideLeads(
  facts: Facts,
  bound: { binding: ClaimFact | null; earlier: () => readonly ClaimFact[] },
  conversions: ReadonlyMap<string, Instant>,
): LeadVerdict {
  const { rewards, claims } = facts;
  if (rewards === null || ![...rewards.rules.values()].flat().some(({ event }) => event === 'lead')) return NOTHING;
  const earlier = bound.earlier();
  const { binding } = bound;
  const rewarded = claims.flatMap((claim): Rewarded[] => {
    const lead = claim.kind === 'link' && claim.referral_id !== null ? rewards.leads.get(claim.referral_id) : undefined;
    return lead === undefined ? [] : [{ claim, lead }];
  });
  const kept: Rewarded[] = [];
  const [lost, contested]: [LeadFact[], LeadVerdict['contested'][number][]] = [[], []];
  const payments = paymentsOf(facts, conversions);
  // If the earlier claims of the customer are not loaded, nothing about the lead has changed.
  const candidates = facts.before.binding === null && binding !== null ? [...earlier, binding] : [];
  const right = firstEarned(candidates, facts, binding, payments);
  for (const each of rewarded) {
    const { lead } = each;
    const contest = contestByOthers(each, { facts, binding, right, isAllKnown: candidates.length > 0, rewarded, payments });
    if (mayChange(lead) && contest !== null) lost.push(lead);
    else if (contest === null) kept.push(each);
    else contested.push({ lead, contested: lead.state === 'voided' ? null : contest });
  }
  const revised = kept
    .filter(({ claim, lead }) => isReopened(claim, facts) && mayChange(lead))
    .map(({ claim, lead }) => ({ lead, reward: withDueDateOf(lead, rewardFor(claim, facts, payments)) }))
    .filter(({ lead, reward }) => !isSameReward(lead, reward));
  const undone = new Set(revised.flatMap(({ lead, reward }) => (reward === null ? [lead] : [])));
  const left = kept.filter(({ lead }) => !undone.has(lead));
  const held = left.flatMap(({ claim, lead }) => {
    const reward = revised.find((each) => each.lead === lead)?.reward ?? null;
    if (reward !== null && reward.pay.currency !== lead.currency) return [];
    const now = reward === null ? lead : { ...lead, rule_id: reward.ruleId, due_at: reward.dueAt };
    const hold = holdOf(claim, now, facts, payments);
    return hold === null ? [] : [{ lead, hold }];
  });
  const isOver = left.length === 0 && contested.length === 0;
  const earned = isOver ? right : null;
  for (const { claim, lead } of left) {
    const isPaid = !mayChange(lead) && lead.state !== 'voided';
    const byRules = isReopened(claim, facts) ? contestBy(lead, rewardFor(claim, facts, payments)) : keptContest(lead);
    contested.push({ lead, contested: isPaid ? byRules : null });
  }
  const changed = contested.filter(({ lead, contested: right }) => !isSameContest(lead.contested, right));
  return { earned, lost, revised, held, contested: changed };
}

/** Returns a reward with the due date that a person has set, if any. */
function withDueDateOf({ due_by_hand, due_at: dueAt }: LeadFact, reward: LeadReward | null): LeadReward | null {
  return due_by_hand && reward !== null ? { ...reward, dueAt } : reward;
}

/** Returns the time of the customer's first payment by which a referral of each affiliate has converted. */
function paymentsOf({ claims }: Facts, conversions: ReadonlyMap<string, Instant>): Map<string, Instant> {
  const payments = new Map<string, Instant>();
  for (const { key, affiliate_id } of claims) {
    const at = conversions.get(key);
    if (at !== undefined) payments.set(affiliate_id, earlierOf(at, payments.get(affiliate_id) ?? at));
  }
  return payments;
}

/**
 * Returns the reward of the first claim whose lead earns, and that no other affiliate takes over before it falls due. A due date that a person has set
 * counts.
 */
function firstEarned(
  candidates: readonly ClaimFact[],
  facts: Facts,
  binding: ClaimFact | null,
  payments: ReadonlyMap<string, Instant>,
): LeadReward | null {
  const rewards = candidates.flatMap((claim) => {
    const [lead, reward] = [facts.rewards!.leads.get(claim.referral_id ?? ''), rewardFor(claim, facts, payments)];
    return (lead === undefined ? reward : withDueDateOf(lead, reward)) ?? [];
  });
  return rewards.find(({ claim, dueAt }) => !isTakenOver(claim, dueAt, binding, payments)) ?? null;
}

/** True if another affiliate has the customer, who became theirs before the reward of a claim fell due and has not paid before. */
function isTakenOver(
  { affiliate_id }: ClaimFact,
  dueAt: Instant,
  binding: ClaimFact | null,
  payments: ReadonlyMap<string, Instant>,
): boolean {
  const isOthers = binding !== null && binding.affiliate_id !== affiliate_id && !payments.has(affiliate_id);
  return isOthers && isBefore(binding.madeAt, dueAt);
}

/**
 * Returns how another claim contradicts a reward: another affiliate has the customer, who became theirs before the reward fell due and has not paid before,
 * the affiliate has the reward by another referral, or another claim or none earns by all facts. Null if none does.
 */
function contestByOthers(
  { claim, lead }: Rewarded,
  given: {
    facts: Facts;
    binding: ClaimFact | null;
    /** The reward that is right if all claims are known. */
    right: LeadReward | null;
    isAllKnown: boolean;
    rewarded: readonly Rewarded[];
    payments: ReadonlyMap<string, Instant>;
  },
): ContestedReward | null {
  const { facts, binding, right, isAllKnown, rewarded, payments } = given;
  const { affiliate_id } = claim;
  if (isTakenOver(claim, lead.due_at, binding, payments)) return { affiliate_id: binding!.affiliate_id, amount_cents: 0 };
  const earner = right?.claim ?? null;
  if (isAllKnown && earner?.affiliate_id !== affiliate_id) return { affiliate_id: earner?.affiliate_id ?? null, amount_cents: 0 };
  const stays = standingOf(affiliate_id, { facts, binding, rewarded, right: isAllKnown ? earner : null });
  return stays === claim.key ? null : { affiliate_id: null, amount_cents: 0 };
}

/**
 * Returns the key of the claim whose reward stays: an affiliate earns once for a customer, also if two customers with a referral each turn out to be one.
 * A paid reward stays, and of several the one of the referral that was named first. Otherwise the claim that earns by all facts (`right`) has it, or if
 * they are not known the referral that was named first, and of several named at once the one visited first. If that referral has no reward, the one to
 * which the customer is bound has it.
 */
function standingOf(
  affiliateId: string,
  {
    facts,
    binding,
    rewarded,
    right,
  }: { facts: Facts; binding: ClaimFact | null; rewarded: readonly Rewarded[]; right: ClaimFact | null },
): string | null {
  const own = rewarded.filter(({ claim }) => claim.affiliate_id === affiliateId);
  const inOrder = facts.claims
    .filter(({ kind, affiliate_id, isProven, isTest }) => kind === 'link' && affiliate_id === affiliateId && isProven && !isTest)
    .map((claim) => ({ key: claim.key, at: namedAt(claim, facts), from: claim.from }))
    .toSorted((a, b) => compare(a.at, b.at) || compare(a.from, b.from) || compare(a.key, b.key));
  const paid = new Set(own.flatMap(({ claim, lead }) => (!mayChange(lead) && lead.state !== 'voided' ? [claim.key] : [])));
  if (paid.size > 0) return inOrder.find(({ key }) => paid.has(key))?.key ?? [...paid][0]!;
  if (right !== null) return right.key;
  const isRewarded = (key: string | undefined) => own.some(({ claim }) => claim.key === key);
  const [first] = inOrder;
  if (isRewarded(first?.key)) return first!.key;
  if (binding?.affiliate_id === affiliateId && binding.kind === 'link') return binding.key;
  return inOrder.find(({ key }) => isRewarded(key))?.key ?? null;
}

/**
 * Returns the due date and the flag that follow for an unpaid reward from the customer's payments, or null if they are right. The reward waits for a
 * payment, at most for the days of its rule. If the only payment turns out to be nothing, it waits again. A due date that a person has set stays, and so
 * does what a person has decided about the flag.
 */
function holdOf(claim: ClaimFact, lead: LeadFact, facts: Facts, payments: ReadonlyMap<string, Instant>): LeadHold | null {
  if (!mayChange(lead)) return null;
  const { campaign_id, affiliate_id } = claim;
  const at = namedAt(claim, facts);
  const rule = inEffect(facts.rewards!.rules.get(campaign_id) ?? [], at).find(({ id }) => id === lead.rule_id);
  const terms = versionAt(facts.campaigns.get(campaign_id)!.versions, at);
  const heldUntil = rule === undefined ? lead.due_at : plusDays(at, rule.hold_days ?? 0);
  const paidAt = payments.get(affiliate_id) ?? null;
  const dueByFacts = paidAt === null ? heldUntil : earlierOf(dueDate(paidAt, terms), heldUntil);
  const due_at = lead.due_by_hand ? lead.due_at : dueByFacts;
  const isWaiting = paidAt === null && due_at > facts.now;
  const eligibility = eligibilityOf(facts.affiliates.get(affiliate_id)!.versions, facts.campaigns.get(campaign_id)!.versions);
  const right = isFromCrowd(claim)
    ? 'crowded_network'
    : isSuspiciousAt(eligibility, at)
      ? 'suspicious_affiliate'
      : isWaiting
        ? 'unpaid_lead'
        : null;
  const isOwnFlag = lead.review_reason !== 'self_referral' && mayBeFlagged(lead);
  const reason = isOwnFlag && lead.review_reason !== right ? right : undefined;
  return due_at === lead.due_at && reason === undefined ? null : { due_at, reason };
}

/** True if the reward for a claim's lead is decided again: all leads are, or another customer, found to be the same person, was a lead earlier. */
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
function rewardFor(claim: ClaimFact, facts: Facts, payments: ReadonlyMap<string, Instant>): LeadReward | null {
  const { customer, rewards, affiliates, campaigns } = facts;
  const { affiliate_id, campaign_id, referral_id } = claim;
  const at = namedAt(claim, facts);
  const campaign = campaigns.get(campaign_id)!;
  if (customer === null || claim.kind !== 'link' || !claim.isProven || claim.isTest || referral_id === null) return null;
  if (isExcludedAt(customer.exclusions, at) || (claim.deactivatedAt !== null && !isBefore(at, claim.deactivatedAt))) return null;
  if (isShadowAt(campaign, at)) return null;
  const affiliate = affiliates.get(affiliate_id)!;
  const eligibility = eligibilityOf(affiliate.versions, campaign.versions);
  if (obstacleAt(eligibility, at) !== null) return null;
  const { link_id = null, country = null } = rewards!.referrers.get(referral_id) ?? {};
  const tiers = rewards!.tiers.get(tierKey(affiliate_id, campaign_id, true, at)) ?? [];
  const rules = inEffect(rewards!.rules.get(campaign_id) ?? [], at);
  const rule = ruleForLead(rules, { at, affiliate_id, link_id, country, tiers });
  if (rule === null || rule.pay.kind !== 'fixed' || rule.pay.amount_cents === 0) return null;
  const terms = versionAt(campaign.versions, at);
  const paidAt = payments.get(affiliate_id) ?? null;
  const heldUntil = plusDays(at, rule.hold_days ?? 0);
  const dueAt = paidAt === null ? heldUntil : earlierOf(dueDate(paidAt, terms), heldUntil);
  const [reason = null] = reviewReasonsOf(affiliate.emails, customer.emails, {
    isDisputed: false,
    isDuplicate: false,
    isTaxIgnored: false,
    isCrowded: isFromCrowd(claim),
    isUnproven: false,
    isUnverified: false,
    isSuspicious: isSuspiciousAt(eligibility, at),
  });
  const isHeld = paidAt === null && heldUntil > facts.now;
  return { claim, ruleId: rule.id, pay: rule.pay, dueAt, reviewReason: reason ?? (isHeld ? 'unpaid_lead' : null) };
}
