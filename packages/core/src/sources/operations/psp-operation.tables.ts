import type { ColumnType } from 'kysely';
import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_operation: PspOperationTable;
  }
}

/** Only operation-ledger.ts reads and writes this table. */
interface PspOperationTable {
  id: string;
  account_id: string;
  caller_id: string;
  idempotency_key: string | null;
  fingerprint: string;
  kind: string;
  livemode: boolean;
  subject: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempt: number;
  leased_until: Instant | null;
  /** Null for operations on affiliate coupons. */
  input: ColumnType<unknown, string | null, string | null>;
  response_status: number | null;
  response_body: ColumnType<unknown, string | null, string | null>;
  created_at: Instant;
  updated_at: Instant;
}
