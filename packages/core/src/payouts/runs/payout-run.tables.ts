/** `candidate`: not claimed yet. `planned`: claimed by the run. The other states are final, except that a retry makes a failed item a candidate again, and that a paid payout may be returned. */
export type StoredItemState = 'candidate' | 'planned' | 'paid' | 'returned' | 'failed' | 'excluded' | 'canceled';

/** Reasons why an item was not paid, in the order in which they are checked (docs/domain-rules.md#payout-runs). */
export const ISSUE_CODES = [
  'amount_mismatch',
  'affiliate_inactive',
  'not_positive',
  'below_minimum',
  'payout_details_changed',
  'missing_payout_details',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** Items are created and changed in bulk, by set-based statements only, so they have no entity. */
export interface PayoutRunItemTable {
  run_id: string;
  /** A released payout may have been merged into another one since. */
  payout_id: string;
  affiliate_id: string;
  currency: string;
  /** As of the claim. */
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
