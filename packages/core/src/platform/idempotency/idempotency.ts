/**
 * Idempotency-Key: the same request sent twice takes effect once, and both copies get the same response (docs/rules/platform.md#idempotency). A
 * mutation picks the function that fits how its work commits:
 *
 * | Function            | The work                                  | A concurrent request with the key    | The process dies                          |
 * |---------------------|-------------------------------------------|--------------------------------------|-------------------------------------------|
 * | `onceInTransaction` | One transaction                           | 409 OPERATION_PENDING, at once       | Nothing happened, or all of it            |
 * | `onceInSteps`       | Several transactions on one record        | Joins in the work on the same record | The next request continues the work       |
 * | `onceResumable`     | Calls another system, outside transactions| Also runs; `work` must use locks     | The next request resumes or repeats it    |
 *
 * In all of them:
 * - A key is 1 to 255 printable ASCII characters. A preview ignores it.
 * - A key is valid for one caller of one account, because a stored response may show a secret that no other caller may see. Stored responses are
 *   encrypted.
 * - A key stands for one request, identified by a fingerprint of the procedure and the input.
 * - Work that throws stores nothing, so the key is free again (in `onceInSteps`, unless `begin` has committed).
 * - A stored response is replayed for a day, then it is purged.
 *
 * Writes to systems outside keep their keys in a ledger with a table of its own (platform/operations/operation-ledger.ts), because an operation
 * outlives its request. The ledger shares the rules about keys, fingerprints and retention (key-rules.ts) and about replays (key-store.ts).
 */
import type { Ctx, WriteCtx } from '../call/context.ts';
import { underPrecondition } from '../call/precondition.ts';
import { type Step, inSteps, inTransaction } from '../call/transaction.ts';
import { claimOf, findStored, type Known, lockKey, replayResponse, storeUnderKey, takeKey } from './key-store.ts';

/** A request, as stored under its key. */
export interface KeyedRequest {
  procedure: string;
  input: unknown;
  /** Status of the response, unless `ctx.reply` has one. Default: 200. */
  status?: number | undefined;
}

/** A request whose status depends on the result of `begin`. */
export interface StepwiseRequest<Begun> {
  procedure: string;
  input: unknown;
  status: (begun: Begun) => number;
}

/** Work in several transactions on one record, which `begun` identifies; see `onceInSteps`. */
interface StepwiseWork<Begun, Body> {
  /** Makes all decisions in one transaction. Returns the data that the other steps need, as JSON. */
  begin: (ctx: WriteCtx) => Promise<Begun>;
  /** The remaining steps. They run again after an interruption, and may run in several processes at once. */
  proceed: (step: Step, begun: Begun) => Promise<void>;
  respond: (ctx: WriteCtx, begun: Begun) => Promise<Body>;
}

/** Stores a response under the request's key, in the caller's transaction, unless a concurrent run of the same work has stored one already. */
export type KeepResponse<Body> = (tx: WriteCtx, body: Body) => Promise<void>;

/**
 * Runs `work` and stores its response in one transaction.
 *
 * The transaction holds the key's lock until it ends. A process that dies before the commit leaves nothing behind: neither the change nor the
 * response, and the lock is gone with its connection. A process that dies after the commit has done everything except respond, and the next request
 * gets the stored response.
 *
 * @throws OPERATION_PENDING, VALIDATION_ERROR, and the errors of `work`
 */
export async function onceInTransaction<Body>(
  ctx: Ctx,
  request: KeyedRequest,
  work: (tx: WriteCtx) => Promise<Body>,
): Promise<Body> {
  const claim = claimOf(ctx, request);
  return inTransaction(ctx, async (tx) => {
    const known = await takeKey<Body, never>(tx, claim);
    if (known) return replayResponse(ctx, known);
    const body = await underPrecondition(tx, work);
    if (!claim) return body;
    await storeUnderKey(tx, claim, { finished: true, ...responseOf(ctx, request, body) });
    return body;
  });
}

/**
 * Runs work that is too large for one transaction. `begin` takes effect once per key: its result is stored under the key in the same
 * transaction. The response replaces that result when the work is done.
 *
 * The key is not locked between steps. A request that finds the work begun joins in: it also runs `proceed` on the same record, and the record's
 * locks keep the steps of both requests apart. A process that dies
 * - before `begin` has committed: leaves nothing;
 * - in `proceed`: loses its last step. The next request with the key joins in, unless a worker finishes the record first;
 * - before the response is stored: has done the work. The next request joins in, finds nothing left to do, and responds.
 *
 * @throws OPERATION_PENDING while another request with the key is in `begin`, VALIDATION_ERROR, and the errors of the work
 */
export async function onceInSteps<Begun, Body>(
  ctx: Ctx,
  request: StepwiseRequest<Begun>,
  { begin, proceed, respond }: StepwiseWork<Begun, Body>,
): Promise<Body> {
  const claim = claimOf(ctx, request);
  return inSteps(ctx, async (step) => {
    const known = await step(async (tx): Promise<Known<Body, Begun>> => {
      const earlier = await takeKey<Body, Begun>(tx, claim);
      if (earlier) return earlier;
      const begun = await begin(tx);
      const progress = { finished: false as const, status: request.status(begun), body: begun };
      await storeUnderKey(tx, claim, progress);
      return progress;
    });
    if (known.finished) return replayResponse(ctx, known);
    // The status was determined when the work began, perhaps in an earlier request.
    ctx.reply.status = known.status;
    await proceed(step, known.body);
    return step(async (tx) => {
      const body = await respond(tx, known.body);
      await storeUnderKey(tx, claim, { finished: true, status: known.status, body });
      return body;
    });
  });
}

/**
 * Runs work that calls another system, and stores its response afterwards. No transaction is open while the work runs.
 *
 * The key is locked while it is looked up and while the response is stored, but not in between. Therefore `work` must exclude concurrent runs of
 * itself, and must resume or repeat an interrupted run: a process that dies before the response is stored leaves the key free, so the next request
 * runs `work` again. If two runs both finish, the response that is stored first is kept.
 *
 * `work` passes its response to `keep` in its last transaction, so that the change and the response commit together. If `work` does not do so and the
 * process dies after the last commit but before the response is stored, the next run repeats what the first run did.
 *
 * @throws OPERATION_PENDING while another request looks up the key or stores its response, VALIDATION_ERROR, and the errors of `work`
 */
export async function onceResumable<Body>(
  ctx: Ctx,
  request: KeyedRequest,
  work: (keep: KeepResponse<Body>) => Promise<Body>,
): Promise<Body> {
  const claim = claimOf(ctx, request);
  if (!claim) return work(() => Promise.resolve());
  const known = await inTransaction(ctx, (tx) => takeKey<Body, never>(tx, claim));
  if (known) return replayResponse(ctx, known);
  let isKept = false;
  const keep: KeepResponse<Body> = async (tx, body) => {
    // Waits for the lock, because the change must not fail while another request looks up the key. A request that holds the key for its look-up
    // waits for no other lock.
    await tx.locks.subject('idempotency key', async () => {
      const key = await lockKey(tx, claim);
      if (await findStored(tx, key, claim)) return;
      await storeUnderKey(tx, claim, { finished: true, ...responseOf(ctx, request, body) });
    });
  };
  const body = await work(async (tx, response) => {
    await keep(tx, response);
    isKept = true;
  });
  if (!isKept) await inTransaction(ctx, (tx) => keep(tx, body));
  return body;
}

function responseOf<Body>(ctx: Ctx, { status = 200 }: KeyedRequest, body: Body) {
  return { status: ctx.reply.status ?? status, body };
}
