/** The commissions that were in a payout when it was returned, with their amounts at that time. They are in other payouts by now. */
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
