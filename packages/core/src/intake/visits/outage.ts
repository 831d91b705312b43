import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../platform/call/context.ts';

const ANSWER_MS = 2_000;
const PROBE_MS = 250;

/** Tracks an outage: a time during which the database does not answer. */
export class Outage {
  readonly #services: Services;
  readonly #kept: () => number;
  #over: Promise<void> | null = null;
  #isStopped = false;

  /** `kept` returns the number of visits in memory, for the log. */
  constructor(services: Services, kept: () => number) {
    this.#services = services;
    this.#kept = kept;
  }

  /** A promise that settles when the database answers again; null while the database answers. */
  get over(): Promise<void> | null {
    return this.#over;
  }

  /** Starts the outage, and tests the database until it answers again. Called when the database did not answer. */
  begin(error: unknown): void {
    if (this.#over) return;
    this.#services.log.warn({ err: error }, 'the database does not answer; visits are kept in memory');
    this.#over = this.#untilItAnswers();
  }

  /** Lets the promise `over` settle soon, even if the database still does not answer. */
  stopWaiting(): void {
    this.#isStopped = true;
  }

  async #untilItAnswers(): Promise<void> {
    const { database, log } = this.#services;
    const since = performance.now();
    const answers = () =>
      database.ask(ANSWER_MS, 'select 1').then(
        () => true,
        () => false,
      );
    do await sleep(PROBE_MS, undefined, { ref: false });
    while (!this.#isStopped && !(await answers()));
    this.#over = null;
    if (this.#isStopped) return;
    const seconds = Math.round((performance.now() - since) / 1000);
    log.info({ visits: this.#kept(), seconds }, 'the database answers again; visits are written');
  }
}
