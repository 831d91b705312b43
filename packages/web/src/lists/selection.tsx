import { type ReactNode, useState } from 'react';
import { RowCheckbox } from '../components/cells.tsx';
import { t } from '../texts/lists.ts';
import type { ListColumn } from './list-column.ts';

/** The selected records, from all pages of a list. */
export interface Selection<Row> {
  chosen: Row[];
  has: (row: Row) => boolean;
  select: (rows: Row[], selected: boolean) => void;
  clear: () => void;
}

/** Returns a selection that starts empty and survives filtering, sorting and paging. */
export function useSelection<Row extends { id: string }>(): Selection<Row> {
  const [chosen, setChosen] = useState<Row[]>([]);
  return {
    chosen,
    has: ({ id }) => chosen.some((row) => row.id === id),
    select: (rows, selected) =>
      setChosen((before) => [...before.filter(({ id }) => rows.every((row) => row.id !== id)), ...(selected ? rows : [])]),
    clear: () => setChosen([]),
  };
}

export interface BulkSelection<Row> {
  of: Selection<Row>;
  /** Returns the accessible name of a row's checkbox. */
  labelOf: (row: Row) => string;
  isSelectable?: (row: Row) => boolean;
  /** Returns a text that says how many rows are selected. */
  textOf?: (count: number) => string;
  /** Buttons for the selected rows. */
  actions?: ReactNode;
}

/** Returns a column with a checkbox in each row that can be selected, and in its header a checkbox for all of these rows. */
export function selectionColumn<Row>(
  { of, labelOf, isSelectable = () => true }: BulkSelection<Row>,
  rows: Row[],
): ListColumn<Row> {
  return {
    name: 'select',
    header: t.select,
    head: <SelectAll of={of} rows={rows.filter(isSelectable)} />,
    cell: (row) =>
      isSelectable(row) && (
        <RowCheckbox label={labelOf(row)} checked={of.has(row)} onChange={(checked) => of.select([row], checked)} />
      ),
  };
}

function SelectAll<Row>({ of, rows }: { of: Selection<Row>; rows: Row[] }) {
  const selected = rows.filter(of.has).length;
  const isFull = selected > 0 && selected === rows.length;
  return (
    <RowCheckbox
      label={t.selectAllOfPage}
      disabled={rows.length === 0}
      checked={isFull}
      isPartial={selected > 0 && !isFull}
      onChange={() => of.select(rows, !isFull)}
    />
  );
}
