import {
  checkIdempotencyKey,
  claimIdempotencyKey,
  requestFingerprint,
  storeResponse,
} from '../../platform/idempotency/idempotency.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { inTransaction } from '../../platform/call/transaction.ts';

/**
 * Honours the caller's Idempotency-Key around work that calls the payment provider, and so cannot sit in the transaction that
 * remembers the response. Work that came to an end is not done again; work that was interrupted is taken up by itself.
 *
 * @throws OPERATION_PENDING, VALIDATION_ERROR (a key that stands for another request), and what `work` throws
 */
export async function rememberResponse<Body>(
  ctx: Ctx,
  procedure: string,
  input: unknown,
  work: () => Promise<Body>,
): Promise<Body> {
  const key = ctx.preview ? undefined : ctx.idempotencyKey;
  if (key === undefined) return work();
  checkIdempotencyKey(key);
  const fingerprint = requestFingerprint(procedure, input);
  const stored = await inTransaction(ctx, (tx) => claimIdempotencyKey(tx, key, fingerprint));
  if (stored) {
    Object.assign(ctx.reply, { status: stored.status, replayed: true });
    return stored.body as Body;
  }
  const body = await work();
  await inTransaction(ctx, async (tx) => {
    if (await claimIdempotencyKey(tx, key, fingerprint)) return;
    await storeResponse(tx, key, fingerprint, { status: ctx.reply.status ?? 200, body });
  });
  return body;
}
