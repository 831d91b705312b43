import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ScreeningMatch } from '../../../ledger/payouts/payout-screening.entity.ts';
import type { Ctx } from '../../../platform/call/context.ts';
import { type Instant, plusDays } from '../../../platform/time/instant.ts';
import type { Screener } from '../../port/screener.ts';
import { areAlike, keysOf, wordsOf } from './names.ts';

/** Days after which a list is too old, unless the same one is loaded again. */
const MOST_DAYS = 30;
/** Entries that a screening names. */
const MOST_MATCHES = 20;

export function findLists({ db }: Pick<Ctx, 'db'>): Promise<ScreeningListTable[]> {
  return db.selectFrom('screening_list').selectAll().orderBy('list').execute();
}

/** True if a list was loaded recently enough. */
export function isFresh({ loaded_at }: Pick<ScreeningListTable, 'loaded_at'>, now: Instant): boolean {
  return loaded_at > plusDays(now, -MOST_DAYS);
}

/** Compares names with the lists of authorities that the operator has loaded. Without a list, or with one that is too old, nobody is cleared. */
export const LISTS: Screener = {
  version: async (ctx) => {
    const lists = await findLists(ctx);
    const digest = createHash('sha256')
      .update(lists.map(({ list, digest: its }) => `${list} ${its}`).join())
      .digest('hex');
    return `${isUsable(lists, ctx.now) ? 'usable' : 'unusable'} ${digest.slice(0, 32)}`;
  },
  screen: async (ctx, names) => {
    const loaded = await findLists(ctx);
    const lists = loaded.map(({ list, list_date }) => ({ list, list_date }));
    if (!isUsable(loaded, ctx.now)) return { result: 'unavailable', lists, matches: [] };
    const matches = await findAlike(ctx, names);
    return { result: matches.length === 0 ? 'clear' : 'hit', lists, matches: matches.slice(0, MOST_MATCHES) };
  },
};

function isUsable(lists: readonly ScreeningListTable[], now: Instant): boolean {
  return lists.length > 0 && lists.every((list) => isFresh(list, now));
}

/** Finds the entries with a name like one of these, each once. */
async function findAlike({ db }: Pick<Ctx, 'db'>, names: readonly string[]): Promise<ScreeningMatch[]> {
  const { rows } = await sql<ScreeningMatch>`
    select list, entry, name, born from screening_name where keys && ${names.flatMap(keysOf)}::text[] order by list, entry, name`.execute(
    db,
  );
  const compared = names.map(wordsOf);
  const found = new Map<string, ScreeningMatch>();
  for (const row of rows) {
    const words = wordsOf(row.name);
    const key = `${row.list} ${row.entry}`;
    if (!found.has(key) && compared.some((own) => areAlike(own, words))) found.set(key, row);
  }
  return [...found.values()];
}

/** A list that the operator of the installation has loaded. */
export interface ScreeningListTable {
  list: string;
  /** Day of the version. */
  list_date: string;
  /** Hash of the content. */
  digest: string;
  names_count: number;
  loaded_at: Instant;
}

/** A name of a person or company on a list. */
interface ScreeningNameTable {
  list: string;
  entry: string;
  name: string;
  born: string | null;
  /** By which names that may be alike are found (`keysOf`). */
  keys: string[];
}

declare module '../../../platform/db/tables.ts' {
  interface Tables {
    screening_list: ScreeningListTable;
    screening_name: ScreeningNameTable;
  }
}
