import type { ColumnType } from 'kysely';
import type { Instant } from '../../platform/time/instant.ts';
import type { EarnedIds } from './metadata-changes.ts';

/** The ids that the service last wrote into a record of the payment provider. */
interface PspMetadataTable {
  account_id: string;
  psp_object_id: string;
  written: ColumnType<EarnedIds, string, string>;
  /** Why the provider refused the ids; null if it accepted them. They are sent again when they change. */
  problem: string | null;
  updated_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_metadata: PspMetadataTable;
  }
}
