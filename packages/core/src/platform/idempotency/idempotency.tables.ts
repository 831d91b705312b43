import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    idempotency_key: IdempotencyKeyTable;
  }
}

/** Only key-store.ts reads and writes this table. */
interface IdempotencyKeyTable {
  account_id: string;
  caller_id: string;
  key: string;
  fingerprint: string;
  /**
   * False while work in several steps is unfinished. Until the work is finished, `sealed_body` holds the result of
   * `begin`, afterwards the response.
   */
  finished: boolean;
  status: number;
  sealed_body: string;
  created_at: Instant;
}
