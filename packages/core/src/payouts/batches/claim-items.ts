import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { claimPayouts, findHeldBy, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { withdrawn } from './batch-items.ts';

/**
 * Claims the payouts of candidates, whose items become planned, and excludes payouts that were claimed or paid elsewhere. A payout that the batch could
 * not release when its item failed is still held by the batch, and counts as claimed.
 *
 * @returns the payouts that the batch holds now
 */
export async function claimItems(
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

export function without(ids: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}
