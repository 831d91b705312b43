import { randomBytes } from 'node:crypto';
import { DatabaseError } from 'pg';
import { askOnce } from './socket-client.ts';

const NAME = 'affiliate';
const TICK_MS = 1_000;
/** Running time after which a statement is suspected to be lost, and the watch queries the server whether it still runs. */
const SUSPECT_AFTER_MS = 2_000;
/**
 * A connection counts as lost when this many successive look-ups did not find its statement on the server. One is not enough, because
 * the statement's answer may be on its way.
 */
const MISSES = 2;
const LOOK_UP_MS = 3_000;
/** Running time after which a statement fails while the server does not answer look-ups. */
const UNREACHABLE_AFTER_MS = 8_000;
/** Time without an answer after which a process that is ending gives up on the database. */
const GIVE_UP_AFTER_MS = 5_000;

export interface WatchOptions {
  /** How long all look-ups must go unanswered before statements fail. Default 0: the first unanswered look-up counts. */
  patienceMs?: number;
  /** Executes one statement outside the pool. Default: `askOnce`. Tests replace it. */
  ask?: typeof askOnce;
}

/** A connection of the pool, as the watch sees it. */
export interface Watched {
  /** `application_name` of the connection's session. Unlike a process id, it is unique behind a pooler, because poolers pass it on. */
  readonly name: string;
  /** Closes the connection. Its statements fail with `ConnectionLost`. */
  readonly destroy: () => void;
  /** Start of the oldest statement without an answer, or the time of the latest answer if statements were sent together. Null while none runs. */
  runningSince: number | null;
  /** Number of statements without an answer. */
  running: number;
  misses: number;
  /** True if the connection is unused in the pool. */
  isIdle: boolean;
}

/**
 * Finds and destroys connections of a pool that no longer answer, e.g. after a failover behind a proxy, or in a network that drops
 * packets silently. TCP needs minutes to notice.
 *
 * When a statement has run for a while, the server is queried over another connection whether the session is still executing the statement.
 * If the session is not, the answer to the statement was lost. Statements that are slow or wait for a lock keep running.
 *
 * Destroying a connection makes its statement fail with `ConnectionLost`. Idle connections are destroyed together with a lost one,
 * because they most likely use the same network path. The server does not notice that a connection was destroyed, so its session is also
 * ended on the server, which releases its locks.
 */
export class ConnectionWatch {
  readonly #url: string;
  readonly #id = randomBytes(6).toString('base64url');
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;
  /** Names of destroyed connections whose sessions may still hold locks on the server. */
  readonly #abandoned = new Set<string>();
  readonly #patienceMs: number;
  readonly #ask: typeof askOnce;
  readonly #givenUp = new AbortController();
  /** Start of the earliest look-up that failed since a look-up was last answered. Null if the latest look-up was answered. */
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

  /** Signal that is aborted when the service gives up on the database (`giveUpWhenSilent`). All statements fail from then on. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /**
   * For a process that is ending: checks every second whether the server answers. After five seconds without an answer to a look-up or a
   * statement, gives up on the database: running statements and all attempts to connect, now and later, fail.
   */
  giveUpWhenSilent(): void {
    this.#endingSince ??= performance.now();
  }

  /** Watches a new connection until `forget` is called with the result. */
  watch(destroy: () => void): Watched {
    const watched: Watched = { name: this.#nextName(), destroy, runningSince: null, running: 0, misses: 0, isIdle: false };
    this.#watched.add(watched);
    return watched;
  }

  forget(watched: Watched): void {
    this.#watched.delete(watched);
  }

  /** Notes that a statement was sent on the connection. */
  noteSent(watched: Watched): void {
    watched.running += 1;
    if (watched.running === 1) this.#restart(watched);
  }

  /** Notes that a statement has ended: with a result of the server (`isAnswer`), or with an error. */
  noteEnd(watched: Watched, isAnswer: boolean): void {
    if (isAnswer) this.#lastAnswer = performance.now();
    watched.running -= 1;
    if (watched.running > 0) this.#restart(watched);
    else watched.runningSince = null;
  }

  /** Destroys every connection. Running statements fail. */
  destroyAll(): void {
    for (const watched of this.#watched) watched.destroy();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #restart(watched: Watched): void {
    watched.runningSince = performance.now();
    watched.misses = 0;
  }

  async #look(): Promise<void> {
    this.#endSilence();
    const suspects = this.#runningFor(SUSPECT_AFTER_MS);
    if (this.#isLooking || this.#givenUp.signal.aborted) return;
    if (suspects.length === 0 && this.#abandoned.size === 0 && this.#endingSince === null) {
      // No look-up is needed now, so earlier unanswered ones no longer count.
      this.#silentSince = null;
      return;
    }
    this.#isLooking = true;
    const start = performance.now();
    try {
      await this.#endAbandonedSessions();
      const busy = await this.#executing(suspects.map(({ name }) => name));
      this.#silentSince = null;
      const lost = suspects.filter((each) => each.runningSince !== null && !busy.has(each.name) && (each.misses += 1) >= MISSES);
      if (lost.length === 0) return;
      this.#destroy(lost);
      this.#destroy([...this.#watched].filter(({ isIdle }) => isIdle));
      await this.#endAbandonedSessions();
    } catch (error) {
      this.#silentSince ??= start;
      // A server that refuses a look-up with an error is alive: it may still answer on open connections.
      if (error instanceof DatabaseError) this.#lastAnswer = performance.now();
    } finally {
      this.#isLooking = false;
    }
  }

  /**
   * While the server does not answer look-ups, fails statements that have run too long. If the process is ending and the server stays silent, gives
   * up on the database.
   */
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
    return [...this.#watched].filter(({ runningSince }) => runningSince !== null && now - runningSince >= milliseconds);
  }

  #destroy(lost: readonly Watched[]): void {
    for (const watched of lost) {
      watched.destroy();
      this.#abandoned.add(watched.name);
    }
  }

  /** Ends the sessions of destroyed connections on the server. Rejects if the server does not answer. */
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

  /** Returns those of the named sessions that are executing a statement now. Rejects if the server does not answer. */
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
