import {
  addCandidates,
  claimPayouts,
  createBatch,
  lockAffiliatesOfPayouts,
  scheduleAttempts,
} from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { Problem } from '../method/method.ts';
import { sendingMethods } from '../methods/methods.ts';
import { candidatesOf, CHUNK, eligiblePayoutIds, type PreparedItem, preparedItems } from '../methods/prepared-items.ts';
import { Selection } from '../methods/selection.ts';

/** Payouts that a method of the service will pay, and those that it cannot pay. */
export interface PreparedPayments {
  batch_id: string;
  payout_ids: string[];
  left_out: Problem[];
}

/**
 * Prepares the payment of the given payouts, or of all eligible payouts of the mode, by a method whose payments the service sends. The worker sends
 * them after the commit. Payouts that are not eligible are ignored, and those that the method cannot pay are left out.
 *
 * @throws VALIDATION_ERROR for a method whose payments the service does not send
 */
export async function preparePayments(
  ctx: WriteCtx,
  { method: kind, payout_ids, livemode }: { method: string; payout_ids?: readonly string[]; livemode: boolean },
): Promise<PreparedPayments> {
  const method = sendingMethods(ctx.services).get(kind);
  if (!method) throw invalid('method', 'The service does not send payments by this method.', 'not_found');
  const mode = { livemode: storedModeOf(ctx, livemode) };
  const wanted = payout_ids ?? (await eligiblePayoutIds(ctx, mode));
  const held = await lockAffiliatesOfPayouts(ctx, wanted);
  const selection = new Selection(method, Infinity, (payoutId) => ({
    payout_id: payoutId,
    code: 'too_many_items',
    message: `A batch holds at most ${method.limits.items} payouts. Make another one for ${payoutId}.`,
  }));
  const items: PreparedItem[] = [];
  for await (const loaded of preparedItems(ctx, await eligiblePayoutIds(ctx, mode, wanted)))
    items.push(...selection.take(loaded));
  const batchId = newId('payout_batch', ctx.clock.now());
  createBatch(ctx, 'payment', batchId);
  for (let start = 0; start < items.length; start += CHUNK)
    await addCandidates(ctx, { batchId, method: kind }, candidatesOf(ctx, items.slice(start, start + CHUNK)));
  const claimed = await claimPayouts(
    ctx,
    held,
    batchId,
    items.map(({ payout_id }) => payout_id),
  );
  await scheduleAttempts(ctx, batchId);
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return { batch_id: batchId, payout_ids: claimed, left_out: selection.leftOut.map(({ problem }) => problem) };
}
