import { sql } from 'kysely';
import { loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { GrowingTables } from '../../platform/db/growing-tables.ts';
import { claimPayouts, lockAffiliatesOfPayouts, releasePayouts } from '../../earnings/payout-records/payout.transitions.ts';
import { payPayouts } from '../payouts/pay-payouts.ts';
import type { Step } from '../../platform/call/transaction.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { sendMailSoon } from '../../platform/mail/outbox.ts';
import { tellMembers } from '../../identity/members/member-mails.ts';
import { PAYOUT_MAILS } from '../mail-texts.ts';
import { checkItems } from './check-items.ts';
import { PayoutRun } from './payout-run.entity.ts';
import { countFinishedItems, finishWork, markItemsFailed, markItemsPlanned, moveItems } from './payout-run.transitions.ts';

/** Items and commissions per transaction: few enough that nobody waits long for an affiliate's lock. */
const MAX_ITEMS = 500;
const MAX_COMMISSIONS = 5_000;
/** Tables to which a run adds rows. */
const FILLED = ['payout_run_item', 'payout_claim', 'event', 'webhook_delivery'];

/** Does all the work that a run has left. Several processes may do so at once: they take turns, batch by batch. */
export async function advanceToEnd(step: Step, runId: string): Promise<void> {
  while (await step((ctx) => advanceRun(ctx, runId)));
}

/**
 * Does the next batch of a run's work in the caller's transaction: claims candidates, then pays planned items; in a canceled run, releases
 * both. The run and its items hold all state, so a process that dies loses its last batch only, and no item is paid twice. Locks the run,
 * then the affiliates.
 *
 * @returns whether work may be left
 */
export async function advanceRun(ctx: WriteCtx, runId: string): Promise<boolean> {
  const run = await loadForUpdate(ctx, PayoutRun, runId);
  if (!run.working) return false;
  const done = await nextBatch(ctx, run);
  if (done === null) finishWork(run, await hasFailedItems(ctx, runId), ctx.now);
  else countFinishedItems(run, done, ctx.now);
  await ctx.em.flush();
  // Planned or paid: the run's lists are asked for now. Not awaited, because nothing else waits for it.
  if (done === null) ctx.afterCommit(() => void new GrowingTables(ctx.services, FILLED).add(run.items_total));
  if (done === null && (run.state === 'completed' || run.state === 'partially_completed')) await tellOfFinishedRun(ctx, run);
  const { id, account_id, state, items_done, items_total } = run;
  ctx.afterCommit(() =>
    ctx.services.log.info({ payout_run_id: id, account_id, state, items_done, items_total }, 'payout run advanced'),
  );
  return run.working;
}

/** A run has work to do again after a retry, and finishes again then. */
async function tellOfFinishedRun(ctx: WriteCtx, { id, state, items_total }: PayoutRun): Promise<void> {
  const { rows } = await sql<{ paid: number; failed: number }>`
    select count(*) filter (where state = 'paid')::int as paid, count(*) filter (where state = 'failed')::int as failed
    from payout_run_item where run_id = ${id}`.execute(ctx.db);
  const { paid, failed } = rows[0]!;
  const t = PAYOUT_MAILS.finishedRun;
  const told = await tellMembers(ctx, 'finished_runs', (language) => {
    const say = inLanguage(language);
    return {
      subject: say(state === 'completed' ? t.completed : t.completedInPart),
      lines: [say(t.paid, { paid, all: items_total }), ...(failed === 0 ? [] : [say(t.failed, { failed })])],
      link: { label: say(t.link), path: `/payouts/runs/${id}` },
    };
  });
  if (told > 0) ctx.afterCommit(() => sendMailSoon(ctx.services));
}

/** True if a run has failed items other than these. */
export async function hasFailedItems(ctx: WriteCtx, runId: string, except: readonly string[] = []): Promise<boolean> {
  const failed = await ctx.db
    .selectFrom('payout_run_item')
    .select('payout_id')
    .where('run_id', '=', runId)
    .where('state', '=', 'failed')
    .where(sql<boolean>`payout_id <> all (${except}::text[])`)
    .limit(1)
    .execute();
  return failed.length > 0;
}

/** Returns the number of items that reached a final state; null when there was nothing to do. */
async function nextBatch(ctx: WriteCtx, run: PayoutRun): Promise<number | null> {
  const candidates = await nextPayoutIds(ctx, run.id, 'candidate');
  if (candidates.length > 0) return run.state === 'canceled' ? cancel(ctx, run, candidates) : claim(ctx, run, candidates);
  if (run.state === 'planned') return null;
  const planned = await nextPayoutIds(ctx, run.id, 'planned');
  if (planned.length === 0) return null;
  return run.state === 'canceled' ? cancel(ctx, run, planned) : pay(ctx, run, planned);
}

/** The payouts of the next items in a state, affiliate by affiliate, as many as fit into one batch. */
async function nextPayoutIds(ctx: WriteCtx, runId: string, state: 'candidate' | 'planned'): Promise<string[]> {
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

/** Claims candidates. A payout that was claimed or paid elsewhere meanwhile is excluded from the run. */
async function claim(ctx: WriteCtx, run: PayoutRun, payoutIds: readonly string[]): Promise<number> {
  await lockAffiliatesOfPayouts(ctx, payoutIds);
  const claimed = await claimPayouts(ctx, { run_id: run.id }, payoutIds);
  await markItemsPlanned(ctx, run.id, claimed);
  const unavailable = without(payoutIds, claimed);
  await moveItems(ctx, run.id, unavailable, 'excluded');
  return unavailable.length;
}

/** Pays planned items that pass the check. The others fail, and their payouts are released. */
async function pay(ctx: WriteCtx, run: PayoutRun, payoutIds: readonly string[]): Promise<number> {
  const owner = { run_id: run.id };
  await lockAffiliatesOfPayouts(ctx, payoutIds);
  const checksByIssue = Map.groupBy(await checkItems(ctx, run.id, payoutIds), ({ issue_code }) => issue_code);
  const failed: string[] = [];
  const paid: string[] = [];
  for (const [issue, checks] of checksByIssue) {
    const ids = checks.map(({ payout_id }) => payout_id);
    if (issue === null) {
      paid.push(...(await payPayouts(ctx, owner, ids, run.payment_reference)));
    } else {
      failed.push(...ids);
      await markItemsFailed(ctx, run.id, ids, issue);
    }
  }
  await releasePayouts(ctx, owner, failed);
  await moveItems(ctx, run.id, paid, 'paid');
  // The run no longer holds these payouts, which the service itself never causes; reconciliation reports them.
  await moveItems(ctx, run.id, without(without(payoutIds, failed), paid), 'excluded');
  return payoutIds.length;
}

/** Releases the payouts of a canceled run. */
async function cancel(ctx: WriteCtx, run: PayoutRun, payoutIds: readonly string[]): Promise<number> {
  await lockAffiliatesOfPayouts(ctx, payoutIds);
  await releasePayouts(ctx, { run_id: run.id }, payoutIds);
  await moveItems(ctx, run.id, payoutIds, 'canceled');
  return payoutIds.length;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}
