import type { Services } from '../../platform/call/context.ts';
import { inTransaction, type Step, systemContext } from '../../platform/call/transaction.ts';
import { Leftovers, mayLieInOne, workApart } from '../../platform/sweeps/work-apart.ts';
import { finishRun, finishRunIfFree } from './finish-run.ts';
import { inLanes } from './lanes.ts';
import { doBatch, failItem } from './run-batch.ts';
import { loadRunAlone } from './run-lock.ts';

/**
 * Does the remaining work of all runs: asynchronous executions, and work that a killed process has left. Does one batch of each run in
 * turn. Several processes may do this at the same time. Items on which another process is working are left to that process and the next
 * sweep.
 *
 * @param mustStop checked between batches; the work ends when it returns true
 * @throws an error that names the runs that failed, after the others have been advanced
 */
export async function advancePayoutRuns(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  const failed = new Set<string>();
  const leftovers = new Map<string, Leftovers>();
  await inLanes(async ({ join }) => {
    let isIdle: boolean;
    do {
      isIdle = true;
      const runs = (await runsWithWork(services)).filter(({ id }) => !failed.has(id));
      for (const { id, account_id } of runs) {
        if (mustStop()) return;
        const left = leftovers.get(id) ?? new Leftovers();
        leftovers.set(id, left);
        try {
          const step: Step = (part) => inTransaction(systemContext(services, account_id, id), part);
          if (await advanceRun(step, id, join, left)) isIdle = false;
        } catch (err) {
          failed.add(id);
          services.log.error({ err, payout_run_id: id, account_id }, 'payout run failed; will be continued');
        }
      }
    } while (!isIdle);
  });
  if (failed.size > 0) throw new Error(`Payout runs failed: ${[...failed].join(', ')}.`);
}

function runsWithWork({ database }: Services): Promise<{ id: string; account_id: string }[]> {
  return database.kysely
    .selectFrom('payout_run')
    .select(['id', 'account_id'])
    .where('working', '=', true)
    .orderBy('id')
    .execute();
}

/** Does all remaining work of a run, and then marks the work as ended. Several processes may do this for one run at the same time. */
export async function advanceToEnd(step: Step, runId: string): Promise<void> {
  const left = new Leftovers();
  do {
    await inLanes(async ({ join, hasFailed }) => {
      while (!hasFailed() && (await workOnBatch(step, runId, join, left)));
    });
    // A worker tries the payouts that are left again.
    if (left.ids.length > 0) return;
    // `loadRunAlone` waits only for batches of other processes, because the lanes of this process have ended.
  } while (await step(async (ctx) => finishRun(ctx, await loadRunAlone(ctx, runId))));
}

/**
 * Does the next batch of a run's work, or ends the work if nothing is left. The run and its items hold all state. If a process dies, only
 * its unfinished batches are lost, and no item is paid twice.
 *
 * @param join called if there is more work than fits into the batch
 * @returns false if other transactions are doing everything that is left
 * @throws the cause of the leftovers, once everything else is done
 */
async function advanceRun(step: Step, runId: string, join: () => void, left: Leftovers): Promise<boolean> {
  if (await workOnBatch(step, runId, join, left)) return true;
  left.throwCause();
  return step((ctx) => finishRunIfFree(ctx, runId));
}

/**
 * Does the next batch in one transaction. A batch that fails is repeated in halves, down to single items, so that a payout that fails holds up no
 * other. Its item is marked failed.
 *
 * @returns whether there was anything to do
 */
async function workOnBatch(step: Step, runId: string, join: () => void, left: Leftovers): Promise<boolean> {
  let begun: readonly string[] = [];
  const begin = (payoutIds: readonly string[]) => {
    begun = payoutIds;
  };
  try {
    return await step((ctx) => doBatch(ctx, runId, { join, begin, except: left.ids }));
  } catch (err) {
    if (begun.length === 0 || !mayLieInOne(err)) throw err;
    await workApart(begun, err, {
      work: (only) => step((ctx) => doBatch(ctx, runId, { join, only })),
      giveUp: (payoutId, cause) => giveUp(step, runId, payoutId, cause, left),
    });
    return true;
  }
}

/** Marks the item of a payout failed after an error. In a canceled run, and if that fails as well, leaves the item for the next sweep. */
async function giveUp(step: Step, runId: string, payoutId: string, err: unknown, left: Leftovers): Promise<void> {
  for (const isReleasing of [true, false]) {
    try {
      if (await step((ctx) => failItem(ctx, { runId, payoutId, err, isReleasing }))) return;
      break;
    } catch (error) {
      if (!mayLieInOne(error)) throw error;
    }
  }
  left.add(payoutId, err);
}
