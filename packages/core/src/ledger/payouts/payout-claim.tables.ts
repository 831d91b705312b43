import type { Instant } from '../../platform/time/instant.ts';

/** The claim of the export or run that holds a payout or has paid it. A payout has at most one claim. Changed by set-based statements only. */
export interface PayoutClaimTable {
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
