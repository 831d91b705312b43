import { writeCsv } from '../../platform/wire/csv-line.ts';
import { writeLongCsv } from '../../platform/wire/csv.ts';
import type { FileItem, MethodFile } from './method.ts';

/** Returns a file of comma-separated values, with a line of column names if `header` is not null. */
export function csvFile({
  header,
  rowOf,
}: {
  header: readonly string[] | null;
  rowOf: (item: FileItem) => string[];
}): MethodFile {
  return {
    extension: 'csv',
    render: async ({ items }) => `${header === null ? '' : writeCsv([header])}${await writeLongCsv(items, rowOf)}`,
  };
}
