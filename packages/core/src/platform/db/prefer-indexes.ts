import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Makes the statements of the transaction find rows by index. For bulk work that fills tables: a plan made while a table was empty would scan
 * it, and then all that was added since for each further row.
 */
export async function preferIndexes(db: Db): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(db);
}
