import { payPayouts } from '../../ledger/payouts/pay-payouts.ts';
import { type Ending, lockAffiliatesOfPayouts, noteStuck, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { checkItems } from './check-items.ts';
import { claimItems, without } from './claim-items.ts';
import { type ItemChoice, nextPayouts, statesToDo } from './items-to-do.ts';
import { getRunRow } from './payout-run.queries.ts';
import { countItemsOfBatch } from './payout-run.transitions.ts';
import { type IssueCode, withdrawn } from './run-item.ts';
import { shareRun } from './run-lock.ts';
import { reportProgress } from './run-progress.ts';

type RunRow = TableRow<'payout_run'>;

/** The items that a batch may take, and callbacks for those that it takes. */
interface BatchChoice extends ItemChoice {
  /** Called if there is more work than fits into the batch. */
  join: () => void;
  /** Called with the payouts of the batch before it changes anything. */
  begin?: (payoutIds: readonly string[]) => void;
}

/**
 * Does a batch in the caller's transaction: claims candidates, or pays planned items if there are no candidates. In a canceled run,
 * releases the candidates and the planned items instead. Skips items that a concurrent batch has locked. Takes the run's lock, which
 * concurrent batches share, then locks the items, then the affiliates.
 *
 * @returns whether there was anything to do
 */
export async function doBatch(ctx: WriteCtx, runId: string, choice: BatchChoice): Promise<boolean> {
  await shareRun(ctx, runId);
  // The shared lock keeps the state of the run from changing.
  const run = await getRunRow(ctx, runId);
  const done = run.working ? await nextBatch(ctx, run, choice) : null;
  if (done === null) return false;
  reportProgress(ctx, { ...run, ...(await countItemsOfBatch(ctx, run, done)) });
  return true;
}

/** Does the work on the next items of a run. Returns the number of items that reached a final state, or null if there was nothing to do. */
async function nextBatch(ctx: WriteCtx, run: RunRow, choice: BatchChoice): Promise<number | null> {
  for (const state of statesToDo(run)) {
    const { payoutIds, isFull } = await nextPayouts(ctx, run.id, state, choice);
    if (payoutIds.length === 0) continue;
    choice.begin?.(payoutIds);
    if (isFull) choice.join();
    if (run.state === 'canceled') return cancel(ctx, run, payoutIds);
    return state === 'candidate' ? claim(ctx, run, payoutIds) : pay(ctx, run, payoutIds);
  }
  return null;
}

/** Claims the payouts of candidates. Excludes payouts that were claimed or paid elsewhere since the run was created. */
async function claim(ctx: WriteCtx, run: RunRow, payoutIds: readonly string[]): Promise<number> {
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  return (await claimItems(ctx, held, run.id, payoutIds)).unavailable.length;
}

/** Pays the planned items that pass the check. Marks all others failed, and releases their payouts. */
async function pay(ctx: WriteCtx, run: RunRow, payoutIds: readonly string[]): Promise<number> {
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  const checks = await checkItems(ctx, run.id, payoutIds);
  const sound = checks.flatMap(({ payout_id, issue_code }) => (issue_code === null ? [payout_id] : []));
  const paid = await payPayouts(ctx, held, run.id, sound, run.payment_reference);
  // The run no longer holds the other payouts. Only a change made directly in the database can cause this, and reconciliation reports such a
  // change.
  const endings = withdrawn(without(payoutIds, paid), 'excluded');
  for (const { payout_id, issue_code } of checks) if (issue_code !== null) endings.set(payout_id, failedBy(issue_code));
  await releasePayouts(ctx, held, run.id, endings);
  return payoutIds.length;
}

function failedBy(reason: IssueCode): Ending {
  return { state: 'failed', reason };
}

/** Releases the payouts of a canceled run. */
async function cancel(ctx: WriteCtx, run: RunRow, payoutIds: readonly string[]): Promise<number> {
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  await releasePayouts(ctx, held, run.id, withdrawn(payoutIds, 'canceled'));
  return payoutIds.length;
}

/**
 * Marks the item of a payout failed that could not be claimed or paid because of an error, and releases the payout. If the payout cannot be released
 * either, the run keeps it (`isReleasing` false), and `retry`, `exclude` or `cancel` take it from there.
 *
 * @returns false, without a change, in a canceled run, whose items cannot fail
 */
export async function failItem(
  ctx: WriteCtx,
  { runId, payoutId, err, isReleasing }: { runId: string; payoutId: string; err: unknown; isReleasing: boolean },
): Promise<boolean> {
  await shareRun(ctx, runId);
  const run = await getRunRow(ctx, runId);
  const { account_id } = run;
  ctx.services.log.error({ err, account_id, payout_run_id: runId, payout_id: payoutId }, 'payout of a run failed');
  if (run.state === 'canceled') return false;
  for (const state of statesToDo(run)) {
    const { payoutIds } = await nextPayouts(ctx, runId, state, { only: [payoutId] });
    if (payoutIds.length === 0) continue;
    const endings = new Map(payoutIds.map((id) => [id, failedBy('payment_failed')]));
    if (isReleasing) await releasePayouts(ctx, await lockAffiliatesOfPayouts(ctx, payoutIds), runId, endings);
    else await noteStuck(ctx, runId, payoutIds, 'payment_failed');
    reportProgress(ctx, { ...run, ...(await countItemsOfBatch(ctx, run, payoutIds.length)) });
  }
  return true;
}
