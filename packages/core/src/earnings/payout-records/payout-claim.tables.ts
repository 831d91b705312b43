import type { Instant } from '../../platform/time/instant.ts';

/** The export or run that holds a payout, or has paid it: at most one. Changed by set-based statements only. */
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
