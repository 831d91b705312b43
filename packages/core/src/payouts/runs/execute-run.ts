import { countPayment } from '../../identity/connectors/count-payment.ts';
import type { Services } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { advanceRun, inLanes } from './advance-run.ts';
import { loadRunAlone } from './lock-run.ts';
import { STORED_ITEMS, getRunRow, payoutRunRecord, unpaidAmountsOf } from './payout-run.queries.ts';
import type { ExecutePayoutRun } from './payout-run.schema.ts';
import { previewToEnd } from './preview-run.ts';
import { changeRun, markRunExecuting } from './payout-run.transitions.ts';
import type { RunWork } from './work-on-run.ts';

/**
 * Executes a run: checks every item again, and pays the items that pass. An item that fails gets an issue, and its payout is released. With
 * `async`, a worker does the work. If an earlier execution of the run was interrupted, continues it. If the execution has ended, returns the
 * run unchanged (docs/rules/payouts.md#payout-runs).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR on a canceled run; PAY_LIMIT_EXCEEDED
 */
export function executePayoutRun(input: ExecutePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      const run = await loadRunAlone(ctx, input.id);
      const isStarting = run.state === 'planned';
      await changeRun(ctx, run, (draft) => markRunExecuting(draft, input.payment_reference, ctx.now));
      if (isStarting && run.livemode)
        await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id, ['candidate', 'planned']));
      return { id: input.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      if (run.state === 'planned' && run.livemode)
        await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id, ['candidate', 'planned']));
      markRunExecuting(run, input.payment_reference, ctx.now);
      return input.async ? payoutRunRecord(ctx, run, STORED_ITEMS) : previewToEnd(ctx, run, STORED_ITEMS);
    },
    // A worker does the remaining steps.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  };
}

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
  await inLanes(async ({ join }) => {
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
