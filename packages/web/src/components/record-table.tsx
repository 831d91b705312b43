import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/en/components.ts';
import classes from './record-table.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for amounts and counts. */
  numeric?: boolean;
  /** The column by which the list can be sorted, as the service names it. */
  sort?: string;
}

/** The order of a list: a column, with a minus when it is descending. */
export interface Sorting {
  sort: string;
  choose: (sort: string) => void;
}

export interface RowSelection<Row> {
  /** Name of the checkbox of a row. */
  labelOf: (row: Row) => string;
  isSelectable: (row: Row) => boolean;
  isSelected: (row: Row) => boolean;
  select: (rows: Row[], selected: boolean) => void;
}

interface RecordTableProps<Row> {
  /** Description of the rows for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  sorting?: Sorting | undefined;
  selection?: RowSelection<Row> | undefined;
}

/** A table of records. On narrow screens each row becomes a card with the headers as labels. */
export function RecordTable<Row>({ caption, columns, rows, keyOf, sorting, selection }: RecordTableProps<Row>) {
  return (
    <table className={classes['table']}>
      <caption className={classes['caption']}>{caption}</caption>
      <thead>
        <tr>
          {selection && (
            <th scope="col">
              <SelectAll rows={rows} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <Header key={column.header} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {selection && (
              <td data-label={t.select}>
                <div className={classes['value']}>
                  {selection.isSelectable(row) && (
                    <Checkbox
                      aria-label={selection.labelOf(row)}
                      checked={selection.isSelected(row)}
                      onChange={(event) => selection.select([row], event.currentTarget.checked)}
                    />
                  )}
                </div>
              </td>
            )}
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
  const { header, numeric, sort } = column;
  if (!sorting || sort === undefined) {
    return (
      <th scope="col" data-numeric={numeric || undefined}>
        {header}
      </th>
    );
  }
  const isDescending = sorting.sort === `-${sort}`;
  const isAscending = sorting.sort === sort;
  return (
    <th
      scope="col"
      data-numeric={numeric || undefined}
      {...(isDescending ? { 'aria-sort': 'descending' } : isAscending ? { 'aria-sort': 'ascending' } : {})}
    >
      <button type="button" className={classes['sort']} onClick={() => sorting.choose(isDescending ? sort : `-${sort}`)}>
        {header}
        <span aria-hidden>{isDescending ? '↓' : isAscending ? '↑' : '↕'}</span>
      </button>
    </th>
  );
}

/** Selects the rows of this page that can be selected. */
function SelectAll<Row>({ rows, selection }: { rows: Row[]; selection: RowSelection<Row> }) {
  const selectable = rows.filter(selection.isSelectable);
  const selected = selectable.filter(selection.isSelected).length;
  const isFull = selected > 0 && selected === selectable.length;
  return (
    <Checkbox
      aria-label={t.selectAllOfPage}
      disabled={selectable.length === 0}
      checked={isFull}
      indeterminate={selected > 0 && !isFull}
      onChange={() => selection.select(selectable, !isFull)}
    />
  );
}
