import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Any constant will do, as long as every version of the service uses the same one. */
const MIGRATION_LOCK = 4_202_611_200;
const TURN_MS = 200;
const MAX_LOCK_TIMEOUTS = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Applies pending migrations while others may be using the database. Processes that start at the same time take turns; the later
 * ones find nothing to do. A migration that waited too long for a table gave way and is tried again.
 *
 * @returns the names of the migrations applied
 */
export async function migrate(database: Database): Promise<string[]> {
  return database.kysely.connection().execute(async (connection) => {
    // Asked again and again: a process that waits inside PostgreSQL holds a snapshot, for which a concurrent index build waits in turn.
    for (;;) {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`.execute(
        connection,
      );
      if (rows[0]!.locked) break;
      await sleep(TURN_MS);
    }
    try {
      return await applyPending(database);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
    }
  });
}

async function applyPending(database: Database): Promise<string[]> {
  const applied: string[] = [];
  for (let timeouts = 0; ;) {
    try {
      const [next] = await pendingMigrations(database);
      if (next === undefined) return applied;
      await database.orm.migrator.up({ to: next });
      applied.push(next);
    } catch (error) {
      if (!(error instanceof Error) || (error as Error & { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      timeouts += 1;
      if (timeouts >= MAX_LOCK_TIMEOUTS) throw error;
      await sleep(TURN_MS);
    }
  }
}

/** Names of the migrations that this code has and the database has not. Empty: ready to serve. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = await database.orm.migrator.getPending();
  return pending.map((migration) => migration.name);
}
