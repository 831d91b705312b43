/**
 * All state changes of a payout run (docs/rules/payouts.md#payout-runs). `payout.transitions.ts` changes the payouts and the attempts, which are the
 * items of the run.
 *
 * A preview applies the same changes as the run itself, so they are made to a draft: `changeRun` writes the differences between a locked run
 * and its draft, and a preview only shows the draft.
 */
import { type RawBuilder, sql } from 'kysely';
import { PAID_BY_HAND } from '../../ledger/payouts/payout-attempt.entity.ts';
import { eligiblePayouts } from '../../ledger/payouts/payout.queries.ts';
import { addCandidates, createBatch } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { newRecordColumns, save } from '../../platform/call/records.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PayoutRunState } from '../../platform/wire/states.ts';
import { PayoutRun } from './payout-run.entity.ts';

/** A run, or a copy of it that is not stored yet. */
type RunRow = TableRow<'payout_run'>;

/** The values that are decided when a run is created. */
export interface NewPayoutRun {
  id: string;
  idempotency_key: string;
  livemode: boolean;
  request_fingerprint: string;
  affiliate_ids: string[] | null;
  payment_reference: string | null;
  /** True if the run starts in state `executing`, false if it starts in state `planned`. */
  execute_now: boolean;
}

/**
 * Creates a run with an item for each payout that is eligible now. Does not lock the payouts. If another transaction claims or pays one of
 * them first, the run excludes that payout later, when it claims its payouts.
 *
 * @returns false, without creating anything, if the account has a run with this idempotency key
 */
export async function createRun(ctx: WriteCtx, terms: NewPayoutRun): Promise<boolean> {
  const inserted = await ctx.db
    .insertInto('payout_run')
    .values(newRun(ctx, terms))
    .onConflict((conflict) => conflict.columns(['account_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return false;
  createBatch(ctx, 'run', terms.id);
  const items = await addCandidates(ctx, { batchId: terms.id, method: PAID_BY_HAND }, newItems(ctx, terms));
  await sql`update payout_run set items_total = ${items} where id = ${terms.id}`.execute(ctx.db);
  return true;
}

/** Applies changes to a draft of a run, and writes them. Returns the result of `change`. */
export async function changeRun<T>(ctx: WriteCtx, run: Locked<PayoutRun>, change: (draft: RunRow) => T | Promise<T>): Promise<T> {
  const draft = { ...run };
  const result = await change(draft);
  save(ctx, PayoutRun, run, draft);
  return result;
}

/** Returns the row of a new run, before its items are counted. */
export function newRun(ctx: WriteCtx, { id, execute_now, ...terms }: NewPayoutRun): RunRow {
  return {
    ...newRecordColumns(ctx, id),
    ...terms,
    state: execute_now ? 'executing' : 'planned',
    working: true,
    items_total: 0,
    items_done: 0,
    executed_at: execute_now ? ctx.now : null,
    completed_at: null,
    canceled_at: null,
  };
}

/** SQL query: the items of a new run, one for each payout that is eligible now. */
export function newItems(ctx: WriteCtx, terms: NewPayoutRun): RawBuilder<unknown> {
  let eligible = eligiblePayouts(ctx, terms).select([
    'payout.id as payout_id',
    'payout.affiliate_id',
    'payout.currency',
    'payout.amount_cents',
    'payout.commissions_count',
    'payout.livemode',
  ]);
  if (terms.affiliate_ids) eligible = eligible.where('payout.affiliate_id', '=', sql<string>`any (${terms.affiliate_ids})`);
  return sql`(select eligible.*, ${terms.id}::text as run_id, 'candidate' as state, null::text as issue_code,
    null::text as sealed_receiver, null::jsonb as method_versions from (${eligible}) eligible)`;
}

/**
 * Starts the execution of a run (planned → executing). Changes nothing on a run that was executed before. Throws VALIDATION_ERROR on a
 * canceled run.
 */
export function markRunExecuting(run: RunRow, paymentReference: string | undefined, at: Instant): void {
  if (run.state === 'canceled') throw invalid('id', 'This run is canceled.', 'invalid_state');
  if (run.state !== 'planned') return;
  run.payment_reference = paymentReference ?? run.payment_reference;
  run.executed_at = at;
  startWork(run, 'executing', at);
}

/** Continues a run that was completed, fully or in part (→ executing). `retriedItems` is the number of failed items that are candidates again. */
export function markRunRetried(run: RunRow, retriedItems: number, at: Instant): void {
  run.items_done -= retriedItems;
  run.completed_at = null;
  startWork(run, 'executing', at);
}

/** Cancels a run (any state but completed → canceled). Changes nothing on a canceled run. Throws VALIDATION_ERROR on a completed run. */
export function markRunCanceled(run: RunRow, at: Instant): void {
  if (run.state === 'completed')
    throw invalid('id', 'This run has been completed, so there is nothing left to cancel.', 'invalid_state');
  if (run.state === 'canceled') return;
  run.canceled_at = at;
  startWork(run, 'canceled', at);
}

/** Adds the number of items that reached a final state to `items_done`. */
export function countFinishedItems(run: RunRow, items: number, at: Instant): void {
  run.items_done += items;
  run.updated_at = at;
}

/**
 * Like `countFinishedItems`, for a batch that has read the run without locking its row. Locks the row, so the batch calls this after all
 * its other changes. The state of the run cannot have changed since the batch began (`advance-run.ts`).
 */
export async function countItemsOfBatch(
  ctx: WriteCtx,
  { id }: Pick<RunRow, 'id'>,
  items: number,
): Promise<Pick<RunRow, 'items_done' | 'items_total'>> {
  const { rows } = await sql<Pick<RunRow, 'items_done' | 'items_total'>>`
    update payout_run set items_done = items_done + ${items}, updated_at = ${ctx.now} where id = ${id}
    returning items_done, items_total`.execute(ctx.db);
  return rows[0]!;
}

/** Ends the work on a run that has nothing left to do for now. An executing run becomes completed, or partially completed if items have failed. */
export function finishWork(run: RunRow, hasFailedItems: boolean, at: Instant): void {
  run.working = false;
  run.updated_at = at;
  if (run.state !== 'executing' && run.state !== 'partially_completed') return;
  run.state = hasFailedItems ? 'partially_completed' : 'completed';
  run.completed_at = at;
}

function startWork(run: RunRow, state: PayoutRunState, at: Instant): void {
  run.state = state;
  run.working = true;
  run.updated_at = at;
}
