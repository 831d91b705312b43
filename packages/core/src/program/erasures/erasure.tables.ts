import type { ColumnType } from 'kysely';
import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    erasure: ErasureTable;
    erased_identity: ErasedIdentityTable;
  }
}

/** The erasure of a person's data. The record itself is erased in the transaction that creates the row; copies elsewhere are erased afterwards. */
interface ErasureTable {
  id: string;
  account_id: string;
  kind: 'customer' | 'affiliate';
  subject_id: string;
  /** The words for which copies are searched, as JSON (`Sought`). Null once the erasure is completed. */
  sealed_sought: string | null;
  created_at: Instant;
  completed_at: Instant | null;
  /** Places of texts that may name the person, for a person to decide. */
  to_review: ColumnType<{ table: string; id: string; field: string }[], string, string>;
}

/** An identity of an erased customer, as a hash, by which events of the payment provider about that customer are recognized. */
interface ErasedIdentityTable {
  account_id: string;
  hash: string;
  /** True for an email address, false for an ID. */
  is_address: boolean;
  erased_at: Instant;
}
