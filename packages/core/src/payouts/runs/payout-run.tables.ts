/** `candidate`: not claimed yet. `planned`: claimed by the run. The others are ends; a retry makes a failed item a candidate again. */
export type StoredItemState = 'candidate' | 'planned' | 'paid' | 'failed' | 'excluded' | 'canceled';

/** Why an item was not paid (docs/domain-rules.md#payout-runs). */
export const ISSUE_CODES = [
  'amount_mismatch',
  'affiliate_inactive',
  'not_positive',
  'below_minimum',
  'missing_payout_details',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** Items come and change in bulk, by set-based statements only: no entity stands for them. */
export interface PayoutRunItemTable {
  run_id: string;
  /** A payout that was released may since have become part of another. */
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
