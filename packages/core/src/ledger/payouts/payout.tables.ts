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

export type BatchKind = 'export' | 'run' | 'payment';

/** Attempts that were prepared together. The export or the run with the same id, if any, has the rest of the batch. */
interface PayoutBatchTable {
  id: string;
  account_id: string;
  kind: BatchKind;
  /** Id of the caller. */
  prepared_by: string;
  created_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_batch: PayoutBatchTable;
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
