/**
 * All changes of a batch: prepared, paid in steps, withdrawn (docs/rules/payouts.md#batches). `payout.transitions.ts` changes the payouts and
 * the attempts, which are the items of the batch.
 *
 * A preview applies the same changes as the batch itself, so they are made to a draft: `changeBatch` writes the differences between a locked batch
 * and its draft, and a preview only shows the draft.
 */
import { sql } from 'kysely';
import { callerId } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { insert, newRecordColumns, save } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type BatchRow, type BatchStage, PayoutBatch } from './payout-batch.entity.ts';

/** The values that are decided when a batch is created. */
export type NewBatch = Pick<BatchRow, 'id' | 'kind' | 'method' | 'livemode'> & Partial<BatchRow>;

/** Returns the row of a new batch. Default: a prepared batch without work. */
export function newBatch(ctx: WriteCtx, terms: NewBatch): BatchRow {
  return {
    ...newRecordColumns(ctx, terms.id),
    stage: 'prepared',
    working: false,
    payouts_count: 0,
    prepared_by: callerId(ctx.principal),
    prepared_by_person: null,
    sealed_payer: null,
    notes: null,
    affiliate_ids: null,
    payment_reference: null,
    approved_by: null,
    approved_at: null,
    approved_hash: null,
    idempotency_key: null,
    request_fingerprint: null,
    paid_at: null,
    withdrawn_at: null,
    started_at: terms.stage === 'paying' ? ctx.now : null,
    ...terms,
  };
}

/** Creates a batch without attempts. */
export function createBatch(ctx: WriteCtx, terms: NewBatch): Locked<PayoutBatch> {
  return insert(ctx, PayoutBatch, newBatch(ctx, terms));
}

/** Creates a batch unless the account has one with the same idempotency key. Returns whether it did. */
export async function createBatchOnce(ctx: WriteCtx, terms: NewBatch): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('payout_batch')
    .values(newBatch(ctx, terms))
    .onConflict((conflict) => conflict.columns(['account_id', 'idempotency_key']).doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) > 0;
}

/** Notes the number of payouts that were chosen for a new batch. */
export async function notePayoutsCount(ctx: WriteCtx, id: string, payouts: number): Promise<void> {
  await sql`update payout_batch set payouts_count = ${payouts} where id = ${id}`.execute(ctx.db);
}

/** Applies changes to a draft of a batch, and writes them. Returns the result of `change`. */
export async function changeBatch<T>(
  ctx: WriteCtx,
  batch: Locked<PayoutBatch>,
  change: (draft: BatchRow) => T | Promise<T>,
): Promise<T> {
  const draft = { ...batch };
  const result = await change(draft);
  save(ctx, PayoutBatch, batch, draft);
  return result;
}

/**
 * Sets the time at which the batch made progress. For a step, which has read the batch without locking its row. Locks the row, so the step calls this
 * after all its other changes. The stage of the batch cannot have changed since the step began (`batch.queries.ts`).
 */
export async function touchBatch(ctx: WriteCtx, id: string): Promise<void> {
  await sql`update payout_batch set updated_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
}

/** Notes that payouts were taken out of a prepared batch. */
export function markTakenOut(batch: BatchRow, payouts: number, at: Instant): void {
  batch.payouts_count -= payouts;
  batch.updated_at = at;
}

/** Starts the payment of a batch (prepared → paying). */
export function markBatchPaying(batch: BatchRow, paymentReference: string | null, at: Instant): void {
  batch.payment_reference = paymentReference;
  batch.started_at = at;
  startWork(batch, 'paying', at);
}

/** Notes who approved the payments of a batch. */
export function markBatchApproved(batch: BatchRow, { by, hash }: { by: string; hash: string }, at: Instant): void {
  batch.approved_by = by;
  batch.approved_hash = hash;
  batch.approved_at = at;
  batch.updated_at = at;
}

/** Lets the service send the payments of a batch. Their attempts say what is left to do, so the batch itself has no work. */
export function markBatchSent(batch: BatchRow, at: Instant): void {
  markBatchPaying(batch, batch.payment_reference, at);
  batch.working = false;
}

/** Pays failed payouts of a batch again (paid, partly paid → paying). */
export function markBatchRetried(batch: BatchRow, at: Instant): void {
  batch.paid_at = null;
  startWork(batch, 'paying', at);
}

/** Withdraws a batch (→ withdrawn). The work that is left is to release its unpaid payouts, unless the caller does (`finishWork`). */
export function markBatchWithdrawn(batch: BatchRow, at: Instant): void {
  batch.withdrawn_at = at;
  startWork(batch, 'withdrawn', at);
}

/** Ends the work on a batch that has nothing left to do for now. A batch that was being paid becomes paid, or partly paid if payouts have failed. */
export function finishWork(batch: BatchRow, hasFailedItems: boolean, at: Instant): void {
  batch.working = false;
  batch.updated_at = at;
  if (batch.stage !== 'paying' && batch.stage !== 'partly_paid') return;
  batch.stage = hasFailedItems ? 'partly_paid' : 'paid';
  batch.paid_at = at;
}

function startWork(batch: BatchRow, stage: BatchStage, at: Instant): void {
  batch.stage = stage;
  batch.working = true;
  batch.updated_at = at;
}
