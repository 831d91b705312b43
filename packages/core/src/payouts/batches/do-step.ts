import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { payPayouts } from '../../ledger/payouts/pay-payouts.ts';
import {
  claimPayouts,
  findHeldBy,
  lockAffiliatesOfPayouts,
  noteStuck,
  releasePayouts,
} from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Change } from '../methods/recheck.ts';
import { getBatchRow, shareBatch, withdrawn } from './batch.queries.ts';
import { countItemsToDo, type ItemChoice, itemsToDo, nextPayouts } from './next-items.ts';
import type { BatchRow, IssueCode } from './payout-batch.entity.ts';
import { touchBatch } from './payout-batch.transitions.ts';
import type { Producer } from './producer.ts';

/** The items that a step may take, and callbacks for those that it takes. */
interface StepChoice extends ItemChoice {
  /** Called if there is more work than fits into the step. */
  join: () => void;
  /** Called with the payouts of the step before it changes anything. */
  begin?: (payoutIds: readonly string[]) => void;
}

/**
 * Does a step in the caller's transaction: claims candidates, or pays planned items if there are no candidates. In a withdrawn batch, releases the
 * candidates and the planned items instead. Skips items that a concurrent step has locked. Takes the batch's lock, which concurrent steps share, then
 * locks the items, then the affiliates.
 *
 * @returns whether there was anything to do
 */
export async function doStep(ctx: WriteCtx, producer: Producer, batchId: string, choice: StepChoice): Promise<boolean> {
  await shareBatch(ctx, batchId);
  // The shared lock keeps the stage of the batch from changing.
  const batch = await getBatchRow(ctx, producer.kind, batchId);
  if (!batch.working) return false;
  for (const toDo of itemsToDo(batch, producer)) {
    const { payoutIds, isFull } = await nextPayouts(ctx, { batchId, toDo, producer }, choice);
    if (payoutIds.length === 0) continue;
    choice.begin?.(payoutIds);
    if (isFull) choice.join();
    const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
    if (batch.stage === 'withdrawn') await releasePayouts(ctx, held, batchId, withdrawn(payoutIds, 'canceled'));
    else if (toDo.state === 'candidate') await claimItems(ctx, held, batchId, payoutIds);
    else await payItems(ctx, producer, { batch, held, payoutIds });
    await touchBatch(ctx, batchId);
    await reportProgress(ctx, batch);
    return true;
  }
  return false;
}

/** Pays the planned items that pass the check of their producer. Marks all others failed, and releases their payouts. */
export async function payItems(
  ctx: WriteCtx,
  { check }: Producer,
  { batch: { id, payment_reference }, held, payoutIds }: { batch: BatchRow; held: HeldAffiliates; payoutIds: readonly string[] },
): Promise<void> {
  const issues = (await check?.(ctx, id, payoutIds)) ?? new Map<string, Change>();
  const sound = without(payoutIds, [...issues.keys()]);
  const paid = await payPayouts(ctx, held, id, sound, payment_reference);
  // The batch no longer holds the other payouts. Only a change made directly in the database can cause this, and reconciliation reports such a
  // change.
  const endings = withdrawn(without(payoutIds, paid), 'excluded');
  for (const [payoutId, reason] of issues) endings.set(payoutId, { state: 'failed', reason });
  await releasePayouts(ctx, held, id, endings);
}

/**
 * Marks the item of a payout failed that could not be claimed or paid because of an error, and releases the payout. If the payout cannot or must not be
 * released (`isReleasing` false), notes that it is stuck, and a retry, an exclusion or a cancellation, or the next sweep, takes it from there.
 *
 * @returns false, without a change, in a withdrawn batch, whose items cannot fail
 */
export async function failItem(
  ctx: WriteCtx,
  producer: Producer,
  { batchId, payoutId, err, isReleasing }: { batchId: string; payoutId: string; err: unknown; isReleasing: boolean },
): Promise<boolean> {
  await shareBatch(ctx, batchId);
  const batch = await getBatchRow(ctx, producer.kind, batchId);
  const fields = { err, account_id: batch.account_id, [`payout_${batch.kind}_id`]: batchId, payout_id: payoutId };
  ctx.services.log.error(fields, `payout of a payout ${batch.kind} failed`);
  if (batch.stage === 'withdrawn') return false;
  for (const toDo of itemsToDo(batch, producer)) {
    const { payoutIds } = await nextPayouts(ctx, { batchId, toDo, producer }, { only: [payoutId] });
    if (payoutIds.length === 0) continue;
    if (isReleasing) {
      const endings = new Map([[payoutId, { state: 'failed' as const, reason: 'payment_failed' satisfies IssueCode }]]);
      await releasePayouts(ctx, await lockAffiliatesOfPayouts(ctx, payoutIds), batchId, endings);
    } else if (!(await noteStuck(ctx, batchId, payoutIds, 'payment_failed'))) continue;
    await touchBatch(ctx, batchId);
    await reportProgress(ctx, batch);
  }
  return true;
}

/** Reports how far a batch has come: to a caller who waits, after each step, and to the log, at the end. Counting takes longer for a larger batch. */
export async function reportProgress(ctx: WriteCtx, batch: BatchRow): Promise<void> {
  const { id, kind, account_id, stage, payouts_count, working } = batch;
  if (working && !ctx.onProgress) return;
  const done = payouts_count - (await countItemsToDo(ctx, id));
  ctx.afterCommit(() => {
    const fields = { [`payout_${kind}_id`]: id, account_id, stage, items_done: done, items_total: payouts_count };
    if (!working) ctx.services.log.info(fields, `payout ${kind} advanced`);
    ctx.onProgress?.({ done, total: payouts_count });
  });
}

/**
 * Claims the payouts of candidates, whose items become planned, and excludes payouts that were claimed or paid elsewhere. A payout that the batch could
 * not release when its item failed is still held by the batch, and counts as claimed.
 *
 * @returns the payouts that the batch holds now
 */
async function claimItems(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  batchId: string,
  payoutIds: readonly string[],
): Promise<string[]> {
  const kept = await findHeldBy(ctx.db, batchId, payoutIds);
  const claimed = [...kept, ...(await claimPayouts(ctx, affiliates, batchId, without(payoutIds, kept)))];
  await releasePayouts(ctx, affiliates, batchId, withdrawn(without(payoutIds, claimed), 'excluded'));
  return claimed;
}

/**
 * Claims payouts of a run that a connector executes or retries, before they are counted against its daily limits. They may have collected commissions
 * since the run was created or since they failed, so their amounts are final only when the run has claimed them, in the transaction that decides the
 * payment, which holds the run's lock exclusively.
 *
 * @returns the payouts that the run holds now
 */
export async function claimForConnector(
  ctx: WriteCtx,
  batchId: string,
  payoutIds: readonly string[],
): Promise<readonly string[]> {
  if (payoutIds.length === 0) return [];
  return claimItems(ctx, await lockAffiliatesOfPayouts(ctx, payoutIds), batchId, payoutIds);
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}
