import { sql } from 'kysely';
import { paymentOf } from '../../ledger/payouts/payout-events.ts';
import { PAYOUT_COLUMNS, payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { FailedPayoutEventData } from '../../ledger/payouts/payout.schema.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { GrowingTables } from '../../platform/db/planner.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { loadBatchIfFree, STORED_ITEMS } from './batch.queries.ts';
import { reportProgress } from './do-step.ts';
import { hasItemsToDo } from './next-items.ts';
import type { PayoutBatch } from './payout-batch.entity.ts';
import { changeBatch, finishWork } from './payout-batch.transitions.ts';
import type { Producer } from './producer.ts';

/** Tables to which a batch adds rows. */
const FILLED = ['payout_attempt', 'event', 'webhook_delivery'];

/** Calls `finishBatch` and returns true. Returns false instead if another transaction is working on the batch. */
export async function finishBatchIfFree(ctx: WriteCtx, producer: Producer, batchId: string): Promise<boolean> {
  const batch = await loadBatchIfFree(ctx, batchId);
  if (batch === null) return false;
  await finishBatch(ctx, producer, batch);
  return true;
}

/**
 * Ends the work on a batch, in the caller's transaction, which holds the batch's lock exclusively. Returns true, without ending the work, if items are
 * left to do.
 */
export async function finishBatch(ctx: WriteCtx, producer: Producer, batch: Locked<PayoutBatch>): Promise<boolean> {
  if (!batch.working) return false;
  // A concurrent step may have failed and left its items undone.
  if (await hasItemsToDo(ctx, batch, producer)) return true;
  const hasFailed = await hasFailedItems(ctx, batch.id);
  await changeBatch(ctx, batch, (draft) => finishWork(draft, hasFailed, ctx.now));
  // Analyzes the tables, because clients are likely to list the new rows now. Not awaited, because the caller does not need the result.
  ctx.afterCommit(() => void new GrowingTables(ctx.services, FILLED).add(batch.payouts_count));
  await producer.announceEnd(ctx, batch);
  await reportProgress(ctx, batch);
  return false;
}

/** True if a batch has failed items other than those of the payouts in `except`. */
export async function hasFailedItems(ctx: WriteCtx, batchId: string, except: readonly string[] = []): Promise<boolean> {
  const { rows } = await sql`
    select from ${STORED_ITEMS} item where batch_id = ${batchId} and state = 'failed' and payout_id <> all (${except}::text[]) limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/**
 * Announces that attempts to pay payouts have failed. Call it before the payouts are released: the data of the event are those of the payout that
 * could not be paid, as it is when it is open again.
 *
 * @param reasons the reasons, by the ids of the payouts
 */
export async function announceFailed(ctx: WriteCtx, reasons: ReadonlyMap<string, string>): Promise<void> {
  if (reasons.size === 0) return;
  const rows = await payoutView(ctx)
    .select(PAYOUT_COLUMNS)
    .select('payout.obstacles')
    .select(paymentOf('payout.id').as('payment'))
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${[...reasons.keys()]})`)
    .orderBy('payout.id')
    .execute();
  for (const { obstacles, ...payout } of rows) {
    const eligible = obstacles.length === 0;
    const open = { state: eligible ? ('due' as const) : ('pending' as const), eligible, ineligible_reasons: obstacles };
    emit(ctx, 'payout.failed', { ...payout, ...open, reason: reasons.get(payout.id)! } satisfies FailedPayoutEventData);
  }
}
