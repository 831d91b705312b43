import { AsyncLocalStorage } from 'node:async_hooks';
import type { Services } from '../../platform/call/context.ts';
import { inTransaction, type Step, systemContext } from '../../platform/call/transaction.ts';
import { Leftovers, mayLieInOne, workApart } from '../../platform/sweeps/failures.ts';
import { loadBatchAlone } from './batch.queries.ts';
import { doStep, failItem } from './do-step.ts';
import { finishBatch, finishBatchIfFree } from './finish-batch.ts';
import type { Producer } from './producer.ts';

/**
 * Does the remaining work of all batches of the producers: what requests have left to a worker, and what a killed process has left. Does one step of
 * each batch in turn. Several processes may do this at the same time. Items on which another process is working are left to that process and the next
 * sweep.
 *
 * @param mustStop checked between steps; the work ends when it returns true
 * @throws an error that names the batches that failed, after the others have been advanced
 */
export async function advanceBatches(
  services: Services,
  producers: ReadonlyMap<string, Producer>,
  mustStop: () => boolean,
): Promise<void> {
  const failed = new Set<string>();
  const leftovers = new Map<string, Leftovers>();
  await inLanes(async ({ join }) => {
    let isIdle: boolean;
    do {
      isIdle = true;
      const batches = (await batchesWithWork(services)).filter(({ id }) => !failed.has(id));
      for (const { id, account_id, kind } of batches) {
        if (mustStop()) return;
        const left = leftovers.get(id) ?? new Leftovers();
        leftovers.set(id, left);
        try {
          const step: Step = (part) => inTransaction(systemContext(services, account_id, id), part);
          if (await advanceBatch({ step, producer: producers.get(kind)!, id, left }, join)) isIdle = false;
        } catch (err) {
          failed.add(id);
          services.log.error({ err, [`payout_${kind}_id`]: id, account_id }, `payout ${kind} failed; will be continued`);
        }
      }
    } while (!isIdle);
  });
  if (failed.size > 0) throw new Error(`Batches of payouts failed: ${[...failed].join(', ')}.`);
}

function batchesWithWork({ database }: Services) {
  return database.kysely
    .selectFrom('payout_batch')
    .select(['id', 'account_id', 'kind'])
    .where('working', '=', true)
    .orderBy('id')
    .execute();
}

/** Work on a batch, with the payouts on which this process could do no work. */
interface Work {
  step: Step;
  producer: Producer;
  id: string;
  left: Leftovers;
}

/** Does all remaining work of a batch, and then marks the work as ended. Several processes may do this for one batch at the same time. */
export async function advanceToEnd(step: Step, producer: Producer, id: string): Promise<void> {
  const work = { step, producer, id, left: new Leftovers() };
  do {
    await inLanes(async ({ join, hasFailed }) => {
      while (!hasFailed() && (await workOnStep(work, join)));
    });
    // A worker tries the payouts that are left again.
    if (work.left.ids.length > 0) return;
    // `loadBatchAlone` waits only for steps of other processes, because the lanes of this process have ended.
  } while (await step(async (ctx) => finishBatch(ctx, producer, await loadBatchAlone(ctx, producer.kind, id))));
}

/** Does a number of steps of a batch, and marks the work as ended if nothing is left then. A worker does the rest. */
export async function advanceSteps(step: Step, producer: Producer, { id, steps }: { id: string; steps: number }): Promise<void> {
  const work = { step, producer, id, left: new Leftovers() };
  for (let done = 0; done < steps && (await workOnStep(work)); done += 1);
  if (work.left.ids.length > 0) return;
  await step(async (ctx) => finishBatch(ctx, producer, await loadBatchAlone(ctx, producer.kind, id)));
}

/**
 * Does the next step of a batch's work, or ends the work if nothing is left. The batch and its attempts hold all state. If a process dies, only its
 * unfinished steps are lost, and no item is paid twice.
 *
 * @param join called if there is more work than fits into the step
 * @returns false if other transactions are doing everything that is left
 * @throws the cause of the leftovers, once everything else is done
 */
async function advanceBatch(work: Work, join: () => void): Promise<boolean> {
  if (await workOnStep(work, join)) return true;
  work.left.throwCause();
  return work.step((ctx) => finishBatchIfFree(ctx, work.producer, work.id));
}

/**
 * Does the next step in one transaction. A step that fails is repeated in halves, down to single items, so that a payout that fails holds up no other.
 *
 * @returns whether there was anything to do
 */
async function workOnStep({ step, producer, id, left }: Work, join = () => {}): Promise<boolean> {
  let begun: readonly string[] = [];
  const begin = (payoutIds: readonly string[]) => {
    begun = payoutIds;
  };
  try {
    return await step((ctx) => doStep(ctx, producer, id, { join, begin, except: left.ids }));
  } catch (err) {
    if (begun.length === 0 || !mayLieInOne(err)) throw err;
    await workApart(begun, err, {
      work: (only) => step((ctx) => doStep(ctx, producer, id, { join, only })),
      giveUp: (payoutId, cause) => giveUp({ step, producer, id, left }, payoutId, cause),
    });
    return true;
  }
}

/**
 * Marks the item of a payout failed after an error. Leaves the item for the next sweep if its money was sent, in a withdrawn batch, and if that fails
 * as well.
 */
async function giveUp({ step, producer, id, left }: Work, payoutId: string, err: unknown): Promise<void> {
  for (const isReleasing of producer.wasSent ? [false] : [true, false]) {
    try {
      const hasFailed = await step((ctx) => failItem(ctx, producer, { batchId: id, payoutId, err, isReleasing }));
      if (hasFailed && !producer.wasSent) return;
      break;
    } catch (error) {
      if (!mayLieInOne(error)) throw error;
    }
  }
  left.add(payoutId, err);
}

/**
 * Number of concurrent batches in a run that needs more than one. Small, because each batch keeps one processor core of PostgreSQL busy,
 * mostly with the indexes of commissions.
 */
const LANES = 2;

interface Lanes {
  /** Starts the work in another lane, unless all lanes are in use. */
  join: () => void;
  hasFailed: () => boolean;
}

/**
 * Runs `work` in one lane, and in further lanes at the same time when `join` is called. Waits for all lanes, then throws the first error.
 *
 * `join` may be called in a transaction. The new lane is not part of that transaction. It runs in the asynchronous context in which
 * `inLanes` was called, so it takes its own connection to the database.
 */
async function inLanes(work: (lanes: Lanes) => Promise<void>): Promise<void> {
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
