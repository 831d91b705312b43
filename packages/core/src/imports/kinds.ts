import { CSV_FILES } from './csv/csv-files.ts';
import type { ImportKind } from './port/import-kind.ts';
import { REWARDFUL } from './rewardful/rewardful.ts';

/** The tools from which programs move. No other file outside its folder names one. */
const KINDS: readonly ImportKind[] = [CSV_FILES, REWARDFUL];

/** Returns the kind with a name, or null. */
export function findKind(name: string): ImportKind | null {
  return KINDS.find(({ kind }) => kind === name) ?? null;
}
