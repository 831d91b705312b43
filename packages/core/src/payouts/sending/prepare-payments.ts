import { countPayment } from '../../identity/connectors/count-payment.ts';
import { personBehind } from '../../identity/credentials/describe-caller.ts';
import { findPayoutTerms } from '../../identity/sessions/payout-terms.ts';
import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { scheduleQuotes } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { newId } from '../../platform/wire/ids.ts';
import { findStop } from '../approvals/authorize-sending.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import { choosePayouts, createPrepared } from '../batches/prepare-batch.ts';
import { assertAffiliates, MAX_NAMED } from '../methods/assert-eligible.ts';
import { sendingMethods } from '../methods/methods.ts';
import type { PreparedItem, Quotes } from '../methods/prepared-items.ts';
import { type Prices, Selection, Totals } from '../methods/selection.ts';
import { nameOf, type SendingMethod } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { getPayer, modeOfPayment } from '../rails/open-rail.ts';
import { fundsFor, type RailOffer } from './ask-rail.ts';
import { batchRecord, startSending } from './payout-batch.service.ts';
import type { CreatedPayoutBatch, CreatePayoutBatch, PreparedPayouts, PreparePayouts } from './sending.schema.ts';

/**
 * Prepares the payment of the given payouts, or of all eligible payouts of the mode, by a method whose payments the service sends. The worker sends
 * them after the commit. Those that the method cannot pay are left out.
 *
 * @throws VALIDATION_ERROR naming the given payouts that are not eligible, and for a method whose payments the service does not send; PAY_LIMIT_EXCEEDED
 */
export async function preparePayments(ctx: WriteCtx, input: PreparePayouts): Promise<PreparedPayouts> {
  const { batch, held, items: _, prices: __, ...terms } = await prepare(ctx, input);
  await startSending(ctx, held, batch, 'method');
  return { batch_id: batch.id, ...terms, waits_until: (await findStop(ctx, batch))?.until ?? null };
}

/**
 * Prepares payments of the eligible payouts of the given affiliates, or of all affiliates. They are sent when `sendPayoutBatch` says so.
 *
 * @param offer what the rail has said of such payments
 * @throws VALIDATION_ERROR for unknown affiliates, and for a method whose payments the service does not send; PAY_LIMIT_EXCEEDED
 */
export async function createPayoutBatch(
  ctx: WriteCtx,
  { affiliate_ids, ...input }: Omit<CreatePayoutBatch, 'dry_run'>,
  offer: RailOffer,
): Promise<CreatedPayoutBatch> {
  if (affiliate_ids) await assertAffiliates(ctx, affiliate_ids);
  const { batch, held, items, prices, left_out_count, left_out } = await prepare(ctx, { affiliate_ids, ...input }, offer.quotes);
  if (methodNamed(ctx, input.method).quote) {
    await scheduleQuotes(ctx, held, batch.id);
    ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  }
  return { ...(await batchRecord(ctx, batch)), funds: fundsFor(items, offer, prices.terms), left_out_count, left_out };
}

type Prepared = Omit<PreparedPayouts, 'batch_id' | 'waits_until'> & {
  batch: Locked<PayoutBatch>;
  held: HeldAffiliates;
  items: PreparedItem[];
  prices: Prices;
};

async function prepare(
  ctx: WriteCtx,
  { method: kind, livemode, notes, ...wanted }: Partial<PreparePayouts & CreatePayoutBatch> & PreparePayouts,
  quotes?: Quotes,
): Promise<Prepared> {
  const mode = { livemode: storedModeOf(ctx, livemode) };
  const method = methodNamed(ctx, kind);
  await getPayer(ctx, method, modeOfPayment(ctx.accountId, mode), 'method');
  const prices: Prices = {
    terms: await findPayoutTerms(ctx, kind),
    quoteOf: (payoutId) => (method.quote ? quotes?.get(payoutId) : null),
  };
  let selection!: Selection;
  const chosen = { ...wanted, ...mode, isLocking: true };
  const { items, held } = await choosePayouts(ctx, chosen, () => (selection = selectionFor(method, prices)));
  const id = newId('payout_batch', ctx.clock.now());
  const terms = {
    method: kind,
    ...mode,
    payouts_count: items.length,
    totals: new Totals().add(items).byCurrency(),
    left_out_count: selection.leftOutCount,
    left_out: selection.leftOut.map(({ item, problem }) => ({
      ...problem,
      message: String(problem.message),
      affiliate_id: item.affiliate_id,
      affiliate_name: nameOf(item),
    })),
  };
  await confirmEffect(ctx, () => ({ ...terms, items }));
  if (mode.livemode) await countPayment(ctx, id, terms.totals);
  const { payouts_count } = terms;
  const affiliate_ids = wanted.affiliate_ids ?? null;
  const person = await personBehind(ctx);
  const batch = {
    id,
    kind: 'payment' as const,
    method: kind,
    ...mode,
    payouts_count,
    notes: notes ?? null,
    affiliate_ids,
    prepared_by_person: person,
  };
  return { batch: await createPrepared(ctx, held!, batch, items, { method, quotes }), held: held!, items, prices, ...terms };
}

/** Returns a method. Throws VALIDATION_ERROR for one whose payments the service does not send. */
function methodNamed({ services }: Pick<WriteCtx, 'services'>, kind: string): SendingMethod {
  const method = sendingMethods(services).get(kind);
  if (!method) throw invalid('method', PAYOUT_REASONS.method_not_sent, 'not_found');
  return method;
}

function selectionFor(method: SendingMethod, prices: Prices): Selection {
  const full = (payoutId: string) => ({
    payout_id: payoutId,
    code: 'too_many_items' as const,
    message: PAYOUT_REASONS.batch_full({ max: method.limits.items, payout: payoutId }),
  });
  return new Selection(method, MAX_NAMED, full, prices);
}
