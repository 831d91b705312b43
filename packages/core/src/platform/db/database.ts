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
   * Connection string that leads past a pooler in transaction mode, behind which `url` is. Migrations and look-ups of sessions use it. The
   * pooler then makes the settings of sessions (`missingSettings`).
   */
  directUrl?: string | undefined;
  /** Connection string of a streaming replica, which answers reads of accounts when it has all their changes. */
  readUrl?: string | undefined;
  /** Maximum number of connections. More than four per processor core slow PostgreSQL down. */
  poolSize?: number;
  /** Lets connections keep statements prepared. Default: true. A pooler in transaction mode may not allow it. */
  prepareStatements?: boolean;
  /** Connections that background work may use at once. All, in a process that serves no requests. Default: three of eight. */
  backgroundSize?: number;
  /** False: the first request to ask gets the next connection, and waits for locks have no time limit. For comparisons only. */
  isFair?: boolean;
  /** Called with every statement; for tests and debugging. */
  onQuery?: (sql: string) => void;
}

type Entities = EntitySchema[];

/** Connections of a pool without limits, at least. */
const RESERVED = 4;
const CONNECT_MS = 5_000;
const CLOSE_MS = 5_000;
const STUCK_MS = 60_000;
const ASK_MS = 3_000;
const KEEPALIVE_MS = 10_000;
/** A busy server may not answer a new connection for a while. A request does not wait for it, but a migration that ran for minutes is worth it. */
const MIGRATION_PATIENCE_MS = 60_000;

/**
 * Settings of every session. A statement ends after half a minute, and a lock is waited for only so long that deadlocks (looked for after
 * one second) are found first: a transaction that waits for a lock holds a connection that others need, so it gives way and tries again
 * (`inTransaction`). The server drops the locks of a machine that is gone after half a minute.
 */
const REQUIRED = { timezone: 'UTC', plan_cache_mode: 'force_generic_plan' };
const SESSION = {
  ...REQUIRED,
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};
const LIMITS = { statement_timeout: '30s', lock_timeout: '1500ms', idle_in_transaction_session_timeout: '30s' };

function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Connection pool of a process: the ORM for writes, and Kysely for reads and set-based statements. */
export class Database {
  readonly orm: MikroORM;
  /** Kysely over the pool, outside any transaction. */
  readonly kysely: Db;
  /** The errors that violations of unique indexes stand for. */
  readonly constraints: Constraints;

  readonly admission: Admission;
  /** Null without DATABASE_READ_URL. */
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

  /** Use `openDatabase`, which knows the entities and constraints of every room. */
  static async open(
    options: DatabaseOptions,
    entities: Entities,
    constraints: Constraints,
    limits: Limits = options.isFair === false ? {} : LIMITS,
  ): Promise<Database> {
    const types = new TypeOverrides();
    // Money is bounded far below 2^53 (wire/scalars.ts), so int8 and the sums of int8 columns are exact as numbers.
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
      // Accessors on every record would keep both sides of a relation in step. Records hold the ids of others instead.
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
    // One connection holds the lock of migrations while others apply them, so no share of a small pool may be refused.
    const { directUrl, readUrl, ...others } = { ...options, url: options.directUrl ?? options.url };
    const reopen = (sessionLimits: Limits) =>
      Database.open({ ...others, poolSize: Math.max(size, RESERVED), isFair: false }, entities, constraints, sessionLimits);
    const replica =
      readUrl === undefined ? null : await Database.open({ ...others, url: readUrl }, entities, constraints, limits);
    return new Database(orm, { constraints, admission, watch, reopen, url: options.url, replica });
  }

  /** Runs `work`, which flushes, in one transaction with its own entity manager. Commits when it returns, rolls back when it throws. */
  transaction<T>(work: (em: Em, db: Db) => Promise<T>): Promise<T> {
    const em = (this.orm.em as DirectEntityManager).forTransaction();
    return em.getConnection().transactional(async (transaction) => {
      em.setTransactionContext(transaction);
      const db = em.getKysely<Tables>();
      return withConnection(db, () => holdingTurn(() => work(em, db)));
    });
  }

  /** Runs `work` on a pool of its own whose statements may take as long as they need, for migrations. */
  async withoutLimits<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await this.#reopen({});
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** Executes one statement outside the pool, so that it is answered however busy the pool is. Throws after `limitMs`. */
  ask<Row extends object>(limitMs: number, text: string): Promise<Row[]> {
    return askOnce(this.#url, limitMs, text);
  }

  /**
   * Behind a pooler, sessions have the settings that the pooler makes.
   *
   * @returns the settings that differ from those that sessions need, as `name = value`
   */
  async missingSettings(): Promise<string[]> {
    const { rows } = await sql<{ name: string; value: string }>`
      select name, value from jsonb_each_text(${JSON.stringify({ ...REQUIRED, ...LIMITS })}::jsonb) needed (name, value)
      where current_setting(name) <> value order by name`.execute(this.kysely);
    return rows.map(({ name, value }) => `${name} = '${value}'`);
  }

  /**
   * Reports whether only a new process helps: all connections have been taken for a minute, although the database answers. Statements and
   * idle transactions end sooner than that, so the holders will never give them back.
   */
  async isStuck(): Promise<boolean> {
    if (this.admission.stuckFor < STUCK_MS) return false;
    return this.ask(ASK_MS, 'select 1').then(
      () => true,
      () => false,
    );
  }

  /** Aborted when the database has been given up (`giveUpWhenSilent`): nothing that needs it succeeds any more. */
  get givenUp(): AbortSignal {
    return this.#watch.givenUp;
  }

  /**
   * For a process that ends: gives the database up when it has answered nothing for five seconds. From then on statements and attempts to
   * connect fail at once, instead of one after the other, each at its own time limit.
   */
  giveUpWhenSilent(): void {
    this.#watch.giveUpWhenSilent();
    this.replica?.giveUpWhenSilent();
  }

  /** Closes the pool when the connections in use are given back. After five seconds those are destroyed, and their statements fail. */
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

/** Makes everyone who takes a connection from the pool pass through `admission` first. */
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
