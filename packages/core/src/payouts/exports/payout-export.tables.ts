import type { ColumnType } from 'kysely';

/** A row of an export's file. Rows are inserted in bulk, so they have no entity. */
interface PayoutExportItemTable {
  export_id: string;
  payout_id: string;
  affiliate_id: string;
  amount_cents: number;
  currency: string;
  commissions_count: number;
  /** `Receiver` as sealed JSON. */
  sealed_receiver: string;
  /** Versions of the affiliate's addresses (`methodVersions`). */
  method_versions: ColumnType<unknown, string | null>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_export_item: PayoutExportItemTable;
  }
}
