import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { HAS_NO_METHOD } from '../../program/payout-methods/payout-addresses.ts';
import { changeOf, heldPayouts } from '../methods/recheck.ts';
import type { IssueCode } from './run-item.ts';

/** Result of checking an item of a run. `issue_code` is null if the item may be paid. */
export interface ItemCheck {
  payout_id: string;
  issue_code: IssueCode | null;
}

/** SQL expression: the issue of a row of `heldPayouts`, or of the same columns, joined with `affiliate`, or null if the payout may be paid. */
export const ISSUE = sql<IssueCode | null>`coalesce(
  ${changeOf({ checksVoids: false })}, case when ${HAS_NO_METHOD} then 'missing_payout_details' end)`;

/**
 * Checks the payouts of a run's items in their current state: their eligibility, their amounts, and the affiliate's payout details
 * (docs/rules/payouts.md#payout-runs). If an item has several issues, the result is the first one in the order of `ISSUE_CODES`. The caller
 * holds the affiliates' locks.
 *
 * @returns one check for each of the payouts that the run holds
 */
export async function checkItems(ctx: WriteCtx, runId: string, payoutIds: readonly string[]): Promise<ItemCheck[]> {
  return heldPayouts(ctx, runId)
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .select(['item.payout_id', ISSUE.as('issue_code')])
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .execute();
}
