import type { ColumnType } from 'kysely';
import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    operation: OperationTable;
  }
}

/** Only operation-ledger.ts reads and writes this table. */
interface OperationTable {
  id: string;
  account_id: string;
  caller_id: string;
  idempotency_key: string | null;
  fingerprint: string;
  kind: string;
  subject: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempt: number;
  leased_until: Instant | null;
  /** Null for operations that only the same request can finish. */
  input: ColumnType<unknown, string | null, string | null>;
  response_status: number | null;
  response_body: ColumnType<unknown, string | null, string | null>;
  created_at: Instant;
  updated_at: Instant;
}
