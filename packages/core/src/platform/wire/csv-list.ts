import { z } from 'zod';
import { MAX_ID_LENGTH } from './ids.ts';
import { writeCsv } from './csv.ts';

/** Records per part of a list as CSV. */
export const CSV_ROWS = 1_000;

/** Position of the next part of a list as CSV. Parts go on by id, newest first, so that nothing is left out while records are added. */
export const csvPosition = {
  after: z.string().max(MAX_ID_LENGTH).optional().describe('`next` of the former part. Without it, the first part.'),
};

export const CsvPart = z.object({
  header: z.string().describe('Line with the names of the columns.'),
  data: z.array(z.string()).describe('One line per record, newest first.'),
  next: z.string().nullable().describe('`after` of the next part; null after the last record.'),
});
export type CsvPart = z.infer<typeof CsvPart>;

/** One part of a list as CSV: the lines of these records, with the named columns and what `more` adds to each. */
export function csvPart<Row extends { id: string }>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
  more: Readonly<Record<string, (row: Row) => string | number | null | undefined>> = {},
): CsvPart {
  const others = Object.entries(more);
  const line = (cells: unknown[]) => writeCsv([cells.map(cellOf)]);
  return {
    header: line([...names, ...others.map(([name]) => name)]),
    data: rows.map((row) => line([...names.map((name) => row[name]), ...others.map(([, valueOf]) => valueOf(row))])),
    next: rows.length < CSV_ROWS ? null : rows.at(-1)!.id,
  };
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
