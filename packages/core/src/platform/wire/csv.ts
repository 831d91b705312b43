import { mapInParts, readPart } from '@affiliate/postgres';
import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { type Order, cursorOf, inOrder, isBehind, readCursor } from './list-order.ts';

/**
 * Matches cells that a spreadsheet may read as a formula. Such a cell begins with `=`, `+`, `-` or `@`, possibly after characters that the
 * spreadsheet skips or does not show (line breaks, spaces of any kind, zero-width and control characters). A cell that begins with a tab or line
 * break also matches, because these can begin a new cell.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\p{DI}\u2800]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
/** A plain negative number. It is harmless, and an apostrophe would turn it into text that spreadsheets do not add up. */
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/** Matches the characters between the parts of a cell that a spreadsheet with semicolons as separators reads as cells of their own. */
const GAP = /[;\s\p{C}\p{DI}\u2800]+/gu;
const SEPARATOR = /[;\r\n]/;
const BEGINS_FORMULA = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Matches cells that must be quoted. */
const QUOTED = /[",\r\n]/;

/**
 * Renders a row as a line of CSV (RFC 4180): UTF-8, CRLF, quoted where needed. Cells that a spreadsheet would read as a formula get an
 * apostrophe in front, and so do such parts of a cell (docs/rules/payouts.md#export-formats).
 */
function csvLine(row: readonly string[]): string {
  const cells = row.map((cell) => {
    const parts = SEPARATOR.test(cell) ? withoutFormulas(cell) : cell;
    const text = readsAsFormula(cell) ? `'${parts}` : parts;
    return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}

/**
 * Puts an apostrophe before the formulas that follow a semicolon or a line break. Where the comma is the decimal sign, spreadsheets separate the cells
 * of a file by semicolons, and do not see the quotes of this format.
 */
function withoutFormulas(cell: string): string {
  return cell.replaceAll(GAP, (gap, at: number) =>
    SEPARATOR.test(gap) && BEGINS_FORMULA.test(cell.charAt(at + gap.length)) ? `${gap}'` : gap,
  );
}

/** Renders rows as CSV. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(csvLine).join('');
}

/** Renders many items as CSV, a row for each, in parts that let others have the processor. */
export async function writeLongCsv<Item>(items: readonly Item[], rowOf: (item: Item) => readonly string[]): Promise<string> {
  const lines = await mapInParts(items, (item) => csvLine(rowOf(item)));
  return lines.join('');
}

/** Reports whether `writeCsv` escapes the cell. Escaping is harmless in a name, but would turn an email address into a different one. */
export function readsAsFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell);
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
