import { stringify } from 'csv-stringify/sync';

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
