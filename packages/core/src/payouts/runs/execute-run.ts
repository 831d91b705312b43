import type { Services } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { advanceRun, inLanes } from './advance-run.ts';
import { loadRunAlone } from './lock-run.ts';
import { STORED_ITEMS, getRunRow, payoutRunRecord } from './payout-run.queries.ts';
import type { ExecutePayoutRun } from './payout-run.schema.ts';
import { previewToEnd } from './preview-run.ts';
import { markRunExecuting } from './payout-run.transitions.ts';
import type { RunWork } from './work-on-run.ts';

/**
 * Executes a run: checks every item again and pays those that pass. Items that fail become issues, and their payouts are released. With
 * `async` a worker does that. A run that was executed before is returned unchanged; an execution that was
 * interrupted continues (docs/domain-rules.md#payout-runs).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR on a canceled run
 */
export function executePayoutRun(input: ExecutePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      markRunExecuting(await loadRunAlone(ctx, input.id), input.payment_reference, ctx.now);
      return { id: input.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      markRunExecuting(run, input.payment_reference, ctx.now);
      return input.async ? payoutRunRecord(ctx, run, STORED_ITEMS) : previewToEnd(ctx, run, STORED_ITEMS);
    },
    // A worker proceeds.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  };
}

/**
 * Advances every run that has work left: asynchronous executions, and work that a killed process left behind. Runs take turns, batch by
 * batch. Several processes may do this at once. What others have in hand is left to them and to the next sweep.
 *
 * @param mustStop checked between batches
 */
export function advancePayoutRuns(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  const failed = new Set<string>();
  return inLanes(async ({ join }) => {
    let isIdle: boolean;
    do {
      isIdle = true;
      const runs = (await runsWithWork(services)).filter(({ id }) => !failed.has(id));
      for (const { id, account_id } of runs) {
        if (mustStop()) return;
        try {
          if (await advanceRun((part) => inTransaction(systemContext(services, account_id, id), part), id, join)) isIdle = false;
        } catch (err) {
          failed.add(id);
          services.log.error({ err, payout_run_id: id, account_id }, 'payout run failed; the next sweep tries again');
        }
      }
    } while (!isIdle);
  });
}

function runsWithWork({ database }: Services): Promise<{ id: string; account_id: string }[]> {
  return database.kysely
    .selectFrom('payout_run')
    .select(['id', 'account_id'])
    .where('working', '=', true)
    .orderBy('id')
    .execute();
}
