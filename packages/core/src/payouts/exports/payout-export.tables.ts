import type { ExportItem } from './file-formats.ts';

/** A row of an export's file. Rows are inserted in bulk and never changed, so they have no entity. */
interface PayoutExportItemTable extends ExportItem {
  export_id: string;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_export_item: PayoutExportItemTable;
  }
}
