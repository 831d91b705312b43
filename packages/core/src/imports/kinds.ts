import { CSV_FILES } from './csv/csv-files.ts';
import { DUB } from './dub/dub.ts';
import { FIRST_PROMOTER } from './first_promoter/first-promoter.ts';
import type { ImportKind } from './port/import-kind.ts';
import { REWARDFUL } from './rewardful/rewardful.ts';
import { TOLT } from './tolt/tolt.ts';

/** The tools from which programs move. No other file outside its folder names one. */
const KINDS: readonly ImportKind[] = [CSV_FILES, REWARDFUL, FIRST_PROMOTER, TOLT, DUB];

/** Returns the kind with a name, or null. */
export function findKind(name: string): ImportKind | null {
  return KINDS.find(({ kind }) => kind === name) ?? null;
}
