/**
 * Batches of a run share an advisory lock, so that several transactions can work on the run at the same time. A transaction that executes
 * or remediates the run, ends its work, or returns one of its payouts takes the lock exclusively, so that no batch is running and none can
 * start. A lock on the run's row would not work, because PostgreSQL could grant shared row locks to new batches again and again while the
 * other transaction waits.
 *
 * A transaction locks in this order: the advisory lock, the run's row, the affiliates. Only a batch locks the row after the affiliates, to
 * count its items. This causes no deadlock, because no transaction that holds the row waits for an affiliate while a batch is running.
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Held, type Locked, sharedAdvisoryLock, tryAdvisoryLock } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { PayoutRun } from './payout-run.entity.ts';

/** Takes the run's lock for a batch, shared with other batches, until the transaction ends. */
export function shareRun(ctx: WriteCtx, id: string): Promise<Held<'payout run'>> {
  return sharedAdvisoryLock(ctx, 'payout run', id);
}

/** Takes the run's lock exclusively, waiting for batches that are running, and loads the run. Throws NOT_FOUND. */
export async function loadRunAlone(ctx: WriteCtx, id: string): Promise<Locked<PayoutRun>> {
  await advisoryLock(ctx, 'payout run', id);
  return lock(ctx, PayoutRun, id);
}

/** Like `loadRunAlone`, without waiting. Returns null if a batch is running, or if another transaction holds the lock exclusively. */
export async function loadRunIfFree(ctx: WriteCtx, id: string): Promise<Locked<PayoutRun> | null> {
  return (await tryAdvisoryLock(ctx, 'payout run', id)) ? lock(ctx, PayoutRun, id) : null;
}
