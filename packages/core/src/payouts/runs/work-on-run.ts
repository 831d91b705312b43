import {
  checkIdempotencyKey,
  claimIdempotencyKey,
  requestFingerprint,
  storeResponse,
} from '../../platform/idempotency/idempotency.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { type Step, inSteps } from '../../platform/call/transaction.ts';
import { advanceToEnd } from './advance-run.ts';
import { getPayoutRun } from './payout-run.queries.ts';
import type { PayoutRunRecord } from './payout-run.schema.ts';

interface RunWork {
  /** With `input`, what an Idempotency-Key of the request stands for. */
  procedure: string;
  input: unknown;
  /** With which status it answers, unless `begin` says otherwise. */
  status: 200 | 201 | 202;
  /** Decides everything, in one transaction, and says which run it is about. */
  begin: (ctx: WriteCtx) => Promise<string>;
  /** What is left to do then, in steps that may be repeated; all that the run has to do, when missing. */
  proceed?: (step: Step, runId: string) => Promise<void>;
}

/**
 * Does what a request asks of a run, in steps, and answers with the run. It begins at most once per Idempotency-Key: until
 * the response is known, the key stands for the run. The same request meanwhile, or after the process has died, joins in.
 */
export async function workOnRun(ctx: Ctx, work: RunWork): Promise<PayoutRunRecord> {
  const key = ctx.preview ? undefined : ctx.idempotencyKey;
  const fingerprint = requestFingerprint(work.procedure, work.input);
  const remember = async (part: WriteCtx, body: { id: string } | PayoutRunRecord) => {
    if (key !== undefined) await storeResponse(part, key, fingerprint, { status: ctx.reply.status ?? work.status, body });
  };
  return inSteps(ctx, async (step) => {
    const begun = await step(async (part): Promise<{ id: string } | PayoutRunRecord> => {
      const known = key === undefined ? null : await recall(part, key, fingerprint);
      if (known) return known;
      const id = await work.begin(part);
      await part.em.flush();
      await remember(part, { id });
      return { id };
    });
    if ('state' in begun) {
      ctx.reply.replayed = true;
      return begun;
    }
    await (work.proceed ?? advanceToEnd)(step, begun.id);
    ctx.reply.status ??= work.status;
    return step(async (part) => {
      const run = await getPayoutRun(part, begun.id);
      await remember(part, run);
      return run;
    });
  });
}

/** What a key stands for: the response, or the run that the request has begun to work on. Null when the key is new. */
async function recall(ctx: WriteCtx, key: string, fingerprint: string): Promise<{ id: string } | PayoutRunRecord | null> {
  checkIdempotencyKey(key);
  const stored = await claimIdempotencyKey(ctx, key, fingerprint);
  if (!stored) return null;
  ctx.reply.status = stored.status;
  return stored.body as { id: string } | PayoutRunRecord;
}
