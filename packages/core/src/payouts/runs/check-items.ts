import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { payoutView } from '../payouts/payout.queries.ts';
import type { IssueCode } from './payout-run.tables.ts';

/** Result of checking an item of a run; `issue_code` null: the item may be paid. */
export interface ItemCheck {
  payout_id: string;
  issue_code: IssueCode | null;
}

/** The issue of an `item` of a run, with its `payout` (of `payoutView`) and `affiliate`; null when it may be paid. */
export const ISSUE = sql<IssueCode | null>`case
  when payout.amount_cents <> item.amount_cents
    or (payout.amount_cents, payout.commissions_count) <> (
      select coalesce(sum(commission.amount_cents), 0), count(*) from payout_item
      join commission on commission.id = payout_item.commission_id where payout_item.payout_id = payout.id
    ) then 'amount_mismatch'
  when payout.obstacles && array['affiliate_inactive', 'on_hold'] then 'affiliate_inactive'
  when 'not_positive' = any (payout.obstacles) then 'not_positive'
  when 'below_minimum' = any (payout.obstacles) then 'below_minimum'
  when 'details_changed' = any (payout.obstacles) then 'payout_details_changed'
  when affiliate.walleta_email is null and affiliate.walletb_email is null then 'missing_payout_details'
end`;

/**
 * Checks the payouts of a run's items as they are now: their eligibility, their amounts, and the affiliate's payout details
 * (docs/domain-rules.md#payout-runs). Of several issues, the first in the order of `ISSUE_CODES` counts. The caller holds the affiliates'
 * locks.
 *
 * @returns one check for each payout that the run holds, and none for others
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
