import { type Kysely, sql } from 'kysely';
import { TypeOverrides, types as pgTypes } from 'pg';
import { Admission } from './admission.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { Pool } from './pool.ts';
import type { SentStatement } from './session.ts';
import { askOnce } from './socket-client.ts';
import { inTransaction, kyselyOf } from './transactions.ts';

export interface PostgresOptions {
  url: string;
  /**
   * Connection string that bypasses the pooler, needed if `url` points to a pooler in transaction mode. Used for look-ups of sessions. The settings
   * of sessions must then be configured at the pooler (`missingSettings`).
   */
  directUrl?: string | undefined;
  /** Maximum number of connections. More than four per processor core slow PostgreSQL down. Default: 8. */
  poolSize?: number | undefined;
  /** True if connections keep statements prepared. Default: true. Must be false behind a pooler that does not support prepared statements. */
  prepareStatements?: boolean | undefined;
  /** Maximum number of connections for background work: all of them in a process that serves no requests. Default: three eighths. */
  backgroundSize?: number | undefined;
  /** True if parties share connections fairly and sessions have time limits. Default: true. Pass false only for migrations and benchmarks. */
  isFair?: boolean | undefined;
  /** Called with every statement, for tests and debugging. */
  onStatement?: ((statement: SentStatement) => void) | undefined;
  /** Converts the text form of timestamps (session time zone UTC). */
  parseTimestamp: (text: string) => unknown;
}

/** Time limits of a session, as PostgreSQL settings. */
export type SessionLimits = Readonly<Record<string, string>>;

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
 * Time limits of a session. A transaction that waits for a lock holds a connection that others need. After 1.5 s it is therefore rolled back and
 * repeated by its caller. PostgreSQL already looks for deadlocks after 1 s, so deadlocks are found first.
 */
export const LIMITS: SessionLimits = {
  statement_timeout: '30s',
  lock_timeout: '1500ms',
  idle_in_transaction_session_timeout: '30s',
};

const { INT8, NUMERIC, TIMESTAMPTZ, DATE } = pgTypes.builtins;

/** Converts integers and decimals to numbers and timestamps by `parseTimestamp`. Dates stay text. Other types are parsed as `pg` does. */
function parsers(parseTimestamp: PostgresOptions['parseTimestamp']): TypeOverrides {
  const types = new TypeOverrides();
  // Every number that is stored must be far below 2^53, so numbers represent int8 columns and their sums exactly.
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  types.setTypeParser(TIMESTAMPTZ, parseTimestamp);
  types.setTypeParser(DATE, String);
  return types;
}

function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** The connections of a process to one PostgreSQL server. */
export class Postgres<Tables> {
  /** Kysely on the pool. Its statements run outside of transactions. */
  readonly kysely: Kysely<Tables>;
  readonly admission: Admission;
  readonly #pool: Pool;
  readonly #watch: ConnectionWatch;
  readonly #url: string;

  constructor(options: PostgresOptions, limits: SessionLimits = options.isFair === false ? {} : LIMITS) {
    const { url, directUrl, poolSize = 8, isFair = true } = options;
    this.#url = url;
    this.admission = new Admission(poolSize, options.backgroundSize);
    this.#watch = new ConnectionWatch(directUrl ?? url, { patienceMs: isFair ? 0 : MIGRATION_PATIENCE_MS });
    this.#pool = new Pool({
      client: {
        connectionString: url,
        types: parsers(options.parseTimestamp),
        ...(directUrl === undefined && { options: startupOptions({ ...SESSION, ...limits }) }),
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEPALIVE_MS,
      },
      size: poolSize,
      watch: this.#watch,
      admission: isFair ? this.admission : null,
      prepareStatements: options.prepareStatements !== false,
      onStatement: options.onStatement,
    });
    this.kysely = kyselyOf<Tables>(this.#pool);
  }

  /** Runs `work` in one transaction. Commits when `work` returns, and rolls back when it throws. */
  transaction<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return inTransaction<Tables, T>(this.#pool, work);
  }

  /** Executes one statement outside the pool, so that a busy pool does not delay it. Throws after `limitMs`. */
  ask<Row extends object>(limitMs: number, text: string): Promise<Row[]> {
    return askOnce<Row>(this.#url, limitMs, text);
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

  /** Signal that is aborted when the process gives up on the database (`giveUpWhenSilent`). Everything that needs the database fails from then on. */
  get givenUp(): AbortSignal {
    return this.#watch.givenUp;
  }

  /**
   * For a process that is ending: gives up on the database after five seconds without an answer. From then on, all statements and attempts
   * to connect fail at once, instead of each waiting for its own time limit.
   */
  giveUpWhenSilent(): void {
    this.#watch.giveUpWhenSilent();
  }

  /** Closes the pool when all connections have been given back. After five seconds, destroys those still in use, so that their statements fail. */
  async close(): Promise<void> {
    const limit = setTimeout(() => this.#watch.destroyAll(), CLOSE_MS);
    await this.#pool.end();
    clearTimeout(limit);
    this.#watch.stop();
  }
}
