import type { Column } from '../components/record-table.tsx';

export interface ListColumn<Row> extends Column<Row> {
  /** Stands in the address when the columns are chosen. */
  name: string;
  /** Shown only when it is chosen. */
  isExtra?: boolean;
}
