import { post } from '@affiliate/postgres';
import { CompiledQuery, sql } from 'kysely';
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

/** Number of added rows before tables are first analyzed. With fewer rows, any plan is good enough until autovacuum analyzes the table. */
const LEAST = 5_000;

/** The services that `GrowingTables` uses. */
interface Needed {
  database: { kysely: Db };
  log: { warn(fields: object, message: string): void };
}

/**
 * Analyzes tables while bulk work fills them.
 *
 * PostgreSQL's autovacuum analyzes at most once a minute. Until then, queries are planned for the few rows that the tables had before. Lists, for
 * example, would sort all rows for a page of 25.
 *
 * The tables are analyzed each time the number of added rows has doubled: eight times for a million rows. A table whose statistics already show at
 * least as many rows as were added is skipped, because these statistics are accurate enough.
 */
export class GrowingTables {
  readonly #services: Needed;
  readonly #tables: readonly string[];
  #added = 0;
  #next = LEAST;

  constructor(services: Needed, tables: readonly string[]) {
    this.#services = services;
    this.#tables = tables;
  }

  /**
   * Counts added rows, and analyzes the tables when it is time. Call it outside of a transaction, because an analyzed table cannot be vacuumed
   * until the transaction ends.
   */
  async add(rows: number): Promise<void> {
    this.#added += rows;
    if (this.#added < this.#next) return;
    this.#next = 2 * this.#added;
    try {
      await this.#analyze(this.#added);
    } catch (err) {
      this.#services.log.warn({ err, tables: this.#tables }, 'tables were not analyzed; autovacuum will analyze them later');
    }
  }

  async #analyze(added: number): Promise<void> {
    const { kysely } = this.#services.database;
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where oid = any (${this.#tables}::regclass[]) and reltuples < ${added}`.execute(
      kysely,
    );
    if (rows.length === 0) return;
    // `skip_locked` skips tables that autovacuum is processing.
    await sql`analyze (skip_locked) ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(kysely);
  }
}
