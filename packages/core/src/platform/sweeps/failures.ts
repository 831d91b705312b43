import { databaseFailure, isStatementTimeout } from '../errors/database-failures.ts';
export interface FailureLog {
  error(fields: object, message: string): void;
}

/**
 * The failures of a sweep, so that one piece of its work, e.g. that of an account, holds up no other. Each failure is logged. The first is thrown at
 * the end, so that the job fails and is tried again.
 */
export class Failures {
  readonly #log: FailureLog;
  readonly #message: string;
  #first: { err: unknown } | null = null;

  /** @param message what was not done, for the log */
  constructor({ log }: { log: FailureLog }, message: string) {
    this.#log = log;
    this.#message = message;
  }

  /** Does one piece of the work. Returns undefined if it fails. */
  async attempt<T>(fields: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (err) {
      this.add(err, fields);
      return undefined;
    }
  }

  add(err: unknown, fields: Readonly<Record<string, unknown>>): void {
    this.#log.error({ err, ...fields }, this.#message);
    this.#first ??= { err };
  }

  /** @throws the first failure, if there is one */
  throwFirst(): void {
    if (this.#first !== null) throw this.#first.err;
  }
}

/**
 * Number of members that may fail one after the other. Then the cause does not lie in single members, and the rest waits for the next attempt at
 * the whole.
 */
const FAILURES_IN_A_ROW = 20;

/**
 * True if the failure of a transaction may lie in one of its members, so that the others may succeed without it. False if the database is
 * unreachable or another transaction held a lock for too long.
 */
export function mayLieInOne(err: unknown): boolean {
  return isStatementTimeout(err) || databaseFailure(err) === null;
}

/** The work of a batch, by the ids of its members. */
interface ApartWork {
  /** Does the work of some members in one transaction. */
  work: (ids: readonly string[]) => Promise<unknown>;
  /** Handles a member whose work failed although it was tried without the others. */
  giveUp: (id: string, err: unknown) => Promise<void>;
}

/**
 * Repeats the work of a batch that failed, in halves and down to single members, so that a member that fails holds up no other.
 *
 * @param err the failure of the whole batch
 * @throws the failure of a database that is unreachable, and the last failure after 20 members have failed in a row
 */
export async function workApart(ids: readonly string[], err: unknown, { work, giveUp }: ApartWork): Promise<void> {
  let inARow = 0;
  const repeat = async (failed: readonly string[], cause: unknown): Promise<void> => {
    if (failed.length === 1) {
      inARow += 1;
      await giveUp(failed[0]!, cause);
      if (inARow >= FAILURES_IN_A_ROW) throw cause;
      return;
    }
    const middle = failed.length >> 1;
    for (const half of [failed.slice(0, middle), failed.slice(middle)]) {
      try {
        await work(half);
        inARow = 0;
      } catch (error) {
        if (!mayLieInOne(error)) throw error;
        await repeat(half, error);
      }
    }
  };
  await repeat(ids, err);
}

/** The members on which this process could do no work, and the first cause. The next sweep tries them again. */
export class Leftovers {
  readonly ids: string[] = [];
  #cause: unknown = null;

  add(id: string, err: unknown): void {
    this.ids.push(id);
    this.#cause ??= err;
  }

  /** @throws the first cause, if there are leftovers */
  throwCause(): void {
    if (this.ids.length > 0) throw this.#cause;
  }
}
