import { sql } from 'kysely';
import type { Db } from './database.ts';
import { WITHOUT_WAITING } from './prepared-statements.ts';

/**
 * Makes the statements of the transaction find rows by index. For bulk work that fills tables: a plan made while a table was empty would scan
 * it, and then all that was added since for each further row.
 */
export async function preferIndexes(db: Db): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(db);
}

const OTHER_WAYS = sql`array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']`;

/**
 * Makes the statements of the transaction look up each row by itself. For statements that change some given rows: a plan is kept, and one made while the
 * table was nearly empty would read all of it each time, until autovacuum has counted its rows. Sent together with the next statement.
 */
export async function lookUpByIndex(db: Db): Promise<void> {
  await sql`${sql.raw(WITHOUT_WAITING)} select set_config(name, ${'off'}, true) from unnest(${OTHER_WAYS}) name`.execute(db);
}
