import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

/** Advisory lock of the process that migrates. Any constant works, as long as every version of the service uses the same one. */
export const MIGRATION_LOCK = 4_202_611_200;
const TURN_MS = 200;
const MAX_LOCK_TIMEOUTS = 60;
/** Lock not available, deadlock detected: a migration gives way to the service and is tried again. */
const GIVES_WAY = ['55P03', '40P01'];

/**
 * Applies pending migrations while other processes use the database. Processes that start at the same time run one after the other; the
 * later ones find nothing to do. A migration that waits too long for a table gives way and is tried again.
 *
 * @param only the migrations to apply, e.g. those of a backup; without it, all
 * @returns the names of the migrations applied
 */
export async function migrate(limited: Database, only?: ReadonlySet<string>): Promise<string[]> {
  return limited.withoutLimits((database) => applyInTurn(database, only));
}

async function applyInTurn(database: Database, only: ReadonlySet<string> | undefined): Promise<string[]> {
  return database.kysely.connection().execute(async (connection) => {
    // Polls: a process that waits inside PostgreSQL holds a snapshot, and a concurrent index build would wait for that in turn.
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
      // Nobody else applies any, because this process holds the lock.
      const pending = (await pendingMigrations(database)).filter((name) => only?.has(name) ?? true);
      for (const next of pending) {
        await database.orm.migrator.up({ migrations: [next] });
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

/** Names of migrations that the code has and the database lacks. The database is ready to serve when it is empty. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = await database.orm.migrator.getPending();
  return pending.map((migration) => migration.name);
}

/**
 * Reports whether the database has the schema of this version. Uses a connection of its own, so it does not depend on how busy the pool is.
 *
 * @throws when the database does not answer within `limitMs`
 */
export async function isReady(database: Database, limitMs: number): Promise<boolean> {
  const applied = await database.ask<{ name: string }>(limitMs, 'select name from schema_migration');
  const names = new Set(applied.map(({ name }) => name));
  return MIGRATIONS.every(({ name }) => names.has(name));
}
