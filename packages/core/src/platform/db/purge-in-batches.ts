import { sql } from 'kysely';
import type { Instant } from '../time/instant.ts';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows per statement: a short statement does not hold up calls that write the same table meanwhile. */
const BATCH = 1_000;

/** Reports whether a long piece of work should end at its next safe point. */
export type MustStop = () => boolean;

/**
 * Deletes rows batch by batch until none is left.
 *
 * @param deleteBatch deletes at most `limit` rows in one statement and returns how many
 * @param mustStop checked between batches; the next purge continues
 * @returns how many rows were deleted
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

/** A table whose rows end by themselves. */
interface Expiring {
  table: keyof Tables;
  /** Its primary key. */
  key?: string;
  /** The time at which a row ends. It has an index, so that a purge reads only the rows it deletes. */
  ends?: string;
}

/** Deletes the rows whose time is over, earliest first. Those that others are using are left to the next purge. Returns how many were deleted. */
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
