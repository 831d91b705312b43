/** A commission in a payout. Each commission is in at most one payout. */
export interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_item: PayoutItemTable;
  }
}
