declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_item: PayoutItemTable;
  }
}

export interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}
