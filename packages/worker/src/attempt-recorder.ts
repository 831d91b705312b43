import { type AttemptedRound, type AttemptOutcome, type KnownHealth, recordAttempts, type Services } from '@affiliate/core';
import { setTimeout } from 'node:timers/promises';
import { Batched } from './batched.ts';

/** Outcomes of all endpoints that are written together. */
const AT_ONCE = 500;
/** Nobody waits for a record: the endpoint's next posts are made meanwhile. A longer time costs the posts that a killed process makes again. */
const COLLECT_MS = 25;
/** Pauses before an outcome that could not be written is tried again. A post that is never recorded is made again. */
const RETRY_AFTER_MS = [100, 500, 2_000];

interface Attempted {
  endpoint: KnownHealth;
  outcome: AttemptOutcome;
}

type Written = { health: KnownHealth } | { error: unknown };

/** Writes the outcomes of attempts, those of many endpoints in one statement. */
export class AttemptRecorder {
  readonly #services: Services;
  readonly #isAbandoned: () => boolean;
  readonly #batches = new Batched((attempted: Attempted[]) => this.#write(attempted), { size: AT_ONCE, collectMs: COLLECT_MS });

  /** @param isAbandoned whether the worker stopped without waiting for running posts: nothing may be recorded any more */
  constructor(services: Services, isAbandoned: () => boolean) {
    this.#services = services;
    this.#isAbandoned = isAbandoned;
  }

  /**
   * Settles when the outcome is recorded, after a few tries if need be; rejects when it cannot be.
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
    const rounds = [...byEndpoint.values()].map(asRound);
    let written = await this.#tryRecord(rounds);
    // A response of one receiver must not keep the outcomes of the others from being written.
    if (written.some((result) => 'error' in result && isRefusedData(result.error)) && rounds.length > 1) {
      written = [];
      for (const round of rounds) written.push(...(await this.#tryRecord([round])));
    }
    const results = new Map(rounds.map(({ endpoint }, index) => [endpoint.id, written[index]!]));
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

/** The last outcome holds the latest health of the endpoint. */
function asRound(attempted: readonly Attempted[]): AttemptedRound {
  return { endpoint: attempted.at(-1)!.endpoint, outcomes: attempted.map(({ outcome }) => outcome) };
}

/** Data exceptions and constraint violations, which no second try can mend. */
function isRefusedData(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^2[23]\w{3}$/.test(code);
}
