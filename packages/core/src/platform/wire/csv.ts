import { stringify } from 'csv-stringify/sync';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalid } from '../errors/errors.ts';
import { inOrder } from './sorting.ts';

/**
 * Matches cells that a spreadsheet may read as a formula. Such a cell begins with `=`, `+`, `-` or `@`, possibly after characters that the
 * spreadsheet skips or does not show (line breaks, spaces of any kind, zero-width and control characters). A cell that begins with a tab or line
 * break also matches, because these can begin a new cell.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\p{DI}\u2800]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
/** A plain negative number. It is harmless, and an apostrophe would turn it into text that spreadsheets do not add up. */
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * Renders rows as CSV (RFC 4180): UTF-8, CRLF, quoted where needed. Cells that a spreadsheet would read as a formula get an apostrophe in
 * front (docs/rules/payouts.md#export-formats).
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map((cell) => (readsAsFormula(cell) ? `'${cell}` : cell))),
    { record_delimiter: 'windows', quote_record_delimiter: true },
  );
}

/** Reports whether `writeCsv` escapes the cell. Escaping is harmless in a name, but would turn an email address into a different one. */
export function readsAsFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell);
}

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

/** For columns that are not sorted by their plain value, the expression to sort by, e.g. the value in lower case. By column name. */
type Folded = Readonly<Record<string, (value: RawBuilder<unknown>) => RawBuilder<unknown>>>;

/** Limits a query to one part of a list, in the order of `sort`. Throws VALIDATION_ERROR if `after` is not a position in this order. */
export function csvRows<DB, TB extends keyof DB & string, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { sort, after }: { sort: string; after?: string | undefined },
  table: TB,
  folded: Folded = {},
): SelectQueryBuilder<DB, TB, Row> {
  const column = columnOf(sort);
  const fold = folded[column] ?? ((value) => value);
  const rows = inOrder(query, sort, { [column]: fold(sql.ref(`${table}.${column}`)) }).limit(CSV_ROWS);
  if (after === undefined) return rows;
  const [, id, value] = /^([^ ]*)(?: (.*))?$/s.exec(after)!;
  const hasValue = column !== 'created_at';
  if ((value !== undefined) !== hasValue || (value !== undefined && !isValueOf(column, value)))
    throw invalid('after', 'Must be the `next` value of an earlier part of this list. Send the same `sort` as for that part.');
  const [own, last] = hasValue
    ? [sql`(${fold(sql.ref(`${table}.${column}`))}, ${sql.ref(`${table}.id`)})`, sql`(${fold(sql`${value}`)}, ${id})`]
    : [sql.ref(`${table}.id`), sql`${id}`];
  return rows.where(sort.startsWith('-') ? sql<boolean>`${own} < ${last}` : sql<boolean>`${own} > ${last}`);
}

/** Reports whether the database can compare a text with the column. */
function isValueOf(column: string, value: string): boolean {
  if (column.endsWith('_at')) return isInstant(value);
  return !column.endsWith('_cents') || /^-?\d{1,16}$/.test(value);
}

function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text;
}

function columnOf(sort: string): string {
  return sort.replace(/^-/, '');
}

/**
 * Formats the rows of `csvRows` as one part of a CSV list, with the columns `names` and the columns that `more` computes from each row.
 */
export function csvPart<Row extends { id: string }>(
  rows: readonly Row[],
  sort: string,
  names: readonly (keyof Row & string)[],
  more: Readonly<Record<string, (row: Row) => string | number | null | undefined>> = {},
): CsvPart {
  const others = Object.entries(more);
  const line = (cells: unknown[]) => writeCsv([cells.map(cellOf)]);
  return {
    header: line([...names, ...others.map(([name]) => name)]),
    data: rows.map((row) => line([...names.map((name) => row[name]), ...others.map(([, valueOf]) => valueOf(row))])),
    next: rows.length < CSV_ROWS ? null : positionOf(rows.at(-1)!, columnOf(sort)),
  };
}

/**
 * Returns the position of a row in the list: its id and, unless the list is sorted by time of creation, the value that it is sorted by.
 */
function positionOf(row: { id: string }, column: string): string {
  return column === 'created_at' ? row.id : `${row.id} ${String((row as Record<string, unknown>)[column])}`;
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
