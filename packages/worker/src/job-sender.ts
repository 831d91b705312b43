import { setTimeout } from 'node:timers/promises';
import { JOB_KINDS, type JobKind, type Jobs, type Logger } from '@affiliate/core';
import type { PgBoss } from 'pg-boss';
import { CLOSE_WITHIN_MS, CONNECTION, disconnect, jobsOf } from './job-queues.ts';

/**
 * Pause after each send of a kind that declares none, during which further subjects are collected, so that a burst of changes causes few jobs. The first job of a burst
 * is sent at once.
 */
const PAUSE_MS = 20;
const SUBJECTS_AT_ONCE = 1_000;
/** Time without further attempts to connect after a failed one. */
const UNREACHABLE_MS = 2_000;

class NoQueues extends Error {
  constructor() {
    super('There are no job queues yet. The first worker creates them.');
  }
}

export interface JobSenderOptions {
  /** Connection string of the service's database. It must not point to a pooler in transaction mode. */
  url: string;
  log: Logger;
}

/**
 * Sends jobs for the workers (`Services.jobs`), over one connection of the process, which is opened by the first job. If a job cannot be sent, it is
 * dropped: the sweeps of the workers find its work.
 */
export class JobSender implements Jobs {
  readonly #url: string;
  readonly #log: Logger;
  readonly #waiting = new Map<JobKind, Set<string>>();
  readonly #sending = new Map<JobKind, Promise<void>>();
  readonly #closing = new AbortController();
  #boss: Promise<PgBoss> | null = null;
  #loggedError: unknown = null;

  constructor({ url, log }: JobSenderOptions) {
    this.#url = url;
    this.#log = log;
  }

  send(kind: JobKind, subjects: readonly string[] = ['']): void {
    if (subjects.length === 0 || this.#closing.signal.aborted) return;
    const waiting = this.#waiting.get(kind) ?? new Set<string>();
    this.#waiting.set(kind, waiting);
    for (const subject of subjects) waiting.add(subject);
    if (!this.#sending.has(kind)) this.#sending.set(kind, this.#sendWaiting(kind, waiting));
  }

  /**
   * Calls `look` with the connection, to inspect the queues. Returns `none` if there are no queues yet, because the first worker of an installation
   * creates them. Throws if the database cannot be reached.
   */
  async inspect<T>(look: (boss: PgBoss) => Promise<T>, none: T): Promise<T> {
    try {
      return await look(await this.#connected());
    } catch (error) {
      if (error instanceof NoQueues) return none;
      throw error;
    }
  }

  /** Sends the jobs that are still waiting, for at most three seconds, and disconnects. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#boss === null) return;
    await Promise.race([Promise.all(this.#sending.values()), setTimeout(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    const boss = await this.#boss.catch(() => null);
    if (boss) await disconnect(boss);
  }

  async #sendWaiting(kind: JobKind, waiting: Set<string>): Promise<void> {
    while (waiting.size > 0) {
      const subjects = [...waiting].slice(0, SUBJECTS_AT_ONCE);
      for (const subject of subjects) waiting.delete(subject);
      try {
        const boss = await this.#connected();
        await boss.insert(kind, jobsOf(kind, subjects));
      } catch (err) {
        // A failed attempt to connect fails every send until the next attempt, so it is logged once.
        if (err !== this.#loggedError)
          this.#log.warn(
            { err, kind, jobs: subjects.length },
            'jobs not sent; the next sweep of the workers will find their work',
          );
        this.#loggedError = err;
      }
      await setTimeout(JOB_KINDS[kind].pauseMs ?? PAUSE_MS, undefined, { signal: this.#closing.signal, ref: false }).catch(
        () => undefined,
      );
    }
    this.#sending.delete(kind);
  }

  #connected(): Promise<PgBoss> {
    return (this.#boss ??= this.#connect());
  }

  async #connect(): Promise<PgBoss> {
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      ...CONNECTION,
      connectionString: this.#url,
      application_name: 'affiliate jobs sent',
      max: 1,
      supervise: false,
      schedule: false,
      migrate: false,
    });
    boss.on('error', (err) => this.#log.warn({ err }, 'job queue error'));
    try {
      return await boss.start();
    } catch (error) {
      const isMissing = !(await boss.isInstalled().catch(() => true));
      await disconnect(boss).catch(() => undefined);
      // Attempts again later: the queue's schema may be missing until the first worker has started.
      void setTimeout(UNREACHABLE_MS, undefined, { ref: false }).then(() => (this.#boss = null));
      throw isMissing ? new NoQueues() : error;
    }
  }
}
