/** A commission in a payout. Each commission is in at most one payout. */
interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}

/**
 * A commission that was in a payout when the payout was returned, with its amount at that time. The commission itself can be in another
 * payout now.
 */
interface ReturnedPayoutItemTable {
  payout_id: string;
  commission_id: string;
  amount_cents: number;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_item: PayoutItemTable;
    returned_payout_item: ReturnedPayoutItemTable;
  }
}

// Without an import or export, the declaration above would replace the module instead of adding to it.
export {};
