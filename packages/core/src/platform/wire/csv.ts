import { stringify } from 'csv-stringify/sync';

/**
 * Matches cells that a spreadsheet reads as a formula: a sign that begins one, even after characters that it skips or does not show (line breaks, spaces
 * of any kind, zero-width and control characters), and a tab or line break, which can begin a cell of its own.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\p{DI}\u2800]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
/** A plain negative number. It has nothing to calculate, and an apostrophe would turn it into text that no column adds up. */
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * Renders rows as CSV (RFC 4180): UTF-8, CRLF, quoted where needed. Cells that a spreadsheet would read as a formula get an apostrophe in
 * front (docs/domain-rules.md#export-formats).
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map((cell) => (readsAsFormula(cell) ? `'${cell}` : cell))),
    { record_delimiter: 'windows', quote_record_delimiter: true },
  );
}

/** True if `writeCsv` escapes the cell. Escaping is harmless in a name, but it would change an address into another one. */
export function readsAsFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell);
}
