import { csvFile } from './csv-file.ts';
import type { ExportFormat } from './export-formats.ts';
import type { ExportItem, FileFormat, Problem } from './format.ts';
import { walletaFile } from './walleta-file.ts';
import { walletbFile } from './walletb-file.ts';

export const FILE_FORMATS: Record<ExportFormat, FileFormat> = { csv: csvFile, walleta: walletaFile, walletb: walletbFile };

/** Returns a problem for each payout beyond the maximum number of rows in a file of this format. */
export function rowProblems(format: ExportFormat, payoutIds: readonly string[]): Problem[] {
  const { maxRows } = FILE_FORMATS[format];
  return payoutIds.slice(maxRows).map((payout_id) => ({
    payout_id,
    code: 'too_many_rows',
    message: `A ${format} file holds at most ${maxRows} payouts, but there are ${payoutIds.length}. Leave out ${payout_id}.`,
  }));
}

/** Returns all reasons why these payouts cannot be in one file of this format. */
export function fileProblems(format: ExportFormat, items: readonly ExportItem[]): Problem[] {
  return [
    ...rowProblems(
      format,
      items.map(({ payout_id }) => payout_id),
    ),
    ...FILE_FORMATS[format].problems(items),
  ];
}
