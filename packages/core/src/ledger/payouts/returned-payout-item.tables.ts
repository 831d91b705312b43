/**
 * A commission that was in a payout when the payout was returned, with its amount at that time. The commission itself can be in another
 * payout now.
 */
export interface ReturnedPayoutItemTable {
  payout_id: string;
  commission_id: string;
  amount_cents: number;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    returned_payout_item: ReturnedPayoutItemTable;
  }
}
