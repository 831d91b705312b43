import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

/**
 * Advisory lock that a process holds while it applies migrations. The number is arbitrary, but every version of the service must use the
 * same one.
 */
export const MIGRATION_LOCK = 4_202_611_200;
const TURN_MS = 200;
const MAX_LOCK_TIMEOUTS = 60;
/** Errors that occur if the service holds a lock that a migration needs: lock not available, deadlock detected. */
const GIVES_WAY = ['55P03', '40P01'];

/**
 * Applies pending migrations while other processes use the database. Processes that start at the same time take turns, and those that come
 * later find nothing to do. A migration that waits too long for a table lock is rolled back and retried.
 *
 * @param only names of the migrations to apply, e.g. those of a backup. Default: all.
 * @returns the names of the migrations applied
 */
export async function migrate(limited: Database, only?: ReadonlySet<string>): Promise<string[]> {
  return limited.withoutLimits((database) => applyInTurn(database, only));
}

async function applyInTurn(database: Database, only: ReadonlySet<string> | undefined): Promise<string[]> {
  return database.kysely.connection().execute(async (connection) => {
    // Polls, because a process that waits for the lock inside PostgreSQL holds a snapshot, and a concurrent index build waits for all
    // snapshots.
    for (;;) {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`.execute(
        connection,
      );
      if (rows[0]!.locked) break;
      await sleep(TURN_MS);
    }
    try {
      return await applyPending(database, only);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
    }
  });
}

async function applyPending(database: Database, only: ReadonlySet<string> | undefined): Promise<string[]> {
  const applied: string[] = [];
  for (let timeouts = 0; ;) {
    try {
      // This process holds the migration lock, so no other process applies migrations now.
      const pending = (await pendingMigrations(database)).filter((name) => only?.has(name) ?? true);
      for (const next of pending) {
        await (await database.orm()).migrator.up({ migrations: [next] });
        applied.push(next);
      }
      return applied;
    } catch (error) {
      if (!(error instanceof Error) || !GIVES_WAY.includes((error as Error & { code?: string }).code ?? '')) throw error;
      timeouts += 1;
      if (timeouts >= MAX_LOCK_TIMEOUTS) throw error;
      await sleep(TURN_MS);
    }
  }
}

/** Names of all migrations of this version, in order of application. */
export function knownMigrations(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

/**
 * Names of the migrations that have not been applied to the database. The database is ready to serve when there are none.
 *
 * @throws Error if the schema is older than the first migration
 */
export async function pendingMigrations({ kysely }: Database): Promise<string[]> {
  const { rows: present } = await sql<{
    present: boolean;
  }>`select to_regclass('schema_migration') is not null as present`.execute(kysely);
  const { rows } = present[0]!.present
    ? await sql<{ name: string }>`select name from schema_migration`.execute(kysely)
    : { rows: [] };
  const applied = new Set(rows.map(({ name }) => name));
  if (isBeforeBaseline([...applied])) throw new Error(BEFORE_BASELINE);
  return knownMigrations().filter((name) => !applied.has(name));
}

/**
 * True for the applied migrations of a database of a version before 0.2.0. A database that a newer version has migrated has the first migration of
 * this version.
 */
export function isBeforeBaseline(applied: readonly string[]): boolean {
  return applied.length > 0 && !applied.includes(MIGRATIONS[0]!.name);
}

/** The problem with a database or backup of a version before 0.2.0, and what to do, in one line. */
export const BEFORE_BASELINE =
  'It has the schema of a version before 0.2.0, which cannot be upgraded. Start anew with an empty database or another DATA_DIR. ' +
  'The data cannot be kept, because backups of such a version cannot be restored either.';

/**
 * True if all migrations of this version have been applied. Uses its own connection, so that a busy pool does not delay the answer.
 *
 * @throws when the database does not answer within `limitMs`
 */
export async function isReady(database: Database, limitMs: number): Promise<boolean> {
  const applied = await database.ask<{ name: string }>(limitMs, 'select name from schema_migration');
  const names = new Set(applied.map(({ name }) => name));
  return MIGRATIONS.every(({ name }) => names.has(name));
}

/**
 * True if the database accepts writes. False e.g. on a standby, and while an administrator has made the database read-only. Uses its own connection, as
 * `isReady` does.
 *
 * @throws when the database does not answer within `limitMs`
 */
export async function acceptsWrites(database: Database, limitMs: number): Promise<boolean> {
  const asked = await database.ask<{ writable: boolean }>(
    limitMs,
    `select current_setting('transaction_read_only') = 'off' as writable`,
  );
  return asked[0]!.writable;
}
