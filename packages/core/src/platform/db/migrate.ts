import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Any constant will do, as long as every version of the service uses the same one. */
const MIGRATION_LOCK = 4_202_611_200;

/** Applies pending migrations. Processes that start at the same time take turns; the later ones find nothing to do. Returns the names applied. */
export async function migrate(database: Database): Promise<string[]> {
  return database.kysely.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
    try {
      const applied = await database.orm.migrator.up();
      return applied.map((migration) => migration.name);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
    }
  });
}

/** Names of the migrations that this code has and the database has not. Empty: ready to serve. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = await database.orm.migrator.getPending();
  return pending.map((migration) => migration.name);
}
