import type { ExportItem } from './formats/format.ts';

/** Frozen lines of an export; written once by a set-based statement, so no entity stands for them. */
export interface PayoutExportItemTable extends ExportItem {
  export_id: string;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_export_item: PayoutExportItemTable;
  }
}
