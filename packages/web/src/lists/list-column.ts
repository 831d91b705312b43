import type { Column } from '../components/record-table.tsx';

export interface ListColumn<Row> extends Column<Row> {
  /** The column's name in the `columns` parameter of the URL. */
  name: string;
  /** True for a column that is hidden until the user chooses it. */
  isExtra?: boolean;
}
