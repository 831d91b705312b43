import { CSV_FILES } from './csv/csv-files.ts';
import { DUB } from './dub/dub.ts';
import { FIRST_PROMOTER } from './first_promoter/first-promoter.ts';
import { PARTNER_STACK } from './partner_stack/partner-stack.ts';
import type { ImportKind } from './port/import-kind.ts';
import { REWARDFUL } from './rewardful/rewardful.ts';
import { TOLT } from './tolt/tolt.ts';
import { type Tool, type ToolKind, TOOLS } from './tools.ts';

/** How files and each tool are read. */
const KINDS: Readonly<Record<ToolKind | 'csv', ImportKind>> = {
  csv: CSV_FILES,
  rewardful: REWARDFUL,
  first_promoter: FIRST_PROMOTER,
  tolt: TOLT,
  dub: DUB,
  partner_stack: PARTNER_STACK,
};

/** Returns the kind with a name, and its tool, which is null for files. Null if there is no such kind. */
export function findKind(name: string): (ImportKind & { tool: Tool | null }) | null {
  if (!Object.hasOwn(KINDS, name)) return null;
  const kind = name as keyof typeof KINDS;
  return { ...KINDS[kind], tool: kind === 'csv' ? null : TOOLS[kind] };
}
