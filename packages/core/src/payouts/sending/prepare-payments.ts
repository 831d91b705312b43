import { countPayment } from '../../identity/connectors/count-payment.ts';
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
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { newId } from '../../platform/wire/ids.ts';
import { assertEligible, MAX_NAMED } from '../methods/assert-eligible.ts';
import { sendingMethods } from '../methods/methods.ts';
import { candidatesOf, CHUNK, eligiblePayoutIds, type PreparedItem, preparedItems } from '../methods/prepared-items.ts';
import { Selection } from '../methods/selection.ts';
import { Totals } from '../methods/totals.ts';
import type { PreparedPayouts, PreparePayouts } from './sending.schema.ts';

/**
 * Prepares the payment of the given payouts, or of all eligible payouts of the mode, by a method whose payments the service sends. The worker sends
 * them after the commit. Those that the method cannot pay are left out.
 *
 * @throws VALIDATION_ERROR naming the given payouts that are not eligible, and for a method whose payments the service does not send; PAY_LIMIT_EXCEEDED
 */
export async function preparePayments(
  ctx: WriteCtx,
  { method: kind, payout_ids, livemode }: PreparePayouts,
): Promise<PreparedPayouts> {
  const mode = { livemode: storedModeOf(ctx, livemode) };
  const wanted = payout_ids ?? (await eligiblePayoutIds(ctx, mode));
  const held = await lockAffiliatesOfPayouts(ctx, wanted);
  if (payout_ids) await assertEligible(ctx, mode, payout_ids);
  const method = sendingMethods(ctx.services).get(kind);
  if (!method) throw invalid('method', 'The service does not send payments by this method.', 'not_found');
  const selection = new Selection(method, MAX_NAMED, (payoutId) => ({
    payout_id: payoutId,
    code: 'too_many_items',
    message: `A batch holds at most ${method.limits.items} payouts. Make another one for ${payoutId}.`,
  }));
  const items: PreparedItem[] = [];
  for await (const loaded of preparedItems(ctx, payout_ids ?? (await eligiblePayoutIds(ctx, mode, wanted))))
    items.push(...selection.take(loaded));
  const batchId = newId('payout_batch', ctx.clock.now());
  const terms = {
    method: kind,
    ...mode,
    payouts_count: items.length,
    totals: new Totals().add(items).byCurrency(),
    left_out_count: selection.leftOutCount,
    left_out: selection.leftOut.map(({ item: { affiliate_id }, problem }) => ({ ...problem, affiliate_id })),
  };
  await confirmEffect(ctx, () => ({ ...terms, items }));
  if (mode.livemode) await countPayment(ctx, batchId, terms.totals);
  createBatch(ctx, 'payment', batchId);
  for (let start = 0; start < items.length; start += CHUNK)
    await addCandidates(ctx, { batchId, method: kind }, candidatesOf(ctx, items.slice(start, start + CHUNK)));
  const ids = items.map(({ payout_id }) => payout_id);
  await claimPayouts(ctx, held, batchId, ids);
  await scheduleAttempts(ctx, batchId);
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return { batch_id: batchId, ...terms };
}
