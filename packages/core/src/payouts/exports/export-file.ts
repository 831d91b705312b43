import { METHODS } from '../methods/methods.ts';
import { type Prices, problemsOf, Selection } from '../methods/selection.ts';
import type { FileContent, Method, MethodFile, PayoutItem, Problem } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { type ExportFormat, kindOfFormat } from './export-formats.schema.ts';

export function methodOf(format: ExportFormat): Method & { file: MethodFile } {
  return METHODS.find(({ kind }) => kind === kindOfFormat(format)) as Method & { file: MethodFile };
}

/** Renders the file of a format. To be called only with items for which `fileProblems` reports no problem. */
export function renderFile(format: ExportFormat, content: FileContent): Promise<string> {
  return methodOf(format).file.render(content);
}

/**
 * Returns a name that tells in a folder of downloads what the file is.
 *
 * @param of the slug of the program, the month in which the export was created, and the id of the export
 */
export function fileNameOf({ slug, month, id }: { slug: string; month: string; id: string }, format: ExportFormat): string {
  return `${slug}-payouts-${month}-${kindOfFormat(format)}-${id.slice(-6)}.${methodOf(format).file.extension}`;
}

/** Returns the problem of a payout for which a file has no row left. */
function fullFile(format: ExportFormat, payoutId: string): Problem {
  const message = PAYOUT_REASONS.file_full({ format, max: methodOf(format).limits.items, payout: payoutId });
  return { payout_id: payoutId, code: 'too_many_items', message };
}

/** Returns a problem for each payout beyond the maximum number of rows in a file of this format. */
export function rowProblems(format: ExportFormat, payoutIds: readonly string[]): Problem[] {
  return payoutIds.slice(methodOf(format).limits.items).map((payoutId) => fullFile(format, payoutId));
}

/** Returns all reasons why these payouts cannot be in one file of this format. */
export function fileProblems(format: ExportFormat, items: readonly PayoutItem[]): Problem[] {
  return [
    ...rowProblems(
      format,
      items.map(({ payout_id }) => payout_id),
    ),
    ...problemsOf(methodOf(format), items),
  ];
}

/** Returns a selection of the payouts that one file of a format can pay together. */
export function selectionFor(format: ExportFormat, maxNamed: number, terms: Prices['terms']): Selection {
  // Nobody quotes the fees of files.
  return new Selection(methodOf(format), maxNamed, (payoutId) => fullFile(format, payoutId), { terms, quoteOf: () => null });
}
