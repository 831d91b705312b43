import { type RawBuilder, sql } from 'kysely';
import { isUnfinished } from '../../ledger/payouts/payout-attempt.entity.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Ctx } from '../../platform/call/context.ts';

/** Why a claimed payout must not be paid as it was prepared, in the order in which the reasons are checked. */
export type Change =
  | 'amount_mismatch'
  | 'commission_voided'
  | 'commission_flagged'
  | 'affiliate_inactive'
  | 'not_positive'
  | 'below_minimum'
  | 'payout_details_changed';

interface Held {
  amount_cents: number;
  commissions_count: number;
  has_voided: boolean;
  has_flagged: boolean;
}

/**
 * SQL source: the commissions of a row of `payout`, as one row.
 *
 * @param preparedAt SQL expression: the time of the claim. A payout may have held a voided commission before it, with the adjustment that takes the
 * amount back
 */
export function commissionsHeld(preparedAt: RawBuilder<unknown>): RawBuilder<Held> {
  return sql`(
    select coalesce(sum(commission.amount_cents), 0) as amount_cents, count(*) as commissions_count,
      coalesce(bool_or(commission.voided_at >= ${preparedAt}), false) as has_voided,
      coalesce(bool_or(commission.state <> 'voided' and commission.review_status = 'suspicious'), false) as has_flagged
    from payout_item join commission on commission.id = payout_item.commission_id where payout_item.payout_id = payout.id)`;
}

/**
 * Selects the payouts that a batch holds, as they are now, as `payout`, with the attempt (`item`) and the sums of the commissions (`held`), which `changeOf`
 * needs. Every payment checks its payouts again, because they may have changed since they were claimed (docs/rules/payouts.md#payout-runs,
 * docs/rules/payouts.md#exports).
 */
export function heldPayouts(ctx: Ctx, batchId: string) {
  return payoutView(ctx)
    .innerJoin('payout_attempt as item', 'item.payout_id', 'payout.id')
    .innerJoinLateral(commissionsHeld(sql`item.prepared_at`).as('held'), (join) => join.onTrue())
    .where('item.batch_id', '=', batchId)
    .where('payout.status', '=', 'processing')
    .where(isUnfinished('item'));
}

/**
 * SQL expression: the `Change` of a row of `heldPayouts`, or null.
 *
 * @param checksVoids true if a void since the claim is a reason. A run pays the payout, and the next one takes the amount back
 */
export function changeOf({ checksVoids }: { checksVoids: boolean }): RawBuilder<Change | null> {
  return sql`case
  when payout.amount_cents <> item.amount_cents
    or (payout.amount_cents, payout.commissions_count) is distinct from (held.amount_cents, held.commissions_count) then 'amount_mismatch'
  when ${sql.lit(checksVoids)} and held.has_voided then 'commission_voided'
  when held.has_flagged then 'commission_flagged'
  when payout.obstacles && array['affiliate_inactive', 'on_hold'] then 'affiliate_inactive'
  when 'not_positive' = any (payout.obstacles) then 'not_positive'
  when 'below_minimum' = any (payout.obstacles) then 'below_minimum'
  when 'details_changed' = any (payout.obstacles) then 'payout_details_changed'
end`;
}
