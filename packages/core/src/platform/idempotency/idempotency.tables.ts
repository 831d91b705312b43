import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    idempotency_key: IdempotencyKeyTable;
  }
}

interface IdempotencyKeyTable {
  account_id: string;
  caller_id: string;
  key: string;
  fingerprint: string;
  status: number;
  sealed_body: string;
  created_at: Instant;
}
