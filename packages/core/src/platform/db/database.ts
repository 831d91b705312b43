import { Admission, holdingTurn } from './admission.ts';
import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { type Kysely, sql } from 'kysely';
import { Client, type Pool, type PoolClient, TypeOverrides } from 'pg';
import type { Constraints } from '../errors/constraints.ts';
import { instantFromDatabase } from '../time/instant.ts';
import { askOnce } from './ask-once.ts';
import { BindingDriver } from './binding-driver.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { withConnection } from './direct-statements.ts';
import { DirectEntityManager } from './direct-writes.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { preparingClient } from './prepared-statements.ts';
import { Replica } from './replica.ts';
import type { Tables } from './tables.ts';

export type Em = EntityManager;
export type Db = Kysely<Tables>;

const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const DATE = 1082;

export interface DatabaseOptions {
  url: string;
  /**
   * Connection string that bypasses the pooler, needed if `url` points to a pooler in transaction mode. Used for migrations and for look-ups of
   * sessions. The settings of sessions must then be configured at the pooler (`missingSettings`).
   */
  directUrl?: string | undefined;
  /**
   * Connection string of a streaming replica. The replica answers the reads of an account whenever it has replayed all of the account's
   * changes.
   */
  readUrl?: string | undefined;
  /** Maximum number of connections. More than four per processor core slow PostgreSQL down. */
  poolSize?: number;
  /** True if connections keep statements prepared. Default: true. Must be false behind a pooler that does not support prepared statements. */
  prepareStatements?: boolean;
  /** Maximum number of connections for background work: all of them in a process that serves no requests. Default: three eighths. */
  backgroundSize?: number;
  /** True if accounts share connections fairly and sessions have time limits. Default: true. Pass false only for migrations and benchmarks. */
  isFair?: boolean;
  /** Called with the text of every statement, for tests and debugging. */
  onQuery?: (sql: string) => void;
}

type Entities = EntitySchema[];

/** Minimum size of a pool without limits (`withoutLimits`). */
const RESERVED = 4;
const CONNECT_MS = 5_000;
const CLOSE_MS = 5_000;
const STUCK_MS = 60_000;
const ASK_MS = 3_000;
const KEEPALIVE_MS = 10_000;
/**
 * Time that a migration waits for a server that is too busy to answer new connections. Requests fail sooner, but a migration that has run for
 * minutes should not be lost.
 */
const MIGRATION_PATIENCE_MS = 60_000;

/** Settings that every session needs for correct results and stable plans. */
const REQUIRED = { timezone: 'UTC', plan_cache_mode: 'force_generic_plan' };
/** Settings of every session. With the keepalive settings, the server releases the locks of a vanished client machine after 30 s. */
const SESSION = {
  ...REQUIRED,
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};
/**
 * Time limits of a session. A transaction that waits for a lock holds a connection that others need. After 1.5 s it is therefore rolled back
 * and retried (`inTransaction`). PostgreSQL already looks for deadlocks after 1 s, so deadlocks are found first.
 */
const LIMITS = { statement_timeout: '30s', lock_timeout: '1500ms', idle_in_transaction_session_timeout: '30s' };

function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Connection pool of a process, used through the ORM for writes, and through Kysely for reads and set-based statements. */
export class Database {
  readonly orm: MikroORM;
  /** Kysely on the pool. Its statements run outside of transactions. */
  readonly kysely: Db;
  /** The errors that callers get when a unique index is violated. */
  readonly constraints: Constraints;

  readonly admission: Admission;
  /** Null if no `readUrl` is configured. */
  readonly replica: Replica | null;
  readonly #watch: ConnectionWatch;
  readonly #reopen: (limits: Limits) => Promise<Database>;
  readonly #url: string;

  private constructor(orm: MikroORM, { constraints, admission, watch, reopen, url, replica }: Parts) {
    this.orm = orm;
    this.constraints = constraints;
    this.admission = admission;
    this.#watch = watch;
    this.#reopen = reopen;
    this.#url = url;
    this.kysely = orm.em.fork().getKysely<Tables>();
    this.replica = replica && new Replica(this.kysely, replica);
  }

  /** Opens the pool. Call `openDatabase` instead, which passes the entities and constraints. */
  static async open(
    options: DatabaseOptions,
    entities: Entities,
    constraints: Constraints,
    limits: Limits = options.isFair === false ? {} : LIMITS,
  ): Promise<Database> {
    const types = new TypeOverrides();
    // Amounts of money are limited far below 2^53 (wire/scalars.ts), so numbers represent int8 columns and their sums exactly.
    types.setTypeParser(INT8, Number);
    types.setTypeParser(NUMERIC, Number);
    types.setTypeParser(TIMESTAMPTZ, instantFromDatabase);
    types.setTypeParser(DATE, String);
    const size = options.poolSize ?? 8;
    const admission = new Admission(size, options.backgroundSize);
    const watch = new ConnectionWatch(options.directUrl ?? options.url, {
      patienceMs: options.isFair === false ? MIGRATION_PATIENCE_MS : 0,
    });
    const orm = await MikroORM.init({
      clientUrl: options.url,
      ...(options.prepareStatements === false ? {} : { driver: BindingDriver }),
      entities,
      entityManager: DirectEntityManager,
      // The ORM would define accessors on every record to synchronize both sides of a relation. Records here have no relations: they hold ids.
      propagationOnPrototype: false,
      ensureDatabase: false,
      pool: { min: 0, max: size },
      driverOptions: {
        types,
        Client: watch.watching(options.prepareStatements === false ? Client : preparingClient()),
        ...(options.directUrl === undefined && { options: startupOptions({ ...SESSION, ...limits }) }),
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEPALIVE_MS,
        onPoolCreated: (pool: Pool) => {
          watch.observe(pool);
          if (options.isFair !== false) admitTo(pool, admission);
        },
      },
      extensions: [Migrator],
      migrations: {
        migrationsList: MIGRATIONS,
        tableName: 'schema_migration',
        snapshot: false,
        allOrNothing: false,
        silent: true,
      },
      ...(options.onQuery ? { debug: ['query'], logger: options.onQuery, highlighter: undefined } : {}),
    });
    // A migration needs a second connection, because the first holds the migration lock. In a small pool, fair sharing could refuse the second one,
    // so `isFair` is false.
    const { directUrl, readUrl, ...others } = { ...options, url: options.directUrl ?? options.url };
    const reopen = (sessionLimits: Limits) =>
      Database.open({ ...others, poolSize: Math.max(size, RESERVED), isFair: false }, entities, constraints, sessionLimits);
    const replica =
      readUrl === undefined ? null : await Database.open({ ...others, url: readUrl }, entities, constraints, limits);
    return new Database(orm, { constraints, admission, watch, reopen, url: options.url, replica });
  }

  /**
   * Runs `work` in one transaction with its own entity manager. Commits when `work` returns, and rolls back when it throws. `work` must flush its
   * changes.
   */
  transaction<T>(work: (em: Em, db: Db) => Promise<T>): Promise<T> {
    const em = (this.orm.em as DirectEntityManager).forTransaction();
    return em.getConnection().transactional(async (transaction) => {
      em.setTransactionContext(transaction);
      const db = em.getKysely<Tables>();
      return withConnection(db, () => holdingTurn(() => work(em, db)));
    });
  }

  /** Runs `work` on a separate pool without time limits for statements and locks. For migrations. */
  async withoutLimits<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await this.#reopen({});
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** Executes one statement outside the pool, so that a busy pool does not delay it. Throws after `limitMs`. */
  ask<Row extends object>(limitMs: number, text: string): Promise<Row[]> {
    return askOnce(this.#url, limitMs, text);
  }

  /**
   * Lists the required settings that sessions lack. Behind a pooler, the settings of sessions come from the pooler's configuration.
   *
   * @returns the missing settings, as `name = 'required value'`
   */
  async missingSettings(): Promise<string[]> {
    const { rows } = await sql<{ name: string; value: string }>`
      select name, value from jsonb_each_text(${JSON.stringify({ ...REQUIRED, ...LIMITS })}::jsonb) needed (name, value)
      where current_setting(name) <> value order by name`.execute(this.kysely);
    return rows.map(({ name, value }) => `${name} = '${value}'`);
  }

  /**
   * True if only a restart of the process helps: all connections have been in use for a minute, although the database answers. The time limits of
   * statements and idle transactions are shorter, so these connections will never be given back.
   */
  async isStuck(): Promise<boolean> {
    if (this.admission.stuckFor < STUCK_MS) return false;
    return this.ask(ASK_MS, 'select 1').then(
      () => true,
      () => false,
    );
  }

  /** Signal that is aborted when the service gives up on the database (`giveUpWhenSilent`). Everything that needs the database fails from then on. */
  get givenUp(): AbortSignal {
    return this.#watch.givenUp;
  }

  /**
   * For a process that is ending: gives up on the database after five seconds without an answer. From then on, all statements and attempts
   * to connect fail at once, instead of each waiting for its own time limit.
   */
  giveUpWhenSilent(): void {
    this.#watch.giveUpWhenSilent();
    this.replica?.giveUpWhenSilent();
  }

  /** Closes the pool when all connections have been given back. After five seconds, destroys those still in use, so that their statements fail. */
  async close(): Promise<void> {
    const limit = setTimeout(() => this.#watch.destroyAll(), CLOSE_MS);
    await Promise.all([this.replica?.close(), this.orm.close(true)]);
    clearTimeout(limit);
    this.#watch.stop();
  }
}

type Limits = Readonly<Record<string, string>>;

interface Parts {
  constraints: Constraints;
  admission: Admission;
  watch: ConnectionWatch;
  reopen: (limits: Limits) => Promise<Database>;
  url: string;
  replica: Database | null;
}

/** Makes every caller who takes a connection from the pool pass `admission` first. */
function admitTo(pool: Pool, admission: Admission): void {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  pool.connect = (async () => {
    const leave = await admission.enter();
    try {
      const client = await connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        leave();
        release(error);
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }) as Pool['connect'];
}
