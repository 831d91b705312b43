/**
 * Batches of a run share an advisory lock, so that several transactions can work on the run at the same time. A transaction that executes
 * or remediates the run, ends its work, or returns one of its payouts takes the lock exclusively, so that no batch is running and none can
 * start. A lock on the run's row would not work, because PostgreSQL could grant shared row locks to new batches again and again while the
 * other transaction waits.
 *
 * A transaction locks in this order: the advisory lock, the run's row, the affiliates. Only a batch locks the row after the affiliates, to
 * count its items. This causes no deadlock, because no transaction that holds the row waits for an affiliate while a batch is running.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import { tellMembers } from '../../identity/members/member-mails.ts';
import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { payPayouts } from '../../ledger/payouts/pay-payouts.ts';
import { claimPayouts, findHeldBy, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Held, type Locked, sharedAdvisoryLock, tryAdvisoryLock } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction, type Step, systemContext } from '../../platform/call/transaction.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { GrowingTables } from '../../platform/db/growing-tables.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { Leftovers, mayLieInOne, workApart } from '../../platform/errors/work-apart.ts';
import { onceInSteps, type StepwiseRequest } from '../../platform/idempotency/idempotency.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { PAYOUT_MAILS } from '../mail-texts.ts';
import { checkItems } from './check-items.ts';
import { PayoutRun } from './payout-run.entity.ts';
import {
  getPayoutRun,
  getPayoutRunSummary,
  getRunRow,
  payoutRunRecord,
  STORED_ITEMS,
  unpaidAmountsOf,
} from './payout-run.queries.ts';
import type { ExecutePayoutRun, PayoutRunRecord } from './payout-run.schema.ts';
import {
  changeRun,
  countFinishedItems,
  countItemsOfBatch,
  finishWork,
  markItemsFailed,
  markItemsPlanned,
  markRunExecuting,
  moveItems,
} from './payout-run.transitions.ts';
import { confirmRun, previewToEnd } from './preview-run.ts';

/** Takes the run's lock for a batch, shared with other batches, until the transaction ends. */
function shareRun(ctx: WriteCtx, id: string): Promise<Held<'payout run'>> {
  return sharedAdvisoryLock(ctx, 'payout run', id);
}

/** Takes the run's lock exclusively, waiting for batches that are running, and loads the run. Throws NOT_FOUND. */
export async function loadRunAlone(ctx: WriteCtx, id: string): Promise<Locked<PayoutRun>> {
  await advisoryLock(ctx, 'payout run', id);
  return lock(ctx, PayoutRun, id);
}

/** Like `loadRunAlone`, without waiting. Returns null if a batch is running, or if another transaction holds the lock exclusively. */
async function loadRunIfFree(ctx: WriteCtx, id: string): Promise<Locked<PayoutRun> | null> {
  return (await tryAdvisoryLock(ctx, 'payout run', id)) ? lock(ctx, PayoutRun, id) : null;
}

/**
 * Executes a run: checks every item again, and pays the items that pass. An item that fails gets an issue, and its payout is released. With
 * `async`, a worker does the work. If an earlier execution of the run was interrupted, continues it. If the execution has ended, returns the
 * run unchanged (docs/rules/payouts.md#payout-runs).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR on a canceled run; PAY_LIMIT_EXCEEDED
 */
export function executePayoutRun(input: ExecutePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      const run = await loadRunAlone(ctx, input.id);
      const isStarting = run.state === 'planned';
      await changeRun(ctx, run, (draft) => markRunExecuting(draft, input.payment_reference, ctx.now));
      if (isStarting && run.livemode && ctx.principal.kind === 'connector') {
        await claimForConnector(ctx, run, await findCandidates(ctx, run.id));
        await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      }
      return { id: input.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      if (run.state === 'planned' && run.livemode) await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      markRunExecuting(run, input.payment_reference, ctx.now);
      if (!input.async) return previewToEnd(ctx, run, STORED_ITEMS);
      await confirmRun(ctx, run, STORED_ITEMS);
      return payoutRunRecord(ctx, run, STORED_ITEMS);
    },
    // A worker does the remaining steps.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  };
}

/**
 * Does the remaining work of all runs: asynchronous executions, and work that a killed process has left. Does one batch of each run in
 * turn. Several processes may do this at the same time. Items on which another process is working are left to that process and the next
 * sweep.
 *
 * @param mustStop checked between batches; the work ends when it returns true
 * @throws an error that names the runs that failed, after the others have been advanced
 */
export async function advancePayoutRuns(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  const failed = new Set<string>();
  const leftovers = new Map<string, Leftovers>();
  await inLanes(async ({ join }) => {
    let isIdle: boolean;
    do {
      isIdle = true;
      const runs = (await runsWithWork(services)).filter(({ id }) => !failed.has(id));
      for (const { id, account_id } of runs) {
        if (mustStop()) return;
        const left = leftovers.get(id) ?? new Leftovers();
        leftovers.set(id, left);
        try {
          const step: Step = (part) => inTransaction(systemContext(services, account_id, id), part);
          if (await advanceRun(step, id, join, left)) isIdle = false;
        } catch (err) {
          failed.add(id);
          services.log.error({ err, payout_run_id: id, account_id }, 'payout run failed; will be continued');
        }
      }
    } while (!isIdle);
  });
  if (failed.size > 0) throw new Error(`Payout runs failed: ${[...failed].join(', ')}.`);
}

function runsWithWork({ database }: Services): Promise<{ id: string; account_id: string }[]> {
  return database.kysely
    .selectFrom('payout_run')
    .select(['id', 'account_id'])
    .where('working', '=', true)
    .orderBy('id')
    .execute();
}

/** The work that a request does on a run. */
export interface RunWork<Begun extends { id: string }> {
  /** Makes all decisions in one transaction, and returns the id of the run. */
  begin: (ctx: WriteCtx) => Promise<Begun>;
  /** Returns the run as the request would leave it, and adds its events to `ctx.preview`. Only reads. */
  preview: (ctx: WriteCtx) => Promise<PayoutRunRecord>;
  /** Does the remaining steps. May be called again after an interruption. Default: a function that does all of the run's remaining work. */
  proceed?: (step: Step, runId: string) => Promise<void>;
}

/**
 * Does a request's work on a run in steps, and returns the run. The work begins at most once per Idempotency-Key: until the
 * response is stored, the key refers to the run, and a repeated request continues the work.
 *
 * If the process dies, the rows of the run and its items say what is left to do. A worker, or the repeated request, finishes the run.
 */
export async function workOnRun<Begun extends { id: string }>(
  ctx: Ctx,
  request: StepwiseRequest<Begun>,
  { begin, preview, proceed = advanceToEnd }: RunWork<Begun>,
): Promise<PayoutRunRecord> {
  if (ctx.preview) return inTransaction(ctx, preview);
  return onceInSteps(ctx, request, {
    begin: async (tx) => {
      const begun = await begin(tx);
      if (tx.confirmation) await confirmRun(tx, await getRunRow(tx, begun.id), STORED_ITEMS);
      // Workers share the work, and finish it if this process dies.
      tx.afterCommit(() => tx.services.jobs.send('payout_runs'));
      return begun;
    },
    proceed: (step, { id }) => proceed(step, id),
    respond: (part, { id }) => getPayoutRun(part, id),
  });
}

type RunRow = TableRow<'payout_run'>;

/**
 * Maximum numbers of items and commissions per transaction. `payoutRunBatch` overrides the number of items. Small, because other
 * transactions wait for the locks on the affiliates.
 */
const MAX_ITEMS = 500;
const MAX_COMMISSIONS = 5_000;
/** Tables to which a run adds rows. */
const FILLED = ['payout_run_item', 'payout_claim', 'event', 'webhook_delivery'];

/**
 * Number of concurrent batches in a run that needs more than one. Small, because each batch keeps one processor core of PostgreSQL busy,
 * mostly with the indexes of commissions.
 */
const LANES = 2;

declare module '../../platform/call/context.ts' {
  interface Services {
    /** Maximum items of a payout run per transaction. Default: 500. */
    payoutRunBatch?: number | undefined;
  }
}

/** Does all remaining work of a run, and then marks the work as ended. Several processes may do this for one run at the same time. */
async function advanceToEnd(step: Step, runId: string): Promise<void> {
  const left = new Leftovers();
  do {
    await inLanes(async ({ join, hasFailed }) => {
      while (!hasFailed() && (await workOnBatch(step, runId, join, left)));
    });
    // A worker tries the payouts that are left again.
    if (left.ids.length > 0) return;
    // `loadRunAlone` waits only for batches of other processes, because the lanes of this process have ended.
  } while (await step(async (ctx) => finishRun(ctx, await loadRunAlone(ctx, runId))));
}

interface Lanes {
  /** Starts the work in another lane, unless all lanes are in use. */
  join: () => void;
  /** True if a lane has failed. */
  hasFailed: () => boolean;
}

/**
 * Runs `work` in one lane, and in further lanes at the same time when `join` is called. Waits for all lanes, then throws the first error.
 *
 * `join` may be called in a transaction. The new lane is not part of that transaction. It runs in the asynchronous context in which
 * `inLanes` was called, so it takes its own connection to the database.
 */
async function inLanes(work: (lanes: Lanes) => Promise<void>): Promise<void> {
  const outside = AsyncLocalStorage.snapshot();
  const lanes: Promise<void>[] = [];
  const errors: unknown[] = [];
  let open = 0;
  const hasFailed = () => errors.length > 0;
  const inLane = async () => {
    open += 1;
    try {
      await work({ join, hasFailed });
    } catch (error) {
      errors.push(error);
    } finally {
      open -= 1;
    }
  };
  const join = () => {
    if (open < LANES) lanes.push(outside(inLane));
  };
  join();
  for (const lane of lanes) await lane;
  if (hasFailed()) throw errors[0];
}

/**
 * Does the next batch of a run's work, or ends the work if nothing is left. The run and its items hold all state. If a process dies, only
 * its unfinished batches are lost, and no item is paid twice.
 *
 * @param join called if there is more work than fits into the batch
 * @returns false if other transactions are doing everything that is left
 * @throws the cause of the leftovers, once everything else is done
 */
async function advanceRun(step: Step, runId: string, join: () => void, left: Leftovers): Promise<boolean> {
  if (await workOnBatch(step, runId, join, left)) return true;
  left.throwCause();
  return step((ctx) => finishRunIfFree(ctx, runId));
}

/**
 * Does the next batch in one transaction. A batch that fails is repeated in halves, down to single items, so that a payout that fails holds up no
 * other. Its item is marked failed.
 *
 * @returns whether there was anything to do
 */
async function workOnBatch(step: Step, runId: string, join: () => void, left: Leftovers): Promise<boolean> {
  let begun: readonly string[] = [];
  const begin = (payoutIds: readonly string[]) => {
    begun = payoutIds;
  };
  try {
    return await step((ctx) => doBatch(ctx, runId, { join, begin, except: left.ids }));
  } catch (err) {
    if (begun.length === 0 || !mayLieInOne(err)) throw err;
    await workApart(begun, err, {
      work: (only) => step((ctx) => doBatch(ctx, runId, { join, only })),
      giveUp: (payoutId, cause) => giveUp(step, runId, payoutId, cause, left),
    });
    return true;
  }
}

/** The items that a batch may take, and callbacks for those that it takes. */
interface BatchChoice {
  /** Called if there is more work than fits into the batch. */
  join: () => void;
  /** Called with the payouts of the batch before it changes anything. */
  begin?: (payoutIds: readonly string[]) => void;
  /** The payouts of which the batch consists, if they have work left. */
  only?: readonly string[];
  /** Payouts that the batch leaves out. */
  except?: readonly string[];
}

/**
 * Does a batch in the caller's transaction: claims candidates, or pays planned items if there are no candidates. In a canceled run,
 * releases the candidates and the planned items instead. Skips items that a concurrent batch has locked. Takes the run's lock, which
 * concurrent batches share, then locks the items, then the affiliates.
 *
 * @returns whether there was anything to do
 */
async function doBatch(ctx: WriteCtx, runId: string, choice: BatchChoice): Promise<boolean> {
  await shareRun(ctx, runId);
  // The shared lock keeps the state of the run from changing.
  const run = await getRunRow(ctx, runId);
  const done = run.working ? await nextBatch(ctx, run, choice) : null;
  if (done === null) return false;
  reportProgress(ctx, { ...run, ...(await countItemsOfBatch(ctx, run, done)) });
  return true;
}

/** Marks the item of a payout failed after an error. In a canceled run, and if that fails as well, leaves the item for the next sweep. */
async function giveUp(step: Step, runId: string, payoutId: string, err: unknown, left: Leftovers): Promise<void> {
  for (const isReleasing of [true, false]) {
    try {
      if (await step((ctx) => failItem(ctx, { runId, payoutId, err, isReleasing }))) return;
      break;
    } catch (error) {
      if (!mayLieInOne(error)) throw error;
    }
  }
  left.add(payoutId, err);
}

/**
 * Marks the item of a payout failed that could not be claimed or paid because of an error, and releases the payout. If the payout cannot be released
 * either, the run keeps it (`isReleasing` false), and `retry`, `exclude` or `cancel` take it from there.
 *
 * @returns false, without a change, in a canceled run, whose items cannot fail
 */
async function failItem(
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
    if (isReleasing) await releasePayouts(ctx, await lockAffiliatesOfPayouts(ctx, payoutIds), { run_id: runId }, payoutIds);
    await markItemsFailed(ctx, runId, payoutIds, 'payment_failed');
    reportProgress(ctx, { ...run, ...(await countItemsOfBatch(ctx, run, payoutIds.length)) });
  }
  return true;
}

/** Calls `finishRun` and returns true. Returns false instead if another transaction is working on the run. */
async function finishRunIfFree(ctx: WriteCtx, runId: string): Promise<boolean> {
  const run = await loadRunIfFree(ctx, runId);
  if (run === null) return false;
  await finishRun(ctx, run);
  return true;
}

/**
 * Ends the work on a run, in the caller's transaction, which holds the run's lock exclusively. Returns true, without ending the work, if
 * items are left to do.
 */
async function finishRun(ctx: WriteCtx, run: Locked<PayoutRun>): Promise<boolean> {
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

/** Logs how far a run has come, and reports it to a caller who waits. */
function reportProgress(ctx: WriteCtx, { id, account_id, state, items_done, items_total }: RunRow): void {
  ctx.afterCommit(() => {
    ctx.services.log.info({ payout_run_id: id, account_id, state, items_done, items_total }, 'payout run advanced');
    ctx.onProgress?.({ done: items_done, total: items_total });
  });
}

/** Writes emails to members about a finished run of live payouts. A retried run finishes again, and members then get another email. */
async function tellOfFinishedRun(ctx: WriteCtx, { id, state, items_total }: PayoutRun): Promise<void> {
  const { rows } = await sql<{ paid: number; failed: number }>`
    select count(*) filter (where state = 'paid')::int as paid, count(*) filter (where state = 'failed')::int as failed
    from payout_run_item where run_id = ${id}`.execute(ctx.db);
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

type StateToDo = 'candidate' | 'planned';

/** Returns the item states that a run has to process, in the order of processing. */
function statesToDo({ state }: RunRow): StateToDo[] {
  return state === 'planned' ? ['candidate'] : ['candidate', 'planned'];
}

async function hasItemsToDo(ctx: WriteCtx, run: RunRow): Promise<boolean> {
  const items = await ctx.db
    .selectFrom('payout_run_item')
    .select('payout_id')
    .where('run_id', '=', run.id)
    .where(TO_DO)
    .where(oneOf('state', statesToDo(run)))
    .limit(1)
    .execute();
  return items.length > 0;
}

/** SQL condition: the item has work left. Repeats the predicate of a partial index, so that PostgreSQL uses this index. */
const TO_DO = sql<boolean>`state in ('candidate', 'planned')`;

/**
 * Locks the next items in a state, in the order of their affiliates. Skips items that another transaction has locked. Returns the payouts of
 * the items that fit into one batch, and whether the batch is full.
 */
async function nextPayouts(
  ctx: WriteCtx,
  runId: string,
  state: StateToDo,
  { only, except = [] }: Pick<BatchChoice, 'only' | 'except'>,
): Promise<{ payoutIds: string[]; isFull: boolean }> {
  const chosen = only ? sql`payout_id = any (${only})` : sql`payout_id <> all (${except}::text[])`;
  const maxItems = ctx.services.payoutRunBatch ?? MAX_ITEMS;
  const { rows } = await sql<{ payout_id: string; commissions_before: number }>`
    select payout_id, sum(commissions_count) over (order by affiliate_id, payout_id) - commissions_count as commissions_before
    from (
      select affiliate_id, payout_id, commissions_count from payout_run_item
      where run_id = ${runId} and ${TO_DO} and state = ${state} and ${chosen}
      order by affiliate_id, payout_id limit ${maxItems} for no key update skip locked
    ) next`.execute(ctx.db);
  const batch = rows.filter(({ commissions_before: before }) => before < MAX_COMMISSIONS);
  return { payoutIds: batch.map(({ payout_id }) => payout_id), isFull: rows.length === maxItems || batch.length < rows.length };
}

/** Claims the payouts of candidates. Excludes payouts that were claimed or paid elsewhere since the run was created. */
async function claim(ctx: WriteCtx, run: RunRow, payoutIds: readonly string[]): Promise<number> {
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  return (await claimItems(ctx, held, run.id, payoutIds)).unavailable.length;
}

/**
 * Claims the payouts of candidates, whose items become planned, and excludes payouts that were claimed or paid elsewhere. A payout that the run could
 * not release when its item failed is still held by the run, and counts as claimed.
 */
async function claimItems(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  runId: string,
  payoutIds: readonly string[],
): Promise<{ claimed: string[]; unavailable: string[] }> {
  const owner = { run_id: runId };
  const kept = await findHeldBy(ctx.db, owner, payoutIds);
  const claimed = [...kept, ...(await claimPayouts(ctx, affiliates, owner, without(payoutIds, kept)))];
  await markItemsPlanned(ctx, runId, claimed);
  const unavailable = without(payoutIds, claimed);
  await moveItems(ctx, runId, unavailable, 'excluded');
  return { claimed, unavailable };
}

/**
 * Claims payouts of a run that a connector executes or retries, before they are counted against its daily limits. They may have collected commissions
 * since the run was created or since they failed, so their amounts are final only when the run has claimed them, in the transaction that decides the
 * payment. The caller holds the run's lock exclusively.
 *
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

/** Returns the payouts that a run has not claimed yet, because its creation was interrupted. */
async function findCandidates({ db }: WriteCtx, runId: string): Promise<string[]> {
  const items = await db
    .selectFrom('payout_run_item')
    .select('payout_id')
    .where('run_id', '=', runId)
    .where(TO_DO)
    .where('state', '=', 'candidate')
    .execute();
  return items.map(({ payout_id }) => payout_id);
}

/** Pays the planned items that pass the check. Marks all others failed, and releases their payouts. */
async function pay(ctx: WriteCtx, run: RunRow, payoutIds: readonly string[]): Promise<number> {
  const owner = { run_id: run.id };
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  const checksByIssue = Map.groupBy(await checkItems(ctx, run.id, payoutIds), ({ issue_code }) => issue_code);
  const failed: string[] = [];
  const paid: string[] = [];
  for (const [issue, checks] of checksByIssue) {
    const ids = checks.map(({ payout_id }) => payout_id);
    if (issue === null) {
      paid.push(...(await payPayouts(ctx, held, owner, ids, run.payment_reference)));
    } else {
      failed.push(...ids);
      await markItemsFailed(ctx, run.id, ids, issue);
    }
  }
  await releasePayouts(ctx, held, owner, failed);
  await moveItems(ctx, run.id, paid, 'paid');
  // The run no longer holds the remaining payouts. Only a change made directly in the database can cause this, and reconciliation reports
  // such a change.
  await moveItems(ctx, run.id, without(without(payoutIds, failed), paid), 'excluded');
  return payoutIds.length;
}

/** Releases the payouts of a canceled run. */
async function cancel(ctx: WriteCtx, run: RunRow, payoutIds: readonly string[]): Promise<number> {
  const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
  await releasePayouts(ctx, held, { run_id: run.id }, payoutIds);
  await moveItems(ctx, run.id, payoutIds, 'canceled');
  return payoutIds.length;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others);
  return ids.filter((id) => !gone.has(id));
}
