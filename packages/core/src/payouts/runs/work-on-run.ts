import { onceInSteps } from '../../platform/idempotency/idempotency.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Step } from '../../platform/call/transaction.ts';
import { advanceToEnd } from './advance-run.ts';
import { getPayoutRun } from './payout-run.queries.ts';
import type { PayoutRunRecord } from './payout-run.schema.ts';

interface RunWork {
  /** With `input`, what an Idempotency-Key of the request stands for. */
  procedure: string;
  input: unknown;
  /** With which status it answers, unless `begin` says otherwise. */
  status: 200 | 201 | 202;
  /** Decides everything, in one transaction, and returns the id of the run. */
  begin: (ctx: WriteCtx) => Promise<string>;
  /** The remaining steps, which may be repeated. When missing: everything that the run has left to do. */
  proceed?: (step: Step, runId: string) => Promise<void>;
}

/**
 * Does a request's work on a run in steps, and answers with the run. It begins at most once per Idempotency-Key: until the response is
 * known, the key stands for the run, and the same request joins in.
 *
 * A process that dies on the way leaves a run whose row and items say what is left to do. A worker, or the same request, finishes it.
 */
export async function workOnRun(
  ctx: Ctx,
  { procedure, input, status, begin, proceed = advanceToEnd }: RunWork,
): Promise<PayoutRunRecord> {
  return onceInSteps(
    ctx,
    { procedure, input, status },
    {
      begin: async (part) => ({ id: await begin(part) }),
      proceed: (step, { id }) => proceed(step, id),
      respond: (part, { id }) => getPayoutRun(part, id),
    },
  );
}
