import { setTimeout } from 'node:timers/promises';
import {
  type AttemptedRound,
  type AttemptOutcome,
  type KnownHealth,
  mayLieInOne,
  recordAttempts,
  type Services,
} from '@affiliate/core';
import { Batched } from './batched.ts';

/** Maximum number of outcomes that are written together, across all endpoints. */
const AT_ONCE = 500;
/**
 * How long outcomes are collected before they are written. The endpoint's next posts are made during that time. If this time were longer,
 * more posts would be repeated after a process was killed, because unrecorded posts are repeated.
 */
const COLLECT_MS = 25;
/** Delay before each retry if an outcome cannot be written. If the last retry fails, the post stays unrecorded and will be repeated. */
const RETRY_AFTER_MS = [100, 500, 2_000];

interface Attempted {
  endpoint: KnownHealth;
  outcome: AttemptOutcome;
}

type Written = { health: KnownHealth } | { error: unknown };

/** Records the outcomes of attempts. Outcomes of many endpoints are written by one statement. */
export class AttemptRecorder {
  readonly #services: Services;
  readonly #isAbandoned: () => boolean;
  readonly #batches = new Batched((attempted: Attempted[]) => this.#write(attempted), { size: AT_ONCE, collectMs: COLLECT_MS });

  /** @param isAbandoned true after the worker stopped without waiting for running posts. Nothing may be recorded from then on. */
  constructor(services: Services, isAbandoned: () => boolean) {
    this.#services = services;
    this.#isAbandoned = isAbandoned;
  }

  /**
   * Records an outcome. Retries a few times and rejects when the last retry fails.
   *
   * @returns the receiver's health
   */
  async record(endpoint: KnownHealth, outcome: AttemptOutcome): Promise<KnownHealth> {
    for (const pause of RETRY_AFTER_MS) {
      const written = await this.#batches.add({ endpoint, outcome });
      if ('health' in written) return written.health;
      if (this.#isAbandoned()) throw written.error;
      await setTimeout(pause);
    }
    const written = await this.#batches.add({ endpoint, outcome });
    if ('health' in written) return written.health;
    throw written.error;
  }

  async #write(attempted: readonly Attempted[]): Promise<Written[]> {
    const byEndpoint = Map.groupBy(attempted, ({ endpoint }) => endpoint.id);
    const written = await this.#tryRecord([...byEndpoint.values()].map(asRound));
    // The database refused one outcome. The outcomes are written in halves, down to single ones, so that the others are recorded.
    if (attempted.length > 1 && written.some((result) => 'error' in result && mayLieInOne(result.error))) {
      const middle = attempted.length >> 1;
      return [...(await this.#write(attempted.slice(0, middle))), ...(await this.#write(attempted.slice(middle)))];
    }
    const results = new Map([...byEndpoint.keys()].map((id, index) => [id, written[index]!]));
    return attempted.map(({ endpoint }) => results.get(endpoint.id)!);
  }

  async #tryRecord(rounds: readonly AttemptedRound[]): Promise<Written[]> {
    try {
      if (this.#isAbandoned()) throw new Error('The worker has stopped.');
      const known = await recordAttempts(this.#services, rounds);
      return known.map((health) => ({ health }));
    } catch (error) {
      return rounds.map(() => ({ error }));
    }
  }
}

/** Combines the outcomes of one endpoint. The last entry has the endpoint's latest known health. */
function asRound(attempted: readonly Attempted[]): AttemptedRound {
  return { endpoint: attempted.at(-1)!.endpoint, outcomes: attempted.map(({ outcome }) => outcome) };
}
