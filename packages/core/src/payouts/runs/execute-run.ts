import { countPayment } from '../../identity/connectors/count-payment.ts';
import { claimForConnector } from './claim-items.ts';
import { findCandidates } from './items-to-do.ts';
import { getRunRow, payoutRunRecord, unpaidAmountsOf } from './payout-run.queries.ts';
import type { ExecutePayoutRun } from './payout-run.schema.ts';
import { changeRun, markRunExecuting } from './payout-run.transitions.ts';
import { confirmRun, previewToEnd } from './preview-run.ts';
import { STORED_ITEMS } from './run-item.ts';
import { loadRunAlone } from './run-lock.ts';
import type { RunWork } from './run-work.ts';

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
      if (isStarting && run.livemode && ctx.principal.kind === 'connector') {
        await claimForConnector(ctx, run, await findCandidates(ctx, run.id));
        await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      }
      return { id: input.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      if (run.state === 'planned' && run.livemode) await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      markRunExecuting(run, input.payment_reference, ctx.now);
      if (!input.async) return previewToEnd(ctx, run, STORED_ITEMS);
      await confirmRun(ctx, run, STORED_ITEMS);
      return payoutRunRecord(ctx, run, STORED_ITEMS);
    },
    // A worker does the remaining steps.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  };
}
