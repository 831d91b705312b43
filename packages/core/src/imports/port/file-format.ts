/** The part of a day in numbers that comes first, e.g. in `01/02/2026`. */
export const DATE_ORDERS = ['day_first', 'month_first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Marks before the decimals of an amount. */
export const DECIMAL_MARKS = ['.', ','] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

const DELIMITERS = [',', ';', '\t'] as const;

/** Returns the separator that the line of headers has most of: a comma, semicolon or tab. */
export function delimiterOf(text: string): string {
  const [headers = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n|\r/, 1);
  const count = (delimiter: string) => headers.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0]!;
}

/** Returns the values of the first lines of a file, for a person who looks at its columns. */
export function firstLines(text: string, count: number): string[][] {
  const delimiter = delimiterOf(text);
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(
    new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|\\r|$)`, 'g'),
  )) {
    lines.at(-1)!.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
    if (end === delimiter) continue;
    if (end === '' || lines.length === count) break;
    lines.push([]);
  }
  return lines.filter((line) => line.some((value) => value !== ''));
}
