import type { ReactNode } from 'react';
import classes from './record-table.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for amounts and counts. */
  numeric?: boolean;
  /** Shown in place of the header. */
  head?: ReactNode;
  /** The column by which the list can be sorted, as the service names it. */
  sort?: string;
}

/** The order of a list: a column, with a minus when it is descending. */
export interface Sorting {
  sort: string;
  choose: (sort: string) => void;
  /** Says why the list cannot be sorted by a column at present; `choose` says so too. */
  obstacleTo?: (sort: string) => string | undefined;
}

interface RecordTableProps<Row> {
  /** Description of the rows for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  sorting?: Sorting | undefined;
}

/** A table of records. On narrow screens each row becomes a card with the headers as labels. */
export function RecordTable<Row>({ caption, columns, rows, keyOf, sorting }: RecordTableProps<Row>) {
  return (
    <table className={classes['table']}>
      <caption className={classes['caption']}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Header key={column.header} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ header, cell, numeric }) => (
              <td key={header} data-label={header} data-numeric={numeric || undefined}>
                <div className={classes['value']}>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Header<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { header, head, numeric, sort } = column;
  const isSortable = sorting !== undefined && sort !== undefined;
  const isDescending = isSortable && sorting.sort === `-${sort}`;
  const isAscending = isSortable && sorting.sort === sort;
  const obstacle = isSortable ? sorting.obstacleTo?.(sort) : undefined;
  return (
    <th
      scope="col"
      data-numeric={numeric || undefined}
      {...(isDescending ? { 'aria-sort': 'descending' } : isAscending ? { 'aria-sort': 'ascending' } : {})}
    >
      {isSortable || head !== undefined ? (
        <>
          {/* On narrow screens, where headers are out of sight, nothing in them takes the focus. */}
          <span className={classes['narrow']}>{header}</span>
          <span className={classes['wide']}>
            {isSortable ? (
              <button
                type="button"
                className={classes['sort']}
                title={obstacle}
                aria-disabled={obstacle !== undefined || undefined}
                onClick={() => sorting.choose(isDescending ? sort : `-${sort}`)}
              >
                {header}
                <span aria-hidden>{isDescending ? '↓' : isAscending ? '↑' : '↕'}</span>
              </button>
            ) : (
              head
            )}
          </span>
        </>
      ) : (
        header
      )}
    </th>
  );
}
