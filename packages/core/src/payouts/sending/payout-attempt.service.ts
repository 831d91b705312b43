import { isDeepStrictEqual } from 'node:util';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import { findPayoutTerms } from '../../identity/sessions/payout-terms.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { ARRIVED_AFTER_ALL, type PayoutAttempt, sentCents } from '../../ledger/payouts/payout-attempt.entity.ts';
import { findAttemptsOfPayouts, getPayoutAttempt, type PayoutAttemptRecord } from '../../ledger/payouts/payout-attempt.ts';
import {
  authorizeAttempts,
  changeAttempt,
  lockAttempt,
  releasePayouts,
  supersedeAttempts,
} from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { plusMilliseconds } from '../../platform/time/instant.ts';
import { authorizeSending, unsentOf } from '../approvals/authorize-sending.ts';
import { batchOfKind, findBatchOf } from '../batches/batch.queries.ts';
import { claimPrepared } from '../batches/prepare-batch.ts';
import { assertEligible, refuse } from '../methods/assert-eligible.ts';
import { sendingMethods } from '../methods/methods.ts';
import { loadItems } from '../methods/prepared-items.ts';
import { inUnits, problemsOf, Totals } from '../methods/selection.ts';
import { afterFee, termsProblem } from '../port/fee.ts';
import type { Receiver } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { LEASE_MS, moveAttempt } from './advance-attempts.ts';
import type { DecidePayoutAttempt, WithdrawPayoutAttempt } from './sending.schema.ts';

/**
 * Ends an attempt whose outcome the service cannot find out any more, by the word of a person (docs/rules/payouts.md#attempts). If the rail's id of the
 * payment is known, the rail is asked from then on, too, because the money may still come back.
 *
 * @param provider_item_id the rail's id of the payment, ignored if the rail has named it already
 * @throws NOT_FOUND; VALIDATION_ERROR (`invalid_state`) for an attempt with another state, and while the service still asks about the payment
 */
export async function decidePayoutAttempt(
  ctx: WriteCtx,
  { id, outcome, reason, provider_item_id }: DecidePayoutAttempt,
): Promise<PayoutAttemptRecord> {
  const { affiliate_id } = await getPayoutAttempt(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const attempt = await lockAttempt(ctx, held, id);
  if (attempt.state !== 'unknown')
    throw invalid('id', PAYOUT_REASONS.attempt_not_unknown({ state: STATES[attempt.state] }), 'invalid_state');
  if (attempt.reason === 'no_answer') throw invalid('id', PAYOUT_REASONS.outcome_still_looked_up, 'invalid_state');
  await moveAttempt(ctx, held, attempt, { state: outcome, reason });
  const itemId = attempt.provider_item_id ?? provider_item_id ?? null;
  const isKnown = itemId !== null || attempt.provider_batch_id !== null;
  // Only what a rail itself has refused makes room below the limits of a day.
  const unsaid = outcome === 'failed' ? { raw_state: null } : {};
  await changeAttempt(ctx, id, { ...unsaid, provider_item_id: itemId, lease_until: isKnown ? ctx.now : null });
  if (isKnown) ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return getPayoutAttempt(ctx, { id });
}

/**
 * Withdraws a prepared payment that the service has not sent, and opens its payout.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR (`invalid_state`) for an attempt with another state, and for one of an export or a run
 */
export async function withdrawPayoutAttempt(ctx: WriteCtx, { id, reason }: WithdrawPayoutAttempt): Promise<PayoutAttemptRecord> {
  const { affiliate_id, payout_id } = await getPayoutAttempt(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const attempt = await lockAttempt(ctx, held, id);
  if (attempt.state !== 'prepared' && attempt.state !== 'approved')
    throw invalid('id', PAYOUT_REASONS.nothing_to_withdraw({ state: STATES[attempt.state] }), 'invalid_state');
  const batch = await findBatchOf(ctx.db, payout_id);
  if (batch?.kind !== 'payment') throw invalid('id', PAYOUT_REASONS.attempt_of_export_or_run, 'invalid_state');
  await releasePayouts(ctx, held, batch.id, new Map([[payout_id, { state: 'withdrawn', reason }]]));
  return getPayoutAttempt(ctx, { id });
}

/**
 * Tries again to make a payment. A payment without an answer is sent again within a minute, with the same key. For a payment that certainly failed, makes a new
 * attempt of the same batch, with a new key and the current address of the affiliate.
 *
 * @returns the attempt that is sent
 * @throws NOT_FOUND; VALIDATION_ERROR (`invalid_state`) for an attempt with another state, for one that the service does not send, for one that the rail has
 * made after all, and for one whose outcome a person has to decide, and as `authorizeSending` does; VALIDATION_ERROR for a payout that is not eligible or that the method cannot pay; PAY_LIMIT_EXCEEDED
 */
export async function retryPayoutAttempt(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutAttemptRecord> {
  const { affiliate_id, payout_id, batch_id, method: kind } = await getPayoutAttempt(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const attempt = await lockAttempt(ctx, held, id);
  const method = sendingMethods(ctx.services).get(kind);
  // A batch of another kind may pay by the file of a method whose API is connected.
  if (!method || batch_id === null || !(await batchOfKind(ctx, 'payment', batch_id).executeTakeFirst()))
    throw invalid('id', PAYOUT_REASONS.payment_not_sent_by_service, 'invalid_state');
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  if (attempt.state === 'unknown' && attempt.lease_until !== null) {
    // Another process may be calling the rail until the lease of a call has ended.
    const free = plusMilliseconds(ctx.now, LEASE_MS);
    await changeAttempt(ctx, id, { lease_until: attempt.lease_until < free ? attempt.lease_until : free });
    return getPayoutAttempt(ctx, { id });
  }
  // The rail has made a payment that a person or a refusal had given up.
  if (attempt.reason === ARRIVED_AFTER_ALL)
    throw invalid('id', PAYOUT_REASONS.attempt_is({ state: STATES.arrived }), 'invalid_state');
  if (attempt.state !== 'failed' || attempt.superseded)
    throw invalid(
      'id',
      PAYOUT_REASONS.attempt_is({ state: STATES[attempt.superseded ? 'repeated already' : attempt.state] }),
      'invalid_state',
    );
  await assertEligible(ctx, attempt, [payout_id], () => 'id');
  const payouts = await loadItems(ctx, [payout_id]);
  // The fee that the affiliate was told.
  const fee = attempt.affiliate_fee_cents;
  const items = payouts.map((payout) => inUnits(method, afterFee(payout, fee)));
  const terms = await findPayoutTerms(ctx, kind);
  // The minimum was that of the first try.
  const exceeded = payouts.flatMap((payout) => termsProblem(payout, terms && { ...terms, minimums: [] }, fee) ?? []);
  refuse([...exceeded, ...problemsOf(method, items)].map(({ code, message }) => ({ path: 'id', code, message })));
  const keyGeneration = attempt.key_generation + 1;
  if (attempt.livemode)
    await countPayment(ctx, `${batch_id} ${payout_id} ${keyGeneration}`, new Totals().add(items).byCurrency());
  await supersedeAttempts(ctx, [id]);
  await claimPrepared(ctx, held, { id: batch_id, method: kind, livemode: attempt.livemode, keyGeneration }, items, { method });
  const [{ id: retriedId } = { id: '' }] = (await findAttemptsOfPayouts(ctx, [{ id: payout_id }]))[0]!.slice(-1);
  const approvedBy = isSamePayment(ctx, attempt, await lockAttempt(ctx, held, retriedId)) ? attempt.approved_by : null;
  await authorizeSending(ctx, unsentOf(batch_id, payout_id), {
    livemode: attempt.livemode,
    isApproved: approvedBy !== null,
    path: 'id',
  });
  await authorizeAttempts(ctx, held, batch_id, { payoutId: payout_id, approvedBy, dueAt: ctx.now });
  return getPayoutAttempt(ctx, { id: retriedId });
}

/** Reports whether two attempts pay the same amount to a receiver with the same addresses. Then the approval of the first one is for the second one, too. */
function isSamePayment({ services: { secrets } }: WriteCtx, former: PayoutAttempt, next: PayoutAttempt): boolean {
  const addressesOf = ({ sealed_receiver }: PayoutAttempt) => (JSON.parse(secrets.open(sealed_receiver!)) as Receiver).addresses;
  const isSameAmount =
    sentCents(former) === sentCents(next) && former.amount_cents === next.amount_cents && former.currency === next.currency;
  return isSameAmount && isDeepStrictEqual(addressesOf(former), addressesOf(next));
}

/**
 * Asks the rail to call a payment back, in the states in which it can. The worker asks after the commit, and the word of the rail decides.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR (`invalid_state`) for an attempt with another state, and for a method that cannot call payments back
 */
export async function cancelPayoutAttempt(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutAttemptRecord> {
  const { affiliate_id, method: kind } = await getPayoutAttempt(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const attempt = await lockAttempt(ctx, held, id);
  const method = sendingMethods(ctx.services).get(kind);
  if (!method?.cancel) throw invalid('id', PAYOUT_REASONS.method_without_recall, 'invalid_state');
  if (attempt.provider_item_id === null || !method.recalls?.some((state) => state === attempt.state))
    throw invalid('id', PAYOUT_REASONS.attempt_not_recallable({ state: STATES[attempt.state] }), 'invalid_state');
  await changeAttempt(ctx, id, { cancel_requested_at: ctx.now, lease_until: ctx.now });
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return getPayoutAttempt(ctx, { id });
}
