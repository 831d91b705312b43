/**
 * Steps of a batch share an advisory lock, so that several transactions can work on the batch at the same time. A transaction that starts, withdraws
 * or remediates the batch, ends its work, or returns one of its payouts takes the lock exclusively, so that no step is running and none can start. A
 * lock on the batch's row would not work, because PostgreSQL could grant shared row locks to new steps again and again while the other transaction
 * waits.
 *
 * A transaction locks in this order: the advisory lock, the batch's row, the affiliates. Only a step locks the row after the affiliates, to note its
 * progress. This causes no deadlock, because no transaction that holds the row waits for an affiliate while a step is running.
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Held, type Locked, sharedAdvisoryLock, tryAdvisoryLock } from '../../platform/call/locks.ts';
import { visibleTo } from '../../platform/call/mode.ts';
import { foundOrThrow, lock, lockAll } from '../../platform/call/records.ts';
import { batchOfKind } from './batch.queries.ts';
import { type BatchKind, PayoutBatch } from './payout-batch.entity.ts';

/** Takes the batch's lock for a step, shared with other steps, until the transaction ends. */
export function shareBatch(ctx: WriteCtx, id: string): Promise<Held<'payout batch'>> {
  return sharedAdvisoryLock(ctx, 'payout batch', id);
}

/** Takes the batch's lock exclusively, waiting for steps that are running, and loads the batch. Throws NOT_FOUND. */
export async function loadBatchAlone(ctx: WriteCtx, kind: BatchKind, id: string): Promise<Locked<PayoutBatch>> {
  await advisoryLock(ctx, 'payout batch', id);
  const [batch] = await lockAll(ctx, PayoutBatch, batchOfKind(ctx, kind, id));
  return foundOrThrow(visibleTo(ctx, batch), `payout ${kind}`);
}

/** Loads a batch under its exclusive lock, without waiting. Returns null if a step is running, or if another transaction holds the lock. */
export async function loadBatchIfFree(ctx: WriteCtx, id: string): Promise<Locked<PayoutBatch> | null> {
  return (await tryAdvisoryLock(ctx, 'payout batch', id)) ? lock(ctx, PayoutBatch, id) : null;
}
