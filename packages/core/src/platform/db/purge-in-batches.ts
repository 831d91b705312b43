import { sql } from 'kysely';
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
 */
export function purgeExpired(
  db: Db,
  { table, key = 'id', ends = 'expires_at' }: Expiring,
  now: Instant,
  mustStop?: MustStop,
): Promise<number> {
  return purgeInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(ends)} <= ${now}::timestamptz
        order by ${sql.ref(ends)} limit ${limit} for update skip locked)`.execute(db);
    return Number(numAffectedRows ?? 0);
  }, mustStop);
}
