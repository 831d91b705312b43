/** The payout that holds a commission: at most one. */
export interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_item: PayoutItemTable;
  }
}
