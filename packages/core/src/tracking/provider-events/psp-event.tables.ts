import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_event: PspEventTable;
  }
}

interface PspEventTable {
  account_id: string;
  psp_event_id: string;
  livemode: boolean;
  type: string;
  occurred_at: Instant;
  state: 'pending' | 'processed' | 'ignored';
  problem: string | null;
  payload: string;
  received_at: Instant;
  processed_at: Instant | null;
}
