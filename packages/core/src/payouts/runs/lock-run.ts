import { advisoryLock, sharedAdvisoryLock, tryAdvisoryLock } from '../../platform/call/advisory-lock.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import { PayoutRun } from './payout-run.entity.ts';

/*
 * Batches of a run share a lock, so that several transactions work on it at once. Decisions about the run, and the end of its work, hold the
 * lock exclusively, so no batch is running and none can start. A row lock would not do: a transaction that waits for an exclusive row lock can
 * starve while others keep sharing the row.
 *
 * The lock is taken before the run's row, and the row before affiliates. Only a batch takes the row after affiliates, to count its items. That causes
 * no deadlock, because nobody who holds the row waits for an affiliate while a batch is under way.
 *
 * Processes of earlier versions lock only the row. PostgreSQL detects their deadlocks with batches, and the transactions are repeated. A batch
 * notices if they changed the run (`countItemsOfBatch`).
 */

/** Takes the lock that batches share, until the transaction ends. */
export function shareRun(ctx: WriteCtx, id: string): Promise<void> {
  return sharedAdvisoryLock(ctx, lockName(id));
}

/** Loads a run for a change that no batch may accompany. Waits for those that are under way. Throws NOT_FOUND. */
export async function loadRunAlone(ctx: WriteCtx, id: string): Promise<PayoutRun> {
  await advisoryLock(ctx, lockName(id));
  return loadForUpdate(ctx, PayoutRun, id);
}

/** `loadRunAlone` without waiting for batches. Returns null while one is under way, or another holds the lock alone. */
export async function loadRunIfFree(ctx: WriteCtx, id: string): Promise<PayoutRun | null> {
  return (await tryAdvisoryLock(ctx, lockName(id))) ? loadForUpdate(ctx, PayoutRun, id) : null;
}

function lockName(id: string): string {
  return `payout run ${id}`;
}
