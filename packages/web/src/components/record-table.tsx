import { type HTMLAttributes, type ReactNode, type RefObject, useRef } from 'react';
import classes from './record-table.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for amounts and counts. */
  numeric?: boolean;
  /** Shown instead of the header text. */
  head?: ReactNode;
  /** Name of this column in the `sort` parameter of requests. If undefined, the list cannot be sorted by this column. */
  sort?: string;
}

/** The order of a list. `sort` names a column, with a minus for descending order. */
export interface Sorting {
  sort: string;
  choose: (sort: string) => void;
  /** Returns why the list cannot currently be sorted by a column, or undefined if it can. `choose` shows the same reason. */
  obstacleTo?: (sort: string) => string | undefined;
}

interface RecordTableProps<Row> {
  /** Description of the rows for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  sorting?: Sorting | undefined;
  /** Lets people drag rows to other places. There must be another way for the keyboard. */
  dragging?: Dragging<Row> | undefined;
}

export interface Dragging<Row> {
  isMovable: (row: Row) => boolean;
  /** Called when a row is dropped on another movable one. */
  move: (row: Row, onto: Row) => void;
}

/** A table of records. On narrow screens each row becomes a card with the headers as labels. */
export function RecordTable<Row>({ caption, columns, rows, keyOf, sorting, dragging }: RecordTableProps<Row>) {
  const dragged = useRef<Row | null>(null);
  // The first column names the row, but for a column of checkboxes before it.
  const naming = columns.findIndex(({ head }) => head === undefined);
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
          <tr key={keyOf(row)} {...(dragging?.isMovable(row) ? draggableRow(row, dragged, dragging) : {})}>
            {columns.map(({ header, cell, numeric }, at) => {
              const Cell = at === naming ? 'th' : 'td';
              return (
                <Cell
                  key={header}
                  {...(at === naming ? { scope: 'row' } : {})}
                  data-label={header}
                  data-numeric={numeric || undefined}
                >
                  <div className={classes['value']}>{cell(row)}</div>
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function draggableRow<Row>(
  row: Row,
  dragged: RefObject<Row | null>,
  { move }: Dragging<Row>,
): Pick<HTMLAttributes<HTMLTableRowElement>, 'draggable' | 'onDragStart' | 'onDragOver' | 'onDrop' | 'onDragEnd'> {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }) => {
      dragged.current = row;
      dataTransfer.effectAllowed = 'move';
      // Firefox drags nothing without data.
      dataTransfer.setData('text/plain', '');
    },
    onDragOver: (event) => {
      if (dragged.current !== null) event.preventDefault();
    },
    onDrop: (event) => {
      event.preventDefault();
      if (dragged.current !== null && dragged.current !== row) move(dragged.current, row);
    },
    onDragEnd: () => {
      dragged.current = null;
    },
  };
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
          {/* Headers are hidden on narrow screens, so they must not contain anything that takes the focus there. */}
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
