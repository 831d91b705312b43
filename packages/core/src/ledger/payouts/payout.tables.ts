import type { Instant } from '../../platform/time/instant.ts';

/** A commission in a payout. Each commission is in at most one payout. */
interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_item: PayoutItemTable;
  }
}

/** The claim of the export or run that holds a payout or has paid it. A payout has at most one claim. Changed by set-based statements only. */
interface PayoutClaimTable {
  payout_id: string;
  export_id: string | null;
  run_id: string | null;
  claimed_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_claim: PayoutClaimTable;
  }
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
    returned_payout_item: ReturnedPayoutItemTable;
  }
}
