/**
 * State of an item as it is stored. `candidate`: not claimed yet. `planned`: claimed by the run. The other states are final, except that a
 * retry makes a failed item a candidate again, and that a paid payout may be returned.
 */
export type StoredItemState = 'candidate' | 'planned' | 'paid' | 'returned' | 'failed' | 'excluded' | 'canceled';

/** Reasons why an item was not paid, in the order in which they are checked (docs/rules/payouts.md#payout-runs). */
export const ISSUE_CODES = [
  'amount_mismatch',
  'commission_flagged',
  'affiliate_inactive',
  'not_positive',
  'below_minimum',
  'payout_details_changed',
  'missing_payout_details',
  'payment_failed',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** An item of a run: one payout. Items have no entity, because they are created and changed by set-based statements only. */
interface PayoutRunItemTable {
  run_id: string;
  /** The payout may not exist any more: once released, it can be merged into another payout. */
  payout_id: string;
  affiliate_id: string;
  currency: string;
  /** `amount_cents` and `commissions_count` are copied from the payout when the run is created, and again when the run claims the payout. */
  amount_cents: number;
  commissions_count: number;
  state: StoredItemState;
  issue_code: IssueCode | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_run_item: PayoutRunItemTable;
  }
}
