import { sql } from 'kysely';
import { loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { claimPayouts, lockAffiliatesOf, payClaimed, releasePayouts } from '../payouts/claim.ts';
import type { Step } from '../../platform/call/transaction.ts';
import { PayoutRun } from './payout-run.entity.ts';
import type { IssueCode, StoredItemState } from './payout-run.tables.ts';
import { recheck } from './recheck.ts';

/** Items and commissions per transaction: few enough that nobody waits long for an affiliate's lock. */
const MAX_ITEMS = 1_000;
const MAX_COMMISSIONS = 20_000;

/** Does everything that a run has left to do. Any number of processes may do so at once: they take turns, batch by batch. */
export async function advanceToEnd(step: Step, runId: string): Promise<void> {
  while (await step((ctx) => advanceRun(ctx, runId)));
}

/**
 * Does the next batch of what a run has left to do, in the caller's transaction: claims candidates, then pays or, in a canceled
 * run, releases what it holds. Everything it needs to know stands in the run and its items, so a process that dies loses its last
 * batch and nothing else, and no item is paid twice. The run's lock is taken before the affiliates'.
 *
 * @returns whether anything may be left
 */
export async function advanceRun(ctx: WriteCtx, runId: string): Promise<boolean> {
  const run = await loadForUpdate(ctx, PayoutRun, runId);
  if (!run.working) return false;
  const done = await nextBatch(ctx, run);
  if (done === null) run.rest(await hasFailedItems(ctx, runId), ctx.now);
  else run.progress(done, ctx.now);
  await ctx.em.flush();
  const { id, account_id, state, items_done, items_total } = run;
  ctx.afterCommit(() =>
    ctx.services.log.info({ payout_run_id: id, account_id, state, items_done, items_total }, 'payout run advanced'),
  );
  return run.working;
}

/** Whether an executed run has issues. */
export async function hasFailedItems(ctx: WriteCtx, runId: string): Promise<boolean> {
  const failed = await ctx.db
    .selectFrom('payout_run_item')
    .select('payout_id')
    .where('run_id', '=', runId)
    .where('state', '=', 'failed')
    .limit(1)
    .execute();
  return failed.length > 0;
}

/** Sets the state of items; failed ones carry an issue. */
export async function moveItems(
  ctx: WriteCtx,
  runId: string,
  payoutIds: readonly string[],
  state: StoredItemState,
  issueCode: IssueCode | null = null,
): Promise<void> {
  await sql`
    update payout_run_item set state = ${state}, issue_code = ${issueCode}
    where run_id = ${runId} and payout_id = any (${payoutIds})`.execute(ctx.db);
}

/** Returns how many items came to their end; null when there was nothing to do. */
async function nextBatch(ctx: WriteCtx, run: PayoutRun): Promise<number | null> {
  const candidates = await take(ctx, run.id, 'candidate');
  if (candidates.length > 0) return run.state === 'canceled' ? cancel(ctx, run, candidates) : claim(ctx, run, candidates);
  if (run.state === 'planned') return null;
  const planned = await take(ctx, run.id, 'planned');
  if (planned.length === 0) return null;
  return run.state === 'canceled' ? cancel(ctx, run, planned) : pay(ctx, run, planned);
}

/** The next items in some state, affiliate by affiliate. */
async function take(ctx: WriteCtx, runId: string, state: 'candidate' | 'planned'): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from (
      select payout_id, sum(commissions_count) over (order by affiliate_id, payout_id) - commissions_count as commissions_before
      from (
        select affiliate_id, payout_id, commissions_count from payout_run_item
        where run_id = ${runId} and state in ('candidate', 'planned') and state = ${state}
        order by affiliate_id, payout_id limit ${MAX_ITEMS}
      ) next
    ) batch
    where commissions_before < ${MAX_COMMISSIONS}`.execute(ctx.db);
  return rows.map(({ payout_id }) => payout_id);
}

/** What was taken elsewhere since it became a candidate drops out of the run. */
async function claim(ctx: WriteCtx, run: PayoutRun, payoutIds: readonly string[]): Promise<number> {
  await lockAffiliatesOf(ctx, payoutIds);
  const claimed = await claimPayouts(ctx, { run_id: run.id }, payoutIds);
  await sql`
    update payout_run_item item set
      state = 'planned', issue_code = null, amount_cents = payout.amount_cents, commissions_count = payout.commissions_count
    from payout where item.run_id = ${run.id} and item.payout_id = any (${claimed}) and payout.id = item.payout_id`.execute(
    ctx.db,
  );
  const taken = without(payoutIds, claimed);
  await moveItems(ctx, run.id, taken, 'excluded');
  return taken.length;
}

async function pay(ctx: WriteCtx, run: PayoutRun, payoutIds: readonly string[]): Promise<number> {
  const owner = { run_id: run.id };
  await lockAffiliatesOf(ctx, payoutIds);
  const verdicts = Map.groupBy(await recheck(ctx, run.id, payoutIds), ({ issue_code }) => issue_code);
  const failed: string[] = [];
  const paid: string[] = [];
  for (const [issueCode, judged] of verdicts) {
    const ids = judged.map(({ payout_id }) => payout_id);
    if (issueCode === null) {
      paid.push(...(await payClaimed(ctx, owner, ids, run.payment_reference)));
    } else {
      failed.push(...ids);
      await moveItems(ctx, run.id, ids, 'failed', issueCode);
    }
  }
  await releasePayouts(ctx, owner, failed);
  await moveItems(ctx, run.id, paid, 'paid');
  // A claim that is gone was taken from the run behind its back; reconciliation reports the payout.
  await moveItems(ctx, run.id, without(without(payoutIds, failed), paid), 'excluded');
  return payoutIds.length;
}

async function cancel(ctx: WriteCtx, run: PayoutRun, payoutIds: readonly string[]): Promise<number> {
  await lockAffiliatesOf(ctx, payoutIds);
  await releasePayouts(ctx, { run_id: run.id }, payoutIds);
  await moveItems(ctx, run.id, payoutIds, 'canceled');
  return payoutIds.length;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}
