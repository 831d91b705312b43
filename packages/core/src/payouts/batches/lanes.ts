import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Number of concurrent batches in a run that needs more than one. Small, because each batch keeps one processor core of PostgreSQL busy,
 * mostly with the indexes of commissions.
 */
const LANES = 2;

interface Lanes {
  /** Starts the work in another lane, unless all lanes are in use. */
  join: () => void;
  /** True if a lane has failed. */
  hasFailed: () => boolean;
}

/**
 * Runs `work` in one lane, and in further lanes at the same time when `join` is called. Waits for all lanes, then throws the first error.
 *
 * `join` may be called in a transaction. The new lane is not part of that transaction. It runs in the asynchronous context in which
 * `inLanes` was called, so it takes its own connection to the database.
 */
export async function inLanes(work: (lanes: Lanes) => Promise<void>): Promise<void> {
  const outside = AsyncLocalStorage.snapshot();
  const lanes: Promise<void>[] = [];
  const errors: unknown[] = [];
  let open = 0;
  const hasFailed = () => errors.length > 0;
  const inLane = async () => {
    open += 1;
    try {
      await work({ join, hasFailed });
    } catch (error) {
      errors.push(error);
    } finally {
      open -= 1;
    }
  };
  const join = () => {
    if (open < LANES) lanes.push(outside(inLane));
  };
  join();
  for (const lane of lanes) await lane;
  if (hasFailed()) throw errors[0];
}
