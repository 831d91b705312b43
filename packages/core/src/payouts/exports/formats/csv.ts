import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV (RFC 4180): UTF-8, CRLF, quoted where needed. Cells that a spreadsheet would take for a formula, those starting with
 * `= + - @`, a tab or a carriage return, get an apostrophe in front (docs/domain-rules.md#export-formats).
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', quote_record_delimiter: true, escape_formulas: true },
  );
}

/** Whether `writeCsv` changes the cell: harmless in a name, but an address with an apostrophe in front is somebody else's. */
export function readsAsFormula(cell: string): boolean {
  return /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell);
}
