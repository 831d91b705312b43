import { randomBytes } from 'node:crypto';
import { type Client, DatabaseError, type Pool, type PoolClient } from 'pg';
import { askOnce } from './ask-once.ts';
import { ConnectionLost } from '../errors/database-failures.ts';

const NAME = 'affiliate';
const TICK_MS = 1_000;
/** After this time the server is asked whether a statement is still running. */
const SUSPECT_AFTER_MS = 2_000;
/** Look-ups in a row that must find nothing, so that an answer on its way is not mistaken for a loss. */
const MISSES = 2;
const LOOK_UP_MS = 3_000;
/** Statements fail after this time if the server does not answer look-ups either. */
const UNREACHABLE_AFTER_MS = 8_000;
/** A process that ends gives the database up when it has answered nothing for this time. */
const GIVE_UP_AFTER_MS = 5_000;

export interface WatchOptions {
  /** How long look-ups must go unanswered before statements fail. Default 0: the first unanswered look-up counts. */
  patienceMs?: number;
  /** Executes one statement outside the pool: `askOnce`, or another way in tests. */
  ask?: typeof askOnce;
}

type Query = (...given: unknown[]) => unknown;

/** The parts of a `pg` client that its types leave out. */
interface Internals {
  connection: { stream: { destroy(error?: Error): void } };
  connectionParameters: { application_name: string };
}

/** A connection of the pool, and the statement that runs on it. */
interface Watched {
  /** `application_name` of its session: poolers pass it on, and it is unique, unlike process ids behind a pooler. */
  name: string;
  destroy(): void;
  /** Null while no statement runs. */
  since: number | null;
  misses: number;
  /** In the pool, without a holder. */
  isIdle: boolean;
}

/**
 * Finds connections of a pool that no longer answer, as after a failover behind a proxy or in a network that drops packets silently. TCP
 * needs minutes to notice that.
 *
 * A statement that runs for long is looked up over another connection: a session that does not execute anything will never answer it.
 * Statements that are merely slow, or wait for a lock, are left alone. Lost connections are destroyed, so their statements fail with
 * `ConnectionLost`, and the idle connections with them, because they most likely took the same path. Their sessions are ended on the
 * server, which does not know that nobody listens any more, so that their locks are free.
 */
export class ConnectionWatch {
  readonly #url: string;
  readonly #id = randomBytes(6).toString('base64url');
  readonly #watched = new Map<object, Watched>();
  readonly #timer: NodeJS.Timeout;
  /** Names of destroyed connections whose sessions may still hold locks on the server. */
  readonly #abandoned = new Set<string>();
  readonly #patienceMs: number;
  readonly #ask: typeof askOnce;
  readonly #givenUp = new AbortController();
  /** Start of the first look-up in a row that was not answered. */
  #silentSince: number | null = null;
  #lastAnswer = -Infinity;
  #endingSince: number | null = null;
  #counter = 0;
  #isLooking = false;

  constructor(url: string, { patienceMs = 0, ask = askOnce }: WatchOptions = {}) {
    this.#url = url;
    this.#patienceMs = patienceMs;
    this.#ask = ask;
    this.#timer = setInterval(() => void this.#look(), TICK_MS);
    this.#timer.unref();
  }

  /** Aborted when every statement fails, because the database was silent while the process ended. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /**
   * Looks every second from now on whether the server answers. When neither a look-up nor a statement is answered for five seconds,
   * statements under way fail, and so does every attempt to connect that runs or comes later.
   */
  giveUpWhenSilent(): void {
    this.#endingSince ??= performance.now();
  }

  /** A subclass of `Base` whose connections are watched. */
  watching(Base: typeof Client): typeof Client {
    const all = this.#watched;
    const { givenUp } = this;
    const nextName = () => this.#nextName();
    const follow = (watched: Watched, outcome: Promise<unknown>) => this.#follow(watched, outcome);
    return class WatchedClient extends Base {
      constructor(config?: ConstructorParameters<typeof Client>[0]) {
        super(config);
        const internals = this as unknown as Internals;
        const name = nextName();
        internals.connectionParameters.application_name = name;
        const destroy = () => internals.connection.stream.destroy(new ConnectionLost());
        const watched: Watched = { name, destroy, since: null, misses: 0, isIdle: false };
        all.set(this, watched);
        this.once('end', () => all.delete(this));
        const connect = this.connect.bind(this) as (...given: unknown[]) => unknown;
        this.connect = ((...given: unknown[]) => {
          const outcome = connect(...given);
          if (givenUp.aborted) destroy();
          return outcome;
        }) as Client['connect'];
        const query = this.query.bind(this) as Query;
        this.query = ((...given: unknown[]) => {
          const outcome = query(...given);
          if (outcome instanceof Promise) follow(watched, outcome);
          return outcome;
        }) as Query as Client['query'];
      }
    };
  }

  /** Learns from the pool which connections are idle. */
  observe(pool: Pool): void {
    const setIdle = (client: PoolClient, isIdle: boolean) => {
      const watched = this.#watched.get(client);
      if (watched) watched.isIdle = isIdle;
    };
    pool.on('acquire', (client) => setIdle(client, false));
    pool.on('release', (_error, client) => setIdle(client, true));
  }

  /** Destroys every connection. Statements under way fail. */
  destroyAll(): void {
    for (const watched of this.#watched.values()) watched.destroy();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #follow(watched: Watched, outcome: Promise<unknown>): void {
    const since = performance.now();
    watched.since = since;
    watched.misses = 0;
    const end = () => {
      if (watched.since === since) watched.since = null;
    };
    const noteAnswer = () => {
      this.#lastAnswer = performance.now();
      end();
    };
    outcome.then(noteAnswer, end);
  }

  async #look(): Promise<void> {
    this.#endSilence();
    const suspects = this.#runningFor(SUSPECT_AFTER_MS);
    if (this.#isLooking || this.#givenUp.signal.aborted) return;
    if (suspects.length === 0 && this.#abandoned.size === 0 && this.#endingSince === null) {
      // There is nothing to look up, so look-ups that were not answered no longer count.
      this.#silentSince = null;
      return;
    }
    this.#isLooking = true;
    const start = performance.now();
    try {
      await this.#endAbandonedSessions();
      const busy = await this.#executing(suspects.map(({ name }) => name));
      this.#silentSince = null;
      const lost = suspects.filter((each) => each.since !== null && !busy.has(each.name) && (each.misses += 1) >= MISSES);
      if (lost.length === 0) return;
      this.#destroy(lost);
      this.#destroy([...this.#watched.values()].filter(({ isIdle }) => isIdle));
      await this.#endAbandonedSessions();
    } catch (error) {
      this.#silentSince ??= start;
      // A server that refuses the look-up may answer on the connections that it has.
      if (error instanceof DatabaseError) this.#lastAnswer = performance.now();
    } finally {
      this.#isLooking = false;
    }
  }

  /** Fails what has waited long enough for a server that answers no look-ups. */
  #endSilence(): void {
    if (this.#silentSince === null) return;
    const now = performance.now();
    if (now - this.#silentSince >= this.#patienceMs) this.#destroy(this.#runningFor(UNREACHABLE_AFTER_MS));
    if (this.#endingSince === null) return;
    if (now - Math.max(this.#silentSince, this.#lastAnswer, this.#endingSince) < GIVE_UP_AFTER_MS) return;
    this.stop();
    this.destroyAll();
    this.#givenUp.abort();
  }

  #runningFor(milliseconds: number): Watched[] {
    const now = performance.now();
    return [...this.#watched.values()].filter(({ since }) => since !== null && now - since >= milliseconds);
  }

  #destroy(lost: readonly Watched[]): void {
    for (const watched of lost) {
      watched.destroy();
      this.#abandoned.add(watched.name);
    }
  }

  /** Rejects when the server cannot be asked. */
  async #endAbandonedSessions(): Promise<void> {
    const names = [...this.#abandoned];
    if (names.length === 0) return;
    await this.#ask(
      this.#url,
      LOOK_UP_MS,
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = any ($1) and usename = current_user',
      [names],
    );
    for (const name of names) this.#abandoned.delete(name);
  }

  #nextName(): string {
    this.#counter += 1;
    return `${NAME} ${this.#id}-${this.#counter}`;
  }

  /** Finds those of these sessions that execute a statement now. Rejects when the server cannot be asked. */
  async #executing(names: readonly string[]): Promise<Set<string>> {
    const sessions = await this.#ask<{ application_name: string }>(
      this.#url,
      LOOK_UP_MS,
      `select application_name from pg_stat_activity where application_name = any ($1) and state = 'active'`,
      [names],
    );
    return new Set(sessions.map(({ application_name }) => application_name));
  }
}
