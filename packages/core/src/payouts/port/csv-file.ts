import { writeCsv } from '../../platform/wire/csv-line.ts';
import { writeLongCsv } from '../../platform/wire/csv.ts';
import type { FileItem, MethodFile } from './method.ts';

/**
 * Returns a file of comma-separated values, with a line of column names if `header` is not null.
 *
 * @param mark the start of the file: none for a service that reads it, a byte order mark for a spreadsheet
 */
export function csvFile({
  mark = '',
  header,
  rowOf,
}: {
  mark?: string;
  header: readonly string[] | null;
  rowOf: (item: FileItem) => string[];
}): MethodFile {
  return {
    extension: 'csv',
    render: async ({ items }) => `${mark}${header === null ? '' : writeCsv([header])}${await writeLongCsv(items, rowOf)}`,
  };
}
