import { writeCsv, writeLongCsv } from '../../platform/wire/csv.ts';
import type { Method, MethodFile, PayoutItem, Problem } from '../method/method.ts';
import { getMethod } from '../methods/methods.ts';
import { type ExportFormat, kindOfFormat } from './export-formats.schema.ts';

function methodOf(format: ExportFormat): Method & { file: MethodFile } {
  return getMethod(kindOfFormat(format)) as Method & { file: MethodFile };
}

/** Renders the file of a format. To be called only with items for which `problems` reports no problem. */
export async function renderFile(format: ExportFormat, items: readonly PayoutItem[]): Promise<string> {
  const { header, rowOf } = methodOf(format).file;
  return `${header === null ? '' : writeCsv([header])}${await writeLongCsv(items, rowOf)}`;
}

/** Returns the problem of a payout for which a file has no row left. */
function fullFile(format: ExportFormat, payoutId: string): Problem {
  const message = `A ${format} file holds at most ${methodOf(format).limits.items} payouts. Make another export for ${payoutId}.`;
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
    ...methodOf(format).problems(items),
  ];
}

/** A payout that a file cannot pay, with the first reason. */
export interface LeftOutItem {
  item: PayoutItem;
  problem: Problem;
}

/** Selects the payouts that one file of a format can pay together. Holds nothing but the first payout and the named ones, however many it sees. */
export class FileSelection {
  /** The first payouts that were left out, at most as many as `maxNamed`. */
  readonly leftOut: LeftOutItem[] = [];
  leftOutCount = 0;
  #includedCount = 0;
  /** Decides the currency of the file. */
  #first: PayoutItem | undefined;
  readonly #method: Method;
  readonly #format: ExportFormat;
  readonly #maxNamed: number;

  constructor(format: ExportFormat, maxNamed: number) {
    this.#format = format;
    this.#method = methodOf(format);
    this.#maxNamed = maxNamed;
  }

  /** Returns those of the next payouts that the file can pay. */
  take<Item extends PayoutItem>(items: readonly Item[]): Item[] {
    return items.filter((item) => {
      const problem = this.#problemOf(item);
      if (problem === undefined) {
        this.#first ??= item;
        this.#includedCount += 1;
        return true;
      }
      this.leftOutCount += 1;
      if (this.leftOut.length < this.#maxNamed) this.leftOut.push({ item, problem });
      return false;
    });
  }

  #problemOf(item: PayoutItem): Problem | undefined {
    const [own] = this.#method.problems([item]);
    if (own) return own;
    const [together] = this.#first ? this.#method.problems([this.#first, item]) : [];
    if (together) return together;
    return this.#includedCount < this.#method.limits.items ? undefined : fullFile(this.#format, item.payout_id);
  }
}
