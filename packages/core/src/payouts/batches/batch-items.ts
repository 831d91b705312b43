import { type RawBuilder, sql } from 'kysely';
import type { Ending } from '../../ledger/payouts/payout.transitions.ts';

/** State of an item of a batch, which is its latest attempt to pay a payout. `candidate`: not claimed yet. `planned`: claimed by the batch. */
export type ItemState = 'candidate' | 'planned' | 'paid' | 'returned' | 'failed' | 'excluded' | 'canceled';

/** Reasons why an item was not paid, in the order in which they are checked (docs/rules/payouts.md#payout-runs). */
export const ISSUE_CODES = [
  'amount_mismatch',
  'commission_flagged',
  'affiliate_inactive',
  'not_positive',
  'below_minimum',
  'payout_details_changed',
  'screening',
  'missing_payout_details',
  'payment_failed',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/**
 * SQL source of the items of batches: those of the stored attempts, or a subquery that computes the rows of a preview. Columns: `batch_id`, `payout_id`,
 * `affiliate_id`, `currency`, `amount_cents`, `commissions_count`, `state` (`ItemState`) and `issue_code`.
 */
export type BatchItems = RawBuilder<unknown>;

export const STORED_ITEMS: BatchItems = sql`(
  select batch_id, payout_id, affiliate_id, currency, amount_cents, commissions_count,
    case state
      when 'prepared' then case when reason is null then 'planned' else 'failed' end
      when 'arrived' then 'paid'
      when 'withdrawn' then reason
      else state
    end as state,
    reason as issue_code
  from payout_attempt where not superseded)`;

/** The reasons of withdrawn attempts, which are the states of their items. */
export type Withdrawal = Extract<ItemState, 'excluded' | 'canceled'>;

/** Returns how the attempts of these payouts end when they are withdrawn. */
export function withdrawn(payoutIds: readonly string[], reason: Withdrawal): Map<string, Ending> {
  return new Map(payoutIds.map((id) => [id, { state: 'withdrawn', reason }]));
}
