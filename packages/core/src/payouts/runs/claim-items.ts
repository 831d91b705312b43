import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { claimPayouts, findHeldBy, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { PayoutRun } from './payout-run.entity.ts';
import { changeRun, countFinishedItems } from './payout-run.transitions.ts';
import { withdrawn } from './run-item.ts';

/**
 * Claims the payouts of candidates, whose items become planned, and excludes payouts that were claimed or paid elsewhere. A payout that the run could
 * not release when its item failed is still held by the run, and counts as claimed.
 */
export async function claimItems(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  runId: string,
  payoutIds: readonly string[],
): Promise<{ claimed: string[]; unavailable: string[] }> {
  const kept = await findHeldBy(ctx.db, runId, payoutIds);
  const claimed = [...kept, ...(await claimPayouts(ctx, affiliates, runId, without(payoutIds, kept)))];
  const unavailable = without(payoutIds, claimed);
  await releasePayouts(ctx, affiliates, runId, withdrawn(unavailable, 'excluded'));
  return { claimed, unavailable };
}

/**
 * Claims payouts of a run that a connector executes or retries, before they are counted against its daily limits. They may have collected commissions
 * since the run was created or since they failed, so their amounts are final only when the run has claimed them, in the transaction that decides the
 * payment.
 *
 * @param run as `loadRunAlone` returns it
 * @returns the payouts that the run holds now
 */
export async function claimForConnector(
  ctx: WriteCtx,
  run: Locked<PayoutRun>,
  payoutIds: readonly string[],
): Promise<readonly string[]> {
  if (payoutIds.length === 0) return [];
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  const { claimed, unavailable } = await claimItems(ctx, held, run.id, payoutIds);
  await changeRun(ctx, run, (draft) => countFinishedItems(draft, unavailable.length, ctx.now));
  return claimed;
}

export function without(ids: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}
