import type { GeneratedAlways } from 'kysely';
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
  livemode: GeneratedAlways<boolean>;
  name: string;
  description: string | null;
  content_type: string;
  size_bytes: number;
  /** File in `file_part`. */
  file_id: string;
  created_at: Instant;
}
