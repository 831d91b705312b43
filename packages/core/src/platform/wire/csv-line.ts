/** The start of a file that people open: by it, spreadsheets recognize UTF-8. Programs that read a file may take it for text. */
export const BYTE_ORDER_MARK = '\uFEFF';

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
export function csvLine(row: readonly string[]): string {
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

/** Reports whether `writeCsv` escapes the cell. Escaping is harmless in a name, but would turn an email address into a different one. */
export function readsAsFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell);
}
