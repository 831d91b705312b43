import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { BatchMigration, IndexMigration, OnlineMigration } from './migrations/online-migration.ts';

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

/**
 * Patterns for the beginning of a migration's statement, each with the lock that the statement takes. The first match
 * counts.
 */
const LOCKS: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^(?:create (?:unique )?index|drop index) concurrently/, () => 'share update exclusive: reads and writes go on'],
  [
    /^alter table (\S+) validate constraint/,
    ([, table]) => `share update exclusive on ${table}: reads and writes go on while it is scanned`,
  ],
  [/^alter table (?:if exists )?(\S+)/, ([, table]) => `access exclusive on ${table}, for a moment`],
  [/^drop index (?:if exists )?(\S+)/, ([, index]) => `access exclusive on the table of ${index}, for a moment`],
  [/^lock table (.+) in access exclusive mode/, ([, tables]) => `access exclusive on ${tables}, for a moment`],
  [/^drop (?:table|trigger|function)/, () => 'access exclusive, for a moment'],
  [/^create trigger [\s\S]*? on (\S+)/, ([, table]) => `share row exclusive on ${table}, for a moment: writes wait`],
  [/^create (?:unique )?index \S+ on (\S+)/, ([, table]) => `share on ${table} while it is built: writes wait`],
  [
    /^create (?:unlogged )?table[\s\S]*? references /,
    () => 'share row exclusive on the referenced tables, until the migration is committed: writes wait',
  ],
  [/^(?:create (?:or replace )?(?:(?:unlogged )?table|function|sequence|domain)|alter function)/, () => 'none'],
  [
    /^do [\s\S]*? lock table (\S+) in share row exclusive/,
    ([, table]) => `share row exclusive on ${table}, for a moment in each batch: writes wait`,
  ],
  [/^(?:do|insert|update|delete|with|select)\b/, () => 'row locks, until each batch is committed'],
];

/**
 * Describes the lock that a statement takes. Returns `unknown` for a kind of statement that no migration has used yet.
 */
function lockOf(statement: string): string {
  const text = statement.trim().toLowerCase();
  for (const [pattern, describe] of LOCKS) {
    const match = pattern.exec(text);
    if (match) return describe(match);
  }
  return 'unknown';
}

export interface PlannedMigration {
  name: string;
  /** True if the service can keep running while the migration is applied, however large the tables are. */
  online: boolean;
  /**
   * How the migration is applied. `short transaction`: in one transaction, which is rolled back and retried if it waits more than a few
   * seconds for a lock. `transaction`: in one ordinary transaction. `beside writes`: outside a transaction, without blocking writes.
   * `batches`: in batches that commit separately.
   */
  way: 'short transaction' | 'transaction' | 'beside writes' | 'batches';
  statements: { sql: string; lock: string }[];
}

/**
 * Lists the pending migrations in order of application, with the locks of their statements. Changes nothing.
 *
 * @throws Error if the schema is older than the first migration
 */
export async function planMigrations(database: Database): Promise<PlannedMigration[]> {
  return describeMigrations(database, (await schemaState(database)).pending);
}

/** Lists the SQL and locks of the named migrations, whether or not they have been applied. */
export async function describeMigrations(database: Database, names: readonly string[]): Promise<PlannedMigration[]> {
  const orm = await database.orm();
  const described: PlannedMigration[] = [];
  for (const name of names) {
    const { class: Migration } = MIGRATIONS.find((each) => each.name === name)!;
    const migration = new Migration(orm.em.getDriver(), orm.config);
    // `up` only collects statements here. The only query it executes looks for invalid indexes, in an index migration.
    await Promise.resolve(migration.up());
    const statements = migration
      .getQueries()
      .filter((query) => typeof query === 'string')
      .filter((text) => !text.startsWith('set local lock_timeout'))
      .map((text) => ({ sql: text, lock: lockOf(text) }));
    const way = wayOf(migration);
    const online = way !== 'transaction' || statements.every(({ lock }) => lock === 'none');
    described.push({ name, online, way, statements });
  }
  return described;
}

function wayOf(migration: object): PlannedMigration['way'] {
  if (migration instanceof OnlineMigration) return 'short transaction';
  if (migration instanceof IndexMigration) return 'beside writes';
  return migration instanceof BatchMigration ? 'batches' : 'transaction';
}
