import { stringify } from 'csv-stringify/sync';

/**
 * Renders rows as CSV (RFC 4180): UTF-8, CRLF, quoted where needed. Cells that a spreadsheet would read as a formula, those starting with
 * `= + - @`, a tab or a carriage return, get an apostrophe in front (docs/domain-rules.md#export-formats).
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', quote_record_delimiter: true, escape_formulas: true },
  );
}

/** Whether `writeCsv` escapes the cell. That is harmless in a name, but it would change an address into another one. */
export function readsAsFormula(cell: string): boolean {
  return /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell);
}
