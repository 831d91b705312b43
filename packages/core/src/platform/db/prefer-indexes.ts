import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { WITHOUT_WAITING } from './prepared-statements.ts';

/**
 * Makes the following statements of the transaction find rows by index. Used for bulk work that fills tables. Otherwise, a
 * plan made for an empty table would scan the whole table each time, so each added row would make the next one slower.
 */
export function preferIndexes(db: Db): Promise<void> {
  return turnOff(db, sql`array['enable_seqscan']`);
}

/**
 * Makes the following statements of the transaction look up each row by index. Used for statements that change a few given rows.
 * Otherwise, a cached plan made for a nearly empty table would read the whole table each time, until autovacuum updates the statistics.
 */
export function lookUpByIndex(db: Db): Promise<void> {
  return turnOff(db, sql`array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']`);
}

/** Turns planner settings off until the transaction ends. The statement is sent together with the next one. */
async function turnOff(db: Db, settings: RawBuilder<unknown>): Promise<void> {
  await sql`${sql.raw(WITHOUT_WAITING)} select set_config(name, ${'off'}, true) from unnest(${settings}) name`.execute(db);
}
