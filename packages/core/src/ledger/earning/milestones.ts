/** Pays milestones under the lock of the affiliate, so that sales at once reach each of them exactly once (docs/rules/rewards.md#milestones). */
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lockAll } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { MilestoneCount } from '../../rewards/rules/milestone-counts.ts';
import { timesReached } from '../../rewards/worth/milestones.ts';
import type { Metric } from '../../rewards/worth/rule.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { Commission, isUnpaid } from '../commissions/commission.entity.ts';
import { markCommissionSuperseded } from '../commissions/commission.transitions.ts';
import { findClaimedPayoutOf } from '../payouts/payout.transitions.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale-amount.ts';
import { bookCommission, changeCommission } from './book-commission.ts';

/** The affiliate whose sales count, and the terms of a new commission. */
export interface Counted {
  affiliateId: string;
  campaignId: string;
  livemode: boolean;
  dueAt: Instant;
  isSuspicious: boolean;
}

/** `void_reason` of a milestone that refunds or corrections have undone before it was paid. */
const UNDONE = 'no_longer_reached';

/**
 * Pays a milestone as often as it is reached and has not been paid. If refunds or corrections have undone it, voids what is not paid or claimed. A
 * commission that a person voided stays paid for, so that it does not come back.
 */
export async function settleMilestone(
  ctx: WriteCtx,
  held: HeldAffiliates,
  of: Counted,
  { rule_id, milestone, pay, since, until }: MilestoneCount,
): Promise<void> {
  const count = await countSales(ctx, of, { metric: milestone.metric, currency: pay.currency, since, until });
  const times = timesReached(milestone, count);
  const paid = await lockPaid(ctx, of, rule_id, since);
  let total = paid.reduce((sum, { milestone_times }) => sum + milestone_times!, 0);
  for (const commission of paid.toReversed()) {
    if (total <= times) break;
    if (!isUnpaid(commission) || (await findClaimedPayoutOf(ctx.db, commission.id)) !== null) continue;
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, UNDONE));
    total -= commission.milestone_times!;
  }
  if (total >= times) return;
  await bookCommission(ctx, held, {
    kind: 'milestone',
    campaign_id: of.campaignId,
    affiliate_id: of.affiliateId,
    referral_id: null,
    sale_id: null,
    adjusts_commission_id: null,
    rule_id,
    milestone_since: since,
    milestone_times: times - total,
    amount_cents: (times - total) * pay.amount_cents,
    currency: pay.currency,
    livemode: of.livemode,
    basis_points: null,
    due_at: of.dueAt,
    review_status: of.isSuspicious ? 'suspicious' : null,
    review_reason: of.isSuspicious ? 'suspicious_affiliate' : null,
  });
}

/** Charges that count: those from which the affiliate earns, within a period. */
interface Charges {
  metric: Metric;
  /** Currency of revenue. */
  currency: string | null;
  since: Instant | null;
  until: Instant | null;
}

/** SQL condition: a row of `commission`, joined with its `sale`, counts for milestones and tiers. */
export const COUNTED_SALE = sql<boolean>`(
  commission.kind = 'sale' and not commission.superseded and (commission.state <> 'voided' or commission.voided_by_refund)
  and ${SALE_AMOUNT_CENTS} > 0)`;

/** SQL expression: what a metric counts in rows of `commission` joined with their `sale`. */
export function countOf(metric: Metric, currency: string | null): RawBuilder<number> {
  const counts = {
    customers: sql`count(distinct coalesce(sale.customer_id, commission.referral_id))`,
    sales: sql`count(*)`,
    revenue: sql`coalesce(sum(${SALE_AMOUNT_CENTS}) filter (where sale.currency = ${currency}), 0)`,
  } satisfies Record<Metric, unknown>;
  return sql<number>`(${counts[metric]})::bigint`;
}

/** Returns the number of customers or sales, or the amount of the sales, of which something is left after refunds. */
export async function countSales(
  { db, accountId }: Pick<WriteCtx, 'db' | 'accountId'>,
  { affiliateId, campaignId, livemode }: Pick<Counted, 'affiliateId' | 'campaignId' | 'livemode'>,
  { metric, currency, since, until }: Charges,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${countOf(metric, currency)} as count from commission join sale on sale.id = commission.sale_id
    where commission.account_id = ${accountId} and commission.affiliate_id = ${affiliateId} and commission.campaign_id = ${campaignId}
      and commission.livemode = ${livemode} and ${COUNTED_SALE}
      and (${since}::timestamptz is null or sale.charged_at >= ${since}::timestamptz) and (${until}::timestamptz is null or sale.charged_at < ${until}::timestamptz)`.execute(
    db,
  );
  return rows[0]!.count;
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
