import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { writeCsv } from './csv.ts';
import { type Order, cursorOf, inOrder, isBehind, readCursor } from './list-order.ts';

/** Records per part of a list as CSV. */
export const CSV_ROWS = 1_000;

/**
 * Input field with the position at which the next part of a CSV list starts. A part starts after the last record of the previous part, so
 * that no record is skipped if records are added in between. In a list sorted by time of change or by amount, a record that changes in
 * between may be skipped or repeated.
 */
export const csvPosition = {
  after: z.string().max(1_000).optional().describe('`next` of the previous part. Omit it for the first part.'),
};

export const CsvPart = z.object({
  header: z.string().describe('Line with the names of the columns.'),
  data: z.array(z.string()).describe('One line per record, in the order of the list.'),
  next: z.string().nullable().describe('Value of `after` for the next part; null after the last record.'),
});
export type CsvPart = z.infer<typeof CsvPart>;

/** Limits a query to one part of a list. Throws VALIDATION_ERROR if `after` is not a position in this order. */
export function csvRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  after: string | undefined,
  order: Order,
): SelectQueryBuilder<DB, TB, Row> {
  const rows = inOrder(query, order).limit(CSV_ROWS);
  return after === undefined ? rows : rows.where(isBehind(order, readCursor(after, order, 'after')));
}

/**
 * Formats the rows of `csvRows` as one part of a CSV list, with the columns `names` and the columns that `more` computes from each row.
 */
export function csvPart<Row extends object>(
  rows: readonly Row[],
  order: Order,
  names: readonly (keyof Row & string)[],
  more: Readonly<Record<string, (row: Row) => string | number | null | undefined>> = {},
): CsvPart {
  const others = Object.entries(more);
  const line = (cells: unknown[]) => writeCsv([cells.map(cellOf)]);
  return {
    header: line([...names, ...others.map(([name]) => name)]),
    data: rows.map((row) => line([...names.map((name) => row[name]), ...others.map(([, valueOf]) => valueOf(row))])),
    next: rows.length < CSV_ROWS ? null : cursorOf(rows.at(-1)!, order),
  };
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
