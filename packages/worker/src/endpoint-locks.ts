import type { Logger } from '@affiliate/core';
import { Client } from 'pg';

/** A worker whose machine is gone keeps its locks no longer than this: 15 s idle, then three probes. */
const KEEPALIVE = 'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** One key space holds the advisory locks of the whole database. */
const KEY = `hashtextextended('webhook endpoint ' || $1, 0)`;

/**
 * One worker at a time attempts an endpoint's deliveries. The lock is an advisory one of a session kept for this: PostgreSQL gives
 * it up in the moment in which the worker dies, however it dies. So no delivery waits for a lease to expire, and nothing is
 * written to take it.
 *
 * When the session breaks its locks are gone, and another worker may make the same attempts at the same time. That is within
 * "at least once".
 */
export class EndpointLocks {
  readonly #url: string;
  readonly #log: Logger;
  #session: Promise<Client> | null = null;
  #held = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  /** Whether the lock was free, and is now ours. */
  tryLock(endpointId: string): Promise<boolean> {
    return this.#inTurn(async (session) => {
      const { rows } = await session.query<{ locked: boolean }>(`select pg_try_advisory_lock(${KEY}) as locked`, [endpointId]);
      const locked = rows[0]?.locked === true;
      if (locked) this.#held.add(endpointId);
      return locked;
    });
  }

  /** False once the session that held the lock is gone. */
  holds(endpointId: string): boolean {
    return this.#held.has(endpointId);
  }

  async unlock(endpointId: string): Promise<void> {
    if (!this.#held.delete(endpointId)) return;
    await this.#inTurn((session) => session.query(`select pg_advisory_unlock(${KEY})`, [endpointId]));
  }

  /** Gives up every lock, for good. */
  async close(): Promise<void> {
    this.#closed = true;
    const session = this.#session;
    this.#forget();
    await session?.then((client) => client.end()).catch(() => undefined);
  }

  /** A session does one thing at a time. */
  #inTurn<T>(work: (session: Client) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      if (this.#closed) throw new Error('The endpoint locks are closed.');
      this.#session ??= this.#connect();
      return work(await this.#session);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #connect(): Promise<Client> {
    const client = new Client({ connectionString: this.#url, application_name: 'affiliate worker locks', keepAlive: true });
    client.on('error', (err) => this.#log.warn({ err }, 'lost the session that holds the endpoint locks'));
    client.on('end', () => this.#forget());
    try {
      await client.connect();
      await client.query(KEEPALIVE);
      return client;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#session = null;
    this.#held = new Set();
  }
}
