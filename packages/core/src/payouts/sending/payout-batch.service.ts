import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import {
  approveAttempts,
  lockAffiliatesOfPayouts,
  releasePayouts,
  scheduleAttempts,
} from '../../ledger/payouts/payout.transitions.ts';
import { callerId } from '../../platform/call/caller.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { loadBatchAlone } from '../batches/batch-lock.ts';
import { getBatchRow } from '../batches/batch.queries.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import {
  changeBatch,
  finishWork,
  markBatchApproved,
  markBatchSent,
  markBatchWithdrawn,
} from '../batches/payout-batch.transitions.ts';
import { paymentFiguresOf } from './batch-attempts.ts';
import { batchExpansions, type PayoutBatchRecord, type PlainPayoutBatch } from './payout-batch.schema.ts';

/** Returns payments that the service sends together. Throws NOT_FOUND. */
export async function getPayoutBatch(
  ctx: Ctx,
  { id, expand }: { id: string; expand: readonly 'attempts'[] },
): Promise<PayoutBatchRecord> {
  const record = await batchRecord(ctx, await getBatchRow(ctx, 'payment', id));
  const [expanded] = await batchExpansions.into(ctx, [record], expand);
  return expanded!;
}

/** Returns the wire form of a batch of payments. Its state follows from its attempts. */
export async function batchRecord(ctx: Pick<Ctx, 'db'>, batch: PayoutBatch): Promise<PlainPayoutBatch> {
  const { payments, fees } = await paymentFiguresOf(ctx, batch.id);
  const sum = (column: 'unsent_count' | 'underway_count' | 'arrived_count' | 'unknown_count' | 'unquoted_count') =>
    payments.reduce((total, each) => total + each[column], 0);
  const { id, method, livemode, payouts_count, prepared_by, approved_by, approved_at, started_at, withdrawn_at } = batch;
  const isOpen = sum('unsent_count') + sum('underway_count') > 0;
  const paidState = isOpen ? 'paying' : sum('arrived_count') === payouts_count ? 'paid' : 'partly_paid';
  const state = started_at !== null ? paidState : approved_by === null ? 'prepared' : 'approved';
  return {
    id,
    state: withdrawn_at === null ? state : 'withdrawn',
    method,
    livemode,
    payouts_count,
    unknown_count: sum('unknown_count'),
    totals: payments.map(({ currency, payouts_count: payouts, amount_cents, unsent_cents, underway_cents, ...own }) => ({
      currency,
      payouts_count: payouts,
      amount_cents,
      unsent_cents,
      underway_cents,
      arrived_cents: own.arrived_cents,
      ended_cents: own.ended_cents,
    })),
    fees,
    unquoted_count: sum('unquoted_count'),
    prepared_by,
    approved_by,
    approved_at,
    started_at,
    withdrawn_at,
    created_at: batch.created_at,
    updated_at: batch.updated_at,
  };
}

/**
 * Approves prepared payments.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a batch in another state; FORBIDDEN for the caller who prepared it
 */
export async function approvePayoutBatch(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutBatchRecord> {
  const batch = await loadPrepared(ctx, id);
  const approver = callerId(ctx.principal);
  if (approver === batch.prepared_by)
    throw new DomainError('FORBIDDEN', 'You have prepared these payments. Somebody else has to approve them.');
  if (batch.approved_by !== null) throw invalid('id', 'This batch is approved already.', 'invalid_state');
  const { held } = await lockPayoutsOf(ctx, id);
  await changeBatch(ctx, batch, (draft) => markBatchApproved(draft, approver, ctx.now));
  await approveAttempts(ctx, held, id);
  return batchRecord(ctx, batch);
}

/** Lets the service send prepared payments, which the worker does after the commit. Throws NOT_FOUND; VALIDATION_ERROR for a batch in another state. */
export async function sendPayoutBatch(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutBatchRecord> {
  const batch = await loadPrepared(ctx, id);
  const { held } = await lockPayoutsOf(ctx, id);
  await startSending(ctx, held, batch);
  return batchRecord(ctx, batch);
}

/** Lets the service send the payments of a batch. */
export async function startSending(ctx: WriteCtx, held: HeldAffiliates, batch: Locked<PayoutBatch>): Promise<void> {
  await changeBatch(ctx, batch, (draft) => markBatchSent(draft, ctx.now));
  await scheduleAttempts(ctx, held, batch.id);
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
}

/**
 * Withdraws the payments of a batch that are not sent, and opens their payouts. Payments that are sent go on.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if nothing is left to withdraw
 */
export async function withdrawPayoutBatch(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutBatchRecord> {
  const batch = await loadBatchAlone(ctx, 'payment', id);
  const { held, unsent } = await lockPayoutsOf(ctx, id);
  if (batch.stage !== 'prepared' && unsent.length === 0)
    throw invalid('id', 'All payments of this batch are sent, withdrawn or ended.', 'invalid_state');
  if (batch.stage === 'prepared')
    await changeBatch(ctx, batch, (draft) => {
      markBatchWithdrawn(draft, ctx.now);
      finishWork(draft, false, ctx.now);
    });
  await releasePayouts(ctx, held, id, new Map(unsent.map((payoutId) => [payoutId, { state: 'withdrawn', reason: 'withdrawn' }])));
  return batchRecord(ctx, batch);
}

async function loadPrepared(ctx: WriteCtx, id: string): Promise<Locked<PayoutBatch>> {
  const batch = await loadBatchAlone(ctx, 'payment', id);
  if (batch.stage !== 'prepared') {
    const state = batch.stage === 'withdrawn' ? 'withdrawn' : 'sent';
    throw invalid('id', `This batch is ${state}.`, 'invalid_state');
  }
  return batch;
}

/** Locks the affiliates of a batch, under whose locks its attempts change. Returns the payouts that are not sent. */
async function lockPayoutsOf(ctx: WriteCtx, id: string) {
  const find = () =>
    ctx.db
      .selectFrom('payout_attempt')
      .select(['payout_id', 'state'])
      .where('batch_id', '=', id)
      .where('superseded', '=', false)
      .execute();
  const held = await lockAffiliatesOfPayouts(
    ctx,
    (await find()).map(({ payout_id }) => payout_id),
  );
  const unsent = (await find()).flatMap(({ payout_id, state }) =>
    state === 'prepared' || state === 'approved' ? [payout_id] : [],
  );
  return { held, unsent };
}
