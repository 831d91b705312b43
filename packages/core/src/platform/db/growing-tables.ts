import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Rows that must have been added before tables are analyzed. Below, any plan is good enough until autovacuum comes. */
const LEAST = 5_000;

/** The services that it needs, of those of a call. */
interface Needed {
  database: { kysely: Db };
  log: { warn(fields: object, message: string): void };
}

/**
 * Tables that bulk work fills, and analyzes meanwhile. PostgreSQL does so by itself at most once a minute. Until then lists are planned for the few
 * rows that the tables had before, and sort all that they have now for a page of 25.
 *
 * Analyzes whenever the number of added rows has doubled, and only tables that had fewer rows before: for others the known figures are near enough.
 * So a million rows are analyzed eight times.
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

  /** Call it outside of a transaction: until its end, an analyzed table could not be vacuumed. */
  async add(rows: number): Promise<void> {
    this.#added += rows;
    if (this.#added < this.#next) return;
    this.#next = 2 * this.#added;
    try {
      await this.#analyze(this.#added);
    } catch (err) {
      this.#services.log.warn({ err, tables: this.#tables }, 'tables not analyzed; autovacuum does it later');
    }
  }

  async #analyze(added: number): Promise<void> {
    const { kysely } = this.#services.database;
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where oid = any (${this.#tables}::regclass[]) and reltuples < ${added}`.execute(
      kysely,
    );
    if (rows.length === 0) return;
    // Passes over a table that autovacuum has in hand.
    await sql`analyze (skip_locked) ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(kysely);
  }
}
