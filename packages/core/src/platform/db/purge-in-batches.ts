import { type RawBuilder, sql } from 'kysely';
import { Leftovers, mayLieInOne, workApart } from '../errors/work-apart.ts';
import type { Instant } from '../time/instant.ts';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows per statement. Short statements do not block other writers of the table for long. */
const BATCH = 1_000;

/** True if a long task should stop at its next safe point. */
export type MustStop = () => boolean;

/**
 * Deletes rows batch by batch until none is left.
 *
 * @param deleteBatch deletes at most `limit` rows in one statement and returns their number
 * @param mustStop checked after each batch; if true, the remaining rows are left to the next purge
 * @returns the number of rows deleted
 */
export async function purgeInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  mustStop: MustStop = () => false,
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteBatch(BATCH);
    total += deleted;
    if (deleted < BATCH || mustStop()) return total;
  }
}

/** A table whose rows expire. */
interface Expiring {
  table: keyof Tables;
  /** The table's primary key. Default: `id`. */
  key?: string;
  /**
   * The column with the time at which a row expires. Default: `expires_at`. It has an index, so that a purge reads only the rows that it deletes.
   */
  ends?: string;
}

/**
 * Deletes expired rows, earliest first. Rows that are locked by other transactions are left to the next purge. Returns the number of rows
 * deleted.
 *
 * @throws the error of a row that cannot be deleted, after all others have been deleted
 */
export async function purgeExpired(
  db: Db,
  { table, key = 'id', ends = 'expires_at' }: Expiring,
  now: Instant,
  mustStop: MustStop = () => false,
): Promise<number> {
  const left = new Leftovers();
  const name = sql<string>`${sql.ref(key)}::text`;
  const expired = (which: RawBuilder<boolean>) => sql`
    from ${sql.table(table)} where ${sql.ref(ends)} <= ${now}::timestamptz and ${which}
    order by ${sql.ref(ends)} limit ${BATCH} for update skip locked`;
  const isNew = () => sql<boolean>`${name} <> all (${left.ids}::text[])`;
  let total = 0;
  const remove = async (which: RawBuilder<boolean>) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (select ${sql.ref(key)} ${expired(which)})`.execute(db);
    const removed = Number(numAffectedRows ?? 0);
    total += removed;
    return removed;
  };
  let found: number;
  do {
    try {
      found = await remove(isNew());
    } catch (err) {
      if (!mayLieInOne(err)) throw err;
      const { rows } = await sql<{ name: string }>`select ${name} as name ${expired(isNew())}`.execute(db);
      found = rows.length;
      if (found > 0)
        await workApart(
          rows.map((row) => row.name),
          err,
          { work: (names) => remove(sql`${name} = any (${names})`), giveUp: async (row, cause) => left.add(row, cause) },
        );
    }
  } while (found === BATCH && !mustStop());
  left.throwCause();
  return total;
}
