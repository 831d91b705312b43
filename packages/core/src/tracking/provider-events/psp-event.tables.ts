import type { Generated } from 'kysely';
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
  /** The last error, or the reason why the event is ignored. */
  problem: string | null;
  /** Failed attempts to apply it. */
  attempts: Generated<number>;
  /** While pending: when the worker tries again. Null on rows of an older version, which are due at once. */
  next_attempt_at: Instant | null;
  /** The service tries no more by itself. */
  gave_up_at: Instant | null;
  payload: string;
  received_at: Instant;
  processed_at: Instant | null;
}
