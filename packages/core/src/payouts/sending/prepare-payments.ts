import { countPayment } from '../../identity/connectors/count-payment.ts';
import { scheduleAttempts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { newId } from '../../platform/wire/ids.ts';
import { choosePayouts, createPrepared } from '../batches/prepare-batch.ts';
import { MAX_NAMED } from '../methods/assert-eligible.ts';
import { sendingMethods } from '../methods/methods.ts';
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
  let selection!: Selection;
  const { items, held } = await choosePayouts(
    ctx,
    { payout_ids, ...mode, isLocking: true },
    () => (selection = selectionFor(ctx, kind)),
  );
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
  const batch = { id: batchId, kind: 'payment' as const, method: kind, ...mode, stage: 'paying' as const };
  await createPrepared(ctx, held!, { ...batch, payouts_count: items.length }, items);
  await scheduleAttempts(ctx, batchId);
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return { batch_id: batchId, ...terms };
}

/** Returns the selection of the payouts that a method can pay. Throws VALIDATION_ERROR for a method whose payments the service does not send. */
function selectionFor(ctx: WriteCtx, kind: string): Selection {
  const method = sendingMethods(ctx.services).get(kind);
  if (!method) throw invalid('method', 'The service does not send payments by this method.', 'not_found');
  return new Selection(method, MAX_NAMED, (payoutId) => ({
    payout_id: payoutId,
    code: 'too_many_items',
    message: `A batch holds at most ${method.limits.items} payouts. Make another one for ${payoutId}.`,
  }));
}
