import { sql } from 'kysely';
import { tellMembers } from '../../identity/members/member-mails.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { GrowingTables } from '../../platform/db/growing-tables.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { PAYOUT_MAILS } from '../mail-texts.ts';
import { hasItemsToDo } from './items-to-do.ts';
import type { PayoutRun } from './payout-run.entity.ts';
import { getPayoutRunSummary } from './payout-run.queries.ts';
import { changeRun, finishWork } from './payout-run.transitions.ts';
import { STORED_ITEMS } from './run-item.ts';
import { loadRunIfFree } from './run-lock.ts';
import { reportProgress } from './run-progress.ts';

/** Tables to which a run adds rows. */
const FILLED = ['payout_attempt', 'event', 'webhook_delivery'];

/** Calls `finishRun` and returns true. Returns false instead if another transaction is working on the run. */
export async function finishRunIfFree(ctx: WriteCtx, runId: string): Promise<boolean> {
  const run = await loadRunIfFree(ctx, runId);
  if (run === null) return false;
  await finishRun(ctx, run);
  return true;
}

/**
 * Ends the work on a run, in the caller's transaction, which holds the run's lock exclusively. Returns true, without ending the work, if
 * items are left to do.
 */
export async function finishRun(ctx: WriteCtx, run: Locked<PayoutRun>): Promise<boolean> {
  if (!run.working) return false;
  // A concurrent batch may have failed and left its items undone.
  if (await hasItemsToDo(ctx, run)) return true;
  const hasFailed = await hasFailedItems(ctx, run.id);
  await changeRun(ctx, run, (draft) => finishWork(draft, hasFailed, ctx.now));
  // Analyzes the tables, because clients are likely to list the new rows now. Not awaited, because the caller does not need the result.
  ctx.afterCommit(() => void new GrowingTables(ctx.services, FILLED).add(run.items_total));
  if (run.state !== 'planned') emit(ctx, 'payout_run.finished', await getPayoutRunSummary(ctx, run.id));
  if (run.livemode && (run.state === 'completed' || run.state === 'partially_completed')) await tellOfFinishedRun(ctx, run);
  reportProgress(ctx, run);
  return false;
}

/** Writes emails to members about a finished run of live payouts. A retried run finishes again, and members then get another email. */
async function tellOfFinishedRun(ctx: WriteCtx, { id, state, items_total }: PayoutRun): Promise<void> {
  const { rows } = await sql<{ paid: number; failed: number }>`
    select count(*) filter (where state = 'paid')::int as paid, count(*) filter (where state = 'failed')::int as failed
    from ${STORED_ITEMS} item where run_id = ${id}`.execute(ctx.db);
  const { paid, failed } = rows[0]!;
  const t = PAYOUT_MAILS.finishedRun;
  const reported = await tellMembers(ctx, 'finished_runs', (language) => {
    const say = inLanguage(language);
    return {
      subject: say(state === 'completed' ? t.completed : t.completedInPart),
      lines: [say(t.paid, { paid, all: items_total }), ...(failed === 0 ? [] : [say(t.failed, { failed })])],
      link: { label: say(t.link), path: `/payouts/runs/${id}` },
    };
  });
  if (reported > 0) ctx.afterCommit(() => ctx.services.jobs.send('mail'));
}

/** True if a run has failed items other than those of the payouts in `except`. */
export async function hasFailedItems(ctx: WriteCtx, runId: string, except: readonly string[] = []): Promise<boolean> {
  const { rows } = await sql`
    select from ${STORED_ITEMS} item where run_id = ${runId} and state = 'failed' and payout_id <> all (${except}::text[]) limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}
