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

/** The statement that creates a database with the encoding UTF8, whichever encoding the server has. */
const CREATE_UNICODE = `create database affiliate encoding 'UTF8' template template0`;

export interface MigrateOptions {
  /** Names of the migrations to apply, e.g. those of a backup. Default: all. */
  only?: ReadonlySet<string>;
  /** Name of the build that migrates, which the database remembers. */
  build?: string;
  /** Called once if another process is migrating and this one waits for it. */
  onWait?: () => void;
}

/**
 * Applies pending migrations while other processes use the database. Processes that start at the same time take turns, and those that come
 * later find nothing to do. A migration that waits too long for a table lock is rolled back and retried.
 *
 * @returns the names of the migrations applied
 */
export async function migrate(limited: Database, { only, build, onWait }: MigrateOptions = {}): Promise<string[]> {
  return limited.withoutLimits(async (database) => {
    const applied = await applyInTurn(database, only, onWait);
    if (applied.length > 0 && build !== undefined) await noteBuild(database, build);
    return applied;
  });
}

async function applyInTurn(
  database: Database,
  only: ReadonlySet<string> | undefined,
  onWait: (() => void) | undefined,
): Promise<string[]> {
  return database.kysely.connection().execute(async (connection) => {
    // Polls, because a process that waits for the lock inside PostgreSQL holds a snapshot, and a concurrent index build waits for all
    // snapshots.
    for (let turns = 0; ; turns += 1) {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`.execute(
        connection,
      );
      if (rows[0]!.locked) break;
      if (turns === 0) onWait?.();
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
      const state = await schemaState(database);
      if (state.kind === 'empty') await assertUnicode(database);
      const pending = state.pending.filter((name) => only?.has(name) ?? true);
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

/** Throws unless the database stores Unicode. Otherwise PostgreSQL would count bytes as characters, and compare the cases of ASCII letters only. */
async function assertUnicode(database: Database): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(
    database.kysely,
  );
  if (rows[0]!.encoding !== 'UTF8')
    throw new Error(`Its encoding is ${rows[0]!.encoding}. Create it with the encoding UTF8: ${CREATE_UNICODE}`);
}

/** Names of all migrations of this version, in order of application. */
export function knownMigrations(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

/** The schema of a database, compared with that of this build. */
export interface SchemaState {
  /**
   * `empty`: no migration has been applied. `known`: this build knows all that have been applied. `newer`: a later build has applied more, and this
   * build can still use the schema. `other`: the first migration is not that of this build, which can neither use nor upgrade the schema.
   */
  kind: 'empty' | 'known' | 'newer' | 'other';
  /** Names of the migrations of this build that have not been applied, in order. */
  pending: string[];
  /** Names of the applied migrations that this build does not know. */
  unknown: string[];
}

/** Compares applied migrations, e.g. those of a backup, with those of this build. */
export function compareSchema(applied: readonly string[]): SchemaState {
  const known = knownMigrations();
  const unknown = applied.filter((name) => !known.includes(name));
  const pending = known.filter((name) => !applied.includes(name));
  if (applied.length === 0) return { kind: 'empty', pending, unknown };
  if (!applied.includes(known[0]!)) return { kind: 'other', pending, unknown };
  return { kind: unknown.length > 0 ? 'newer' : 'known', pending, unknown };
}

/** The schema is of a build whose first migration differs from that of this build. */
export class OtherSchemaError extends Error {
  /** Name of the first migration that this build does not know. */
  readonly migration: string;
  /** Name of the build that migrated the database last. Null if it left none. */
  readonly builtBy: string | null;

  constructor(migration: string, builtBy: string | null) {
    super(`The schema is of another build (${migration}).`);
    this.migration = migration;
    this.builtBy = builtBy;
  }
}

/**
 * Returns the state of the database's schema. The database is ready to serve when no migration is pending.
 *
 * @throws OtherSchemaError if this build can neither use nor upgrade the schema
 */
export async function schemaState(database: Database): Promise<SchemaState> {
  const { kysely } = database;
  const { rows: present } = await sql<{
    present: boolean;
  }>`select to_regclass('schema_migration') is not null as present`.execute(kysely);
  const { rows } = present[0]!.present
    ? await sql<{ name: string }>`select name from schema_migration order by id`.execute(kysely)
    : { rows: [] };
  const state = compareSchema(rows.map(({ name }) => name));
  if (state.kind === 'other') throw new OtherSchemaError(state.unknown[0]!, await schemaBuild(database));
  return state;
}

/** Name of the build that migrated the database last. Null if it is unknown, e.g. because another build has another table. */
export async function schemaBuild({ kysely }: Database): Promise<string | null> {
  const query = sql<{ name: string | null }>`select to_jsonb(installation) ->> 'schema_build' as name from installation`;
  const rows = await query.execute(kysely).then(
    (result) => result.rows,
    () => [],
  );
  return rows[0]?.name ?? null;
}

async function noteBuild({ kysely }: Database, build: string): Promise<void> {
  await sql`insert into installation (schema_build) values (${build})
    on conflict (id) do update set schema_build = excluded.schema_build`.execute(kysely);
}

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
