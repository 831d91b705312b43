import { sql } from 'kysely';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { HAS_NO_METHOD } from '../../program/payout-methods/payout-addresses.ts';
import type { IssueCode } from './payout-run.tables.ts';

/** Result of checking an item of a run. `issue_code` is null if the item may be paid. */
export interface ItemCheck {
  payout_id: string;
  issue_code: IssueCode | null;
}

/**
 * SQL expression: the issue of an `item` of a run, or null if the item may be paid. For rows of `item` joined with `payout` (from
 * `payoutView`) and `affiliate`.
 */
export const ISSUE = sql<IssueCode | null>`case
  when payout.amount_cents <> item.amount_cents
    or (payout.amount_cents, payout.commissions_count) <> (
      select coalesce(sum(commission.amount_cents), 0), count(*) from payout_item
      join commission on commission.id = payout_item.commission_id where payout_item.payout_id = payout.id
    ) then 'amount_mismatch'
  when exists (
    select from payout_item join commission on commission.id = payout_item.commission_id
    where payout_item.payout_id = payout.id and commission.state <> 'voided' and commission.review_status = 'suspicious'
  ) then 'commission_flagged'
  when payout.obstacles && array['affiliate_inactive', 'on_hold'] then 'affiliate_inactive'
  when 'not_positive' = any (payout.obstacles) then 'not_positive'
  when 'below_minimum' = any (payout.obstacles) then 'below_minimum'
  when 'details_changed' = any (payout.obstacles) then 'payout_details_changed'
  when ${HAS_NO_METHOD} then 'missing_payout_details'
end`;

/**
 * Checks the payouts of a run's items in their current state: their eligibility, their amounts, and the affiliate's payout details
 * (docs/rules/payouts.md#payout-runs). If an item has several issues, the result is the first one in the order of `ISSUE_CODES`. The caller
 * holds the affiliates' locks.
 *
 * @returns one check for each of the payouts that the run holds
 */
export async function checkItems(ctx: WriteCtx, runId: string, payoutIds: readonly string[]): Promise<ItemCheck[]> {
  return payoutView(ctx)
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .innerJoin('payout_claim as claim', 'claim.payout_id', 'payout.id')
    .innerJoin('payout_run_item as item', (join) =>
      join.onRef('item.run_id', '=', 'claim.run_id').onRef('item.payout_id', '=', 'payout.id'),
    )
    .select(['item.payout_id', ISSUE.as('issue_code')])
    .where('payout.status', '=', 'processing')
    .where('claim.run_id', '=', runId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .execute();
}
