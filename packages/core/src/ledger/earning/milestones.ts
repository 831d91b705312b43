/** Pays milestones under the lock of the affiliate, so that sales at once reach each of them exactly once (docs/rules/rewards.md#milestones). */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lockAll } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { MAX_CENTS } from '../../platform/wire/scalars.ts';
import { milestoneChanges, type MilestoneCount, timesReached } from '../../rewards/rules/milestones.ts';
import { type HeldAffiliates, lockAffiliate } from '../affiliate-lock.ts';
import { Commission, type ContestedReward, isUnpaid } from '../commissions/commission.entity.ts';
import { markCommissionSuperseded, moveMilestone, setRewardContested } from '../commissions/commission.transitions.ts';
import { IS_CLAIMED } from '../payouts/payout.transitions.ts';
import { queueSaleDecisions } from '../queued-decisions/queue-decisions.ts';
import { IS_LIVE_SALE } from '../sales/sale.entity.ts';
import { bookCommission, changeCommission } from './book-commission.ts';
import { chargesThatReach, type Counted, periodsWithTier } from './count-sales.ts';
import { updateFlag } from './flag-commission.ts';

/** The affiliate whose sales count, and what follows for a commission from the time of the charge that reaches it. */
export interface Reaching extends Counted {
  dueAt: (reachedAt: Instant) => Instant;
  isSuspicious: (reachedAt: Instant) => boolean;
}

/** `void_reason` of a milestone or of a reward for a lead that refunds or corrections have undone before it was paid. */
export const UNDONE = 'no_longer_reached';

/**
 * Pays a milestone as often as it is reached and has not been paid, each time as of the charge that reaches it. If refunds or corrections have undone it,
 * voids what is not paid or claimed, and if they let another charge reach it, the due date and the flag follow. A commission that a person voided stays paid for, so
 * that it does not come back. A claimed or paid commission stays as well, and is contested.
 */
export async function settleMilestone(
  ctx: WriteCtx,
  held: HeldAffiliates,
  of: Reaching,
  { rule_id, milestone, pay, tier, since, until }: MilestoneCount,
): Promise<void> {
  const during = tier === null ? null : await periodsWithTier(ctx, of, tier, { since, until });
  const counted = { metric: milestone.metric, currency: pay.currency, since, until, during };
  const charges = await chargesThatReach(ctx, of, counted, milestone.every ?? milestone.at!);
  const reached = charges
    .map(({ at, before, after }) => ({ at, times: timesReached(milestone, after) - timesReached(milestone, before) }))
    .filter(({ times }) => times > 0);
  const paid = await lockPaid(ctx, of, rule_id, since);
  const claimed = await findClaimed(ctx, paid.filter(isUnpaid));
  const rewarded = paid.map((commission) => ({
    commission,
    at: commission.reached_at!,
    times: commission.milestone_times!,
    isOpen: isUnpaid(commission) && !claimed.has(commission.id),
  }));
  const { undone, moved, added } = milestoneChanges(rewarded, reached);
  for (const { commission } of undone.toReversed())
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, UNDONE));
  const movedTo = new Map(moved.map(({ rewarded: one, at }) => [one, at]));
  for (const each of rewarded.filter((paid) => paid.isOpen && !undone.includes(paid))) {
    const { commission } = each;
    const reachedAt = movedTo.get(each) ?? each.at;
    if (movedTo.has(each)) {
      const dueAt = commission.due_by_hand ? null : of.dueAt(reachedAt);
      await changeCommission(ctx, held, commission, () => moveMilestone(ctx, commission, { reachedAt, dueAt }));
    }
    await updateFlag(ctx, held, commission, of.isSuspicious(reachedAt) ? ['suspicious_affiliate'] : []);
  }
  contest(ctx, paid, sumOf(reached));
  for (const { at, times } of added) {
    const isSuspicious = of.isSuspicious(at);
    await bookCommission(ctx, held, {
      kind: 'milestone',
      campaign_id: of.campaignId,
      affiliate_id: of.affiliateId,
      referral_id: null,
      sale_id: null,
      adjusts_commission_id: null,
      rule_id,
      milestone_since: since,
      milestone_times: times,
      reached_at: at,
      amount_cents: Math.min(times * pay.amount_cents, MAX_CENTS),
      currency: pay.currency,
      livemode: of.livemode,
      basis_points: null,
      due_at: of.dueAt(at),
      review_status: isSuspicious ? 'suspicious' : null,
      review_reason: isSuspicious ? 'suspicious_affiliate' : null,
    });
  }
}

/** Returns the ids of the commissions that are in claimed payouts. The affiliate is locked, so that nobody claims them now. */
async function findClaimed({ db, accountId }: WriteCtx, commissions: readonly Commission[]): Promise<Set<string>> {
  if (commissions.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from commission
    where account_id = ${accountId} and id = any (${commissions.map(({ id }) => id)}::text[]) and ${IS_CLAIMED}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

function sumOf(reached: readonly { times: number }[]): number {
  return reached.reduce((sum, { times }) => sum + times, 0);
}

/**
 * Contests the commissions, latest first, that were paid or claimed for more times than the milestone is reached. Those that a person voided have been
 * taken back.
 */
function contest(ctx: WriteCtx, paid: readonly Locked<Commission>[], times: number): void {
  const standing = paid.filter(({ state }) => state !== 'voided');
  let excess = standing.reduce((sum, { milestone_times }) => sum + milestone_times!, 0) - times;
  for (const commission of standing.toReversed()) {
    const wrong = Math.min(Math.max(excess, 0), commission.milestone_times!);
    setRewardContested(ctx, commission, wrong === 0 ? null : withoutTimes(commission, wrong));
    excess -= wrong;
  }
}

/** Returns what is left of a commission if its milestone was reached fewer times. */
function withoutTimes({ amount_cents, milestone_times: times }: Commission, wrong: number): ContestedReward {
  return { affiliate_id: null, amount_cents: Math.round((amount_cents * (times! - wrong)) / times!) };
}

/**
 * SQL condition: a row of `commission` is a milestone that facts contradict, that is unpaid again, and for which no sale of its affiliate can count any
 * more, because all of them went to other affiliates. No decision about a sale settles it (`settleMilestone`).
 */
export const IS_STRANDED = sql<boolean>`(
  commission.kind = 'milestone' and commission.contested is not null and not commission.superseded
  and commission.state in ('pending', 'due') and not ${IS_CLAIMED} and not exists (
    select from sale join referral on referral.id = sale.referral_id
    where sale.affiliate_id = commission.affiliate_id and referral.campaign_id = commission.campaign_id
      and ${IS_LIVE_SALE} = commission.livemode and sale.charged_at >= commission.milestone_since))`;

/** Voids a milestone that is stranded (`IS_STRANDED`). Does nothing if it is stranded no longer. */
export async function voidStranded(ctx: WriteCtx, { id, affiliate_id }: { id: string; affiliate_id: string }): Promise<void> {
  const held = await lockAffiliate(ctx, affiliate_id);
  const stranded = ctx.db.selectFrom('commission').selectAll().where('account_id', '=', ctx.accountId).where('id', '=', id);
  for (const commission of await lockAll(ctx, Commission, stranded.where(IS_STRANDED)))
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, UNDONE));
}

/** Has the milestones for which a sale counted settled again, by a job, because the sale counts no longer. Does nothing in a campaign without milestones. */
export function noteMilestoneFact(ctx: WriteCtx, { saleId, campaignId }: { saleId: string; campaignId: string }): void {
  queueSaleDecisions(
    ctx,
    sql`
    select id, account_id from sale
    where id = ${saleId} and account_id = ${ctx.accountId} and exists (
      select from reward_rule rule where rule.account_id = ${ctx.accountId} and rule.campaign_id = ${campaignId} and rule.event = 'milestone')`,
  );
}

/** Locks the commissions that have paid a milestone, oldest first. */
async function lockPaid(
  ctx: WriteCtx,
  { affiliateId, livemode }: Counted,
  ruleId: string,
  since: Instant,
): Promise<Locked<Commission>[]> {
  const commissions = ctx.db
    .selectFrom('commission')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('rule_id', '=', ruleId)
    .where('affiliate_id', '=', affiliateId)
    .where('kind', '=', 'milestone')
    .where('milestone_since', '=', since)
    .where('livemode', '=', livemode)
    .where('superseded', '=', false)
    .orderBy('id');
  return lockAll(ctx, Commission, commissions);
}
