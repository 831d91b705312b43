import { post } from '@affiliate/postgres';
import { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/**
 * Makes the following statements of the transaction find rows by index. Used for bulk work that fills tables. Otherwise, a
 * plan made for an empty table would scan the whole table each time, so each added row would make the next one slower.
 */
export function preferIndexes(db: Db): void {
  turnOff(db, ['enable_seqscan']);
}

/**
 * Makes the following statements of the transaction look up each row by index. Used for statements that change a few given rows.
 * Otherwise, a cached plan made for a nearly empty table would read the whole table each time, until autovacuum updates the statistics.
 */
export function lookUpByIndex(db: Db): void {
  turnOff(db, ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']);
}

/** Turns planner settings off until the transaction ends. */
function turnOff(db: Db, settings: readonly string[]): void {
  post(db, CompiledQuery.raw(settings.map((name) => `set local ${name} = off`).join('; ')));
}
