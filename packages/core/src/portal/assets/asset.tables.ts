import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    asset: AssetTable;
  }
}

/** A file that a merchant gives to affiliates, e.g. a banner. */
interface AssetTable {
  id: string;
  account_id: string;
  name: string;
  description: string | null;
  content_type: string;
  size_bytes: number;
  content: Buffer;
  created_at: Instant;
}
