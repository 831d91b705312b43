import { type HTMLAttributes, type ReactNode, type RefObject, useRef } from 'react';
import { t } from '../texts/components.ts';
import { Icon } from './icon.tsx';
import { useIsLook } from './looked-at.tsx';
import classes from './record-table.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for amounts and counts. */
  numeric?: boolean;
  /** Shown instead of the header text. */
  head?: ReactNode;
  /** True for a column that a narrow table keeps, besides the one that names the row and the next one. */
  stays?: boolean;
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
  looking?: Looking | undefined;
}

/** The panel beside a list, which shows one of its records. */
export interface Looking {
  /** Key of the row that the panel shows, or null while the panel is closed. */
  at: string | null;
  show: (key: string) => void;
}

/** Returns the id of the button that shows a record beside the list. */
export function lookButtonId(key: string): string {
  return `look-${key}`;
}

export interface Dragging<Row> {
  isMovable: (row: Row) => boolean;
  /** Called when a row is dropped on another movable one. */
  move: (row: Row, onto: Row) => void;
}

/** A table of records. On narrow screens each row becomes a card with the headers as labels. */
export function RecordTable<Row>({ caption, columns, rows, keyOf, sorting, dragging, looking }: RecordTableProps<Row>) {
  const dragged = useRef<Row | null>(null);
  // The first column names the row, but for a column of checkboxes before it.
  const naming = columns.findIndex(({ head }) => head === undefined);
  const isNarrow = useIsLook() || (looking !== undefined && looking.at !== null);
  const further = ({ stays }: Column<Row>, at: number) => (stays || at <= naming + 1 ? {} : { 'data-further': true });
  return (
    <table className={classes['table']} data-narrow={isNarrow || undefined}>
      <caption className={classes['caption']}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <Header key={column.header} column={column} sorting={sorting} further={further(column, at)} />
          ))}
          {looking && (
            <th scope="col">
              <span className={classes['caption']}>{t.quickLook}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            {...(dragging?.isMovable(row) ? draggableRow(row, dragged, dragging) : {})}
            {...(looking ? lookedAtRow(keyOf(row), looking) : {})}
          >
            {columns.map((column, at) => {
              const { header, cell, numeric } = column;
              const Cell = at === naming ? 'th' : 'td';
              return (
                <Cell
                  key={header}
                  {...(at === naming ? { scope: 'row' } : {})}
                  {...further(column, at)}
                  {...(looking && (at === naming || at === naming + 1)
                    ? { id: `${lookButtonId(keyOf(row))}-${at - naming}` }
                    : {})}
                  data-label={header}
                  data-numeric={numeric || undefined}
                >
                  <div className={classes['value']}>{cell(row)}</div>
                </Cell>
              );
            })}
            {looking && (
              <td className={classes['look']} data-label={t.quickLook}>
                <LookButton of={keyOf(row)} looking={looking} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Elements of a row that have a use of their own when they are clicked. */
const USED = ['a', 'button', 'input', 'select', 'textarea', 'label', 'summary', 'td:has(input)'].join();

/** A click on a row shows the record beside the list, unless it was meant for a part of the row or has selected text. */
function lookedAtRow(key: string, { at, show }: Looking): HTMLAttributes<HTMLTableRowElement> & { 'data-looks': true } {
  return {
    'data-looks': true,
    ...(at === key ? { 'aria-current': true } : {}),
    onClick: ({ target, currentTarget, ctrlKey, metaKey, shiftKey }) => {
      // React also reports clicks in dialogs that the row has opened.
      const isRow = currentTarget.contains(target as Node) && (target as Element).closest(USED) === null;
      if (isRow && !ctrlKey && !metaKey && !shiftKey && getSelection()?.isCollapsed !== false) show(key);
    },
  };
}

/** Opens the panel with the record. Its name has the first two values of the row, which tell rows apart. */
function LookButton({ of, looking: { at, show } }: { of: string; looking: Looking }) {
  const id = lookButtonId(of);
  return (
    <button
      type="button"
      id={id}
      className={classes['open']}
      title={t.quickLook}
      aria-labelledby={`${id}-label ${id}-0 ${id}-1`}
      aria-expanded={at === of}
      onClick={() => show(of)}
    >
      <Icon name="look" />
      <span id={`${id}-label`} className={classes['caption']}>
        {t.quickLook}
      </span>
    </button>
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

function Header<Row>({
  column,
  sorting,
  further,
}: {
  column: Column<Row>;
  sorting: Sorting | undefined;
  further: { 'data-further'?: boolean };
}) {
  const { header, head, numeric, sort } = column;
  const isSortable = sorting !== undefined && sort !== undefined;
  const isDescending = isSortable && sorting.sort === `-${sort}`;
  const isAscending = isSortable && sorting.sort === sort;
  const obstacle = isSortable ? sorting.obstacleTo?.(sort) : undefined;
  return (
    <th
      scope="col"
      {...further}
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
