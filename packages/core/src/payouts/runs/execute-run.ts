import { countPayment } from '../../identity/connectors/count-payment.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { loadBatchAlone } from '../batches/batch-lock.ts';
import { STORED_ITEMS } from '../batches/batch.queries.ts';
import { claimForConnector } from '../batches/do-step.ts';
import { findCandidates } from '../batches/next-items.ts';
import type { BatchRow } from '../batches/payout-batch.entity.ts';
import { changeBatch, markBatchPaying } from '../batches/payout-batch.transitions.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { getRunRow, payoutRunRecord, unpaidAmountsOf } from './payout-run.queries.ts';
import type { ExecutePayoutRun } from './payout-run.schema.ts';
import { confirmRun, previewToEnd } from './preview-run.ts';
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
      const run = await loadBatchAlone(ctx, 'run', input.id);
      const isStarting = run.stage === 'prepared';
      await changeBatch(ctx, run, (draft) => startExecution(ctx, draft, input));
      if (isStarting && run.livemode && ctx.principal.kind === 'connector') {
        await claimForConnector(ctx, run.id, await findCandidates(ctx, run.id));
        await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      }
      return { id: input.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      if (run.stage === 'prepared' && run.livemode) await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      startExecution(ctx, run, input);
      if (!input.async) return previewToEnd(ctx, run, STORED_ITEMS);
      await confirmRun(ctx, run, STORED_ITEMS);
      return payoutRunRecord(ctx, run, STORED_ITEMS);
    },
    // A worker does the remaining steps.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  };
}

/** Starts the execution of a run. Changes nothing on a run that was executed before. Throws VALIDATION_ERROR on a canceled run. */
function startExecution(ctx: WriteCtx, run: BatchRow, { payment_reference }: ExecutePayoutRun): void {
  if (run.stage === 'withdrawn') throw invalid('id', PAYOUT_REASONS.run_canceled, 'invalid_state');
  if (run.stage === 'prepared') markBatchPaying(run, payment_reference ?? run.payment_reference, ctx.now);
}
