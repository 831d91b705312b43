import { type EndpointLock, type Logger, lockedEndpoint } from '@affiliate/core';
import { SocketClient } from '@affiliate/postgres';
import { Batched } from './batched.ts';

const LIMIT_MS = 3_000;

/**
 * Ends a session. If the server does not confirm the end within three seconds, destroys the connection, which may be
 * broken.
 */
async function endSession(client: SocketClient): Promise<void> {
  const limit = setTimeout(() => cutOff(client), LIMIT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}

/** Destroys the connection of a session without waiting for the server. */
function cutOff(client: SocketClient): void {
  client.socket.destroy();
}

/**
 * Makes PostgreSQL release a worker's locks 30 s after the worker's machine stopped responding: 15 s idle, then three probes, 5 s apart.
 */
const KEEPALIVE = 'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** Time limit for an answer. The statements never wait for a lock, so a longer silence means that the connection is lost. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * Name of the session of a worker's locks. The loop of a worker sends a statement over it every few seconds (`worker.ts`), so that the time of the last
 * statement shows others whether the loop runs.
 */
export const WORKER_SESSION = 'affiliate worker locks';
const END_SESSION = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and application_name = $2 and usename = current_user and pid <> pg_backend_pid()`;

const PEERS = `select from pg_stat_activity
  where datname = current_database() and application_name = any ($1) and pid <> pg_backend_pid() limit 1`;

/** SQL: key of an endpoint's advisory lock. The prefix separates it from other advisory locks of the database. */
const KEY = `hashtextextended('webhook endpoint ' || id, 0)`;
const AT_ONCE = 200;

/**
 * Ensures that one worker at a time attempts an endpoint's deliveries.
 *
 * The locks are advisory locks of one dedicated session. PostgreSQL releases them as soon as the worker dies, so no delivery waits for a
 * lease to expire, and locking writes nothing.
 *
 * If the session breaks, its locks are released, and another worker may make the same attempts at the same time. That is allowed, because
 * deliveries are "at least once".
 */
export class EndpointLocks {
  readonly #url: string;
  readonly #log: Logger;
  #session: Promise<SocketClient> | null = null;
  #client: SocketClient | null = null;
  /** Server process id of a broken session that may still hold its locks on the server. */
  #abandoned: number | null = null;
  /** Id of the session's server process. */
  #processId: number | null = null;
  #held = new Set<string>();
  #closed = false;
  readonly #locking = new Batched((ids: string[]) => this.#tryLockAll(ids), { size: AT_ONCE });
  readonly #unlocking = new Batched((ids: string[]) => this.#unlockAll(ids), { size: AT_ONCE });

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  /** Takes the lock if it is free. Returns null if another worker holds it. */
  async tryLock(endpointId: string): Promise<EndpointLock | null> {
    return (await this.#locking.add(endpointId)) ? lockedEndpoint(endpointId) : null;
  }

  /** True while this worker holds the endpoint's lock. Becomes false when the worker loses its database session. */
  holds({ endpointId }: EndpointLock): boolean {
    return this.#held.has(endpointId);
  }

  /** True if another worker is connected, which may die while it holds locks. */
  async hasPeers(): Promise<boolean> {
    return (await this.#query(PEERS, [WORKER_SESSION])).length > 0;
  }

  async unlock({ endpointId }: EndpointLock): Promise<void> {
    if (this.#held.delete(endpointId)) await this.#unlocking.add(endpointId);
  }

  /** Releases all locks. Later calls of other methods fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const session = this.#session;
    this.#dropSession();
    const client = await session?.catch(() => undefined);
    if (client) await endSession(client);
  }

  async #tryLockAll(ids: string[]): Promise<boolean[]> {
    const rows = await this.#query<{ id: string; locked: boolean }>(
      `select id, pg_try_advisory_lock(${KEY}) as locked from unnest($1::text[]) as wanted (id)`,
      ids,
    );
    const locked = new Set(rows.filter((row) => row.locked).map(({ id }) => id));
    for (const id of locked) this.#held.add(id);
    return ids.map((id) => locked.has(id));
  }

  async #unlockAll(ids: string[]): Promise<void[]> {
    await this.#query(`select pg_advisory_unlock(${KEY}) from unnest($1::text[]) as held (id)`, ids);
    return ids.map(() => undefined);
  }

  async #query<Row extends object>(text: string, values: string[]): Promise<Row[]> {
    if (this.#closed) throw new Error('The endpoint locks are closed.');
    const session = await (this.#session ??= this.#connect());
    try {
      return (await session.query<Row>(text, [values])).rows;
    } catch (error) {
      // It is unknown which locks the session still holds, so the session is given up.
      if (this.#client === session) {
        this.#abandoned = this.#processId;
        this.#dropSession();
      }
      cutOff(session);
      throw error;
    }
  }

  async #connect(): Promise<SocketClient> {
    const client = new SocketClient({
      connectionString: this.#url,
      application_name: WORKER_SESSION,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    client.on('error', (err) => this.#log.warn({ err }, 'lost the session that held the endpoint locks'));
    client.on('end', () => {
      // The end of a previous session may be reported after the next session has begun.
      if (this.#client === client) this.#dropSession();
    });
    this.#client = client;
    try {
      await client.connect();
      await client.query(KEEPALIVE);
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      this.#processId = rows[0]!.pid;
      // Ends the previous, broken session on the server. Otherwise it would keep its locks until the keepalives end it, and deliveries to
      // the locked endpoints would wait.
      if (this.#abandoned !== null) {
        await client.query(END_SESSION, [this.#abandoned, WORKER_SESSION]);
        this.#abandoned = null;
      }
      return client;
    } catch (error) {
      this.#dropSession();
      throw error;
    }
  }

  #dropSession(): void {
    this.#session = null;
    this.#client = null;
    this.#held = new Set();
  }
}
