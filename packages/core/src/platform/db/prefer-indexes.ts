import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { WITHOUT_WAITING } from './prepared-statements.ts';

/**
 * Makes the statements of the transaction find rows by index. For bulk work that fills tables: a plan made while a table was empty would scan
 * it, and then all that was added since for each further row.
 */
export function preferIndexes(db: Db): Promise<void> {
  return turnOff(db, sql`array['enable_seqscan']`);
}

/**
 * Makes the statements of the transaction look up each row by itself. For statements that change some given rows: a plan is kept, and one made while the
 * table was nearly empty would read all of it each time, until autovacuum has counted its rows.
 */
export function lookUpByIndex(db: Db): Promise<void> {
  return turnOff(db, sql`array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']`);
}

/** Turns settings of the planner off until the end of the transaction. Sent together with the next statement. */
async function turnOff(db: Db, settings: RawBuilder<unknown>): Promise<void> {
  await sql`${sql.raw(WITHOUT_WAITING)} select set_config(name, ${'off'}, true) from unnest(${settings}) name`.execute(db);
}
