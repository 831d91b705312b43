import { mapInParts, readPart } from '@affiliate/postgres';
import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { csvLine } from './csv-line.ts';
import { type Order, cursorOf, inOrder, isBehind, readCursor } from './list-order.ts';

/** Renders many items as CSV, a row for each, in parts that let others have the processor. */
export async function writeLongCsv<Item>(items: readonly Item[], rowOf: (item: Item) => readonly string[]): Promise<string> {
  const lines = await mapInParts(items, (item) => csvLine(rowOf(item)));
  return lines.join('');
}

/** Maximum number of records in a part of a list as CSV. */
const CSV_ROWS = 1_000;
/** Half of the most rows of the first part. */
const FIRST_ROWS = 50;
/**
 * Maximum number of bytes that are read for a part, so that the part has at most 1 MiB: quotes and apostrophes make a line longer than the values in it. A
 * record with the most metadata has 27 KB, or 81 KB in other scripts.
 */
const CSV_BYTES = 512 * 1024;

/**
 * Input field with the position at which the next part of a CSV list starts. A part starts after the last record of the previous part, so
 * that no record is skipped if records are added in between. A record whose place in the list changes in between may be skipped or repeated.
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

/** Limits a query to the most rows of one part of a list. Throws VALIDATION_ERROR if `after` is not a position in this order. */
export function csvRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  after: string | undefined,
  order: Order,
): SelectQueryBuilder<DB, TB, Row> {
  const { most, cursor } = positionOf(after);
  const rows = inOrder(query, order).limit(most);
  return cursor === undefined ? rows : rows.where(isBehind(order, readCursor(cursor, order, 'after')));
}

/**
 * Returns the cursor and the most rows of a part. A position may begin with the number of rows that fitted into the previous part, because PostgreSQL reads all rows
 * of a statement before it sends the first: a thousand large records for the twenty that fit. Each part may have twice as many rows as the previous one.
 */
function positionOf(after: string | undefined): { most: number; cursor: string | undefined } {
  const [, fitted, cursor] = /^(\d{1,4})~(.*)$/s.exec(after ?? '') ?? [];
  return { most: Math.min(CSV_ROWS, Math.max(1, Number(fitted ?? FIRST_ROWS) * 2)), cursor: cursor ?? after };
}

/**
 * Reads one part of a CSV list, with the columns `names` and the columns that `more` computes from each row.
 *
 * @param read executes the query of `csvRows`, and no other
 */
export async function csvPart<Row extends object>(
  after: string | undefined,
  read: () => Promise<readonly Row[]>,
  order: Order,
  names: readonly (keyof Row & string)[],
  more: Readonly<Record<string, (row: Row) => string | number | null | undefined>> = {},
): Promise<CsvPart> {
  const { rows, isCut } = await readPart(CSV_BYTES, read);
  const others = Object.entries(more);
  const line = (cells: unknown[]) => csvLine(cells.map(cellOf));
  return {
    header: line([...names, ...others.map(([name]) => name)]),
    data: await mapInParts(rows, (row) =>
      line([...names.map((name) => row[name]), ...others.map(([, valueOf]) => valueOf(row))]),
    ),
    next: isCut || rows.length === positionOf(after).most ? `${rows.length}~${cursorOf(rows.at(-1)!, order)}` : null,
  };
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
