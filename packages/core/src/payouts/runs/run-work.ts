import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, type Step } from '../../platform/call/transaction.ts';
import { onceInSteps, type StepwiseRequest } from '../../platform/idempotency/idempotency.ts';
import { advanceToEnd } from '../batches/advance-batches.ts';
import { STORED_ITEMS } from '../batches/batch.queries.ts';
import { getPayoutRun, getRunRow } from './payout-run.queries.ts';
import type { PayoutRunRecord } from './payout-run.schema.ts';
import { confirmRun } from './preview-run.ts';
import { RUNS } from './run-producer.ts';

/** The work that a request does on a run. */
export interface RunWork<Begun extends { id: string }> {
  /** Makes all decisions in one transaction, and returns the id of the run. */
  begin: (ctx: WriteCtx) => Promise<Begun>;
  /** Returns the run as the request would leave it, and adds its events to `ctx.preview`. Only reads. */
  preview: (ctx: WriteCtx) => Promise<PayoutRunRecord>;
  /** Does the remaining steps. May be called again after an interruption. Default: a function that does all of the run's remaining work. */
  proceed?: (step: Step, runId: string) => Promise<void>;
}

/**
 * Does a request's work on a run in steps, and returns the run. The work begins at most once per Idempotency-Key: until the
 * response is stored, the key refers to the run, and a repeated request continues the work.
 *
 * If the process dies, the rows of the run and its items say what is left to do. A worker, or the repeated request, finishes the run.
 */
export async function workOnRun<Begun extends { id: string }>(
  ctx: Ctx,
  request: StepwiseRequest<Begun>,
  { begin, preview, proceed = (step, id) => advanceToEnd(step, RUNS, id) }: RunWork<Begun>,
): Promise<PayoutRunRecord> {
  if (ctx.preview) return inTransaction(ctx, preview);
  return onceInSteps(ctx, request, {
    begin: async (tx) => {
      const begun = await begin(tx);
      if (tx.confirmation) await confirmRun(tx, await getRunRow(tx, begun.id), STORED_ITEMS);
      // Workers share the work, and finish it if this process dies.
      tx.afterCommit(() => tx.services.jobs.send('payout_batches'));
      return begun;
    },
    proceed: (step, { id }) => proceed(step, id),
    respond: (part, { id }) => getPayoutRun(part, id),
  });
}
