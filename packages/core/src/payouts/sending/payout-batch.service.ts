import { sql } from 'kysely';
import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { SCREENING } from '../../ledger/payouts/payout-attempt.entity.ts';
import { IS_UNCLEARED } from '../../ledger/payouts/payout-screening.entity.ts';
import {
  approveAttempts,
  authorizeAttempts,
  lockAffiliatesOfPayouts,
  releasePayouts,
} from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { isVisibleTo, withStoredMode } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import {
  approveBatch,
  authorizeSending,
  findStop,
  hashOfUnsent,
  needsApproval,
  unsentOf,
} from '../approvals/authorize-sending.ts';
import { getBatchRow, loadBatchAlone } from '../batches/batch.queries.ts';
import type { BatchRow, PayoutBatch } from '../batches/payout-batch.entity.ts';
import { changeBatch, finishWork, markBatchSent, markBatchWithdrawn } from '../batches/payout-batch.transitions.ts';
import { sendingMethods } from '../methods/methods.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { findRailFor, modeOfPayment } from '../rails/open-rail.ts';
import {
  type ApprovePayoutBatch,
  batchExpansions,
  type ListPayoutBatches,
  type PayoutBatchRecord,
  type PlainPayoutBatch,
} from './sending.schema.ts';

/** Returns payments that the service sends together. Throws NOT_FOUND. */
export async function getPayoutBatch(
  ctx: Ctx,
  { id, expand }: { id: string; expand: readonly 'attempts'[] },
): Promise<PayoutBatchRecord> {
  const record = await batchRecord(ctx, await getBatchRow(ctx, 'payment', id));
  const [expanded] = await batchExpansions.into(ctx, [record], expand);
  return expanded!;
}

/** Lists payments that the service sends together, newest first. */
export async function listPayoutBatches(ctx: Ctx, asked: ListPayoutBatches): Promise<Page<PlainPayoutBatch>> {
  const input = withStoredMode(ctx, asked);
  let query = ctx.db
    .selectFrom('payout_batch')
    .where('account_id', '=', ctx.accountId)
    .where('kind', '=', 'payment')
    .where(isVisibleTo(ctx, 'payout_batch'));
  if (input.livemode !== undefined) query = query.where('livemode', '=', input.livemode);
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_batch' }),
    select: (all) => all.selectAll(),
  });
  const figures = await paymentFiguresOf(
    ctx,
    data.map(({ id }) => id),
  );
  return { data: await Promise.all(data.map((batch, index) => recordOf(ctx, batch, figures[index]!))), pagination };
}

/** Returns the wire form of a batch of payments. */
export async function batchRecord(ctx: Reader, batch: PayoutBatch): Promise<PlainPayoutBatch> {
  const [figures] = await paymentFiguresOf(ctx, [batch.id]);
  return recordOf(ctx, batch, figures!);
}

type Reader = Pick<Ctx, 'db' | 'accountId' | 'now' | 'services'>;
type FiguresOfBatch = Awaited<ReturnType<typeof paymentFiguresOf>>[number];

/** Sums and numbers of the payments of a batch in one currency. Superseded attempts count no more. */
interface PaymentFigures {
  currency: string;
  payouts_count: number;
  unsent_count: number;
  underway_count: number;
  arrived_count: number;
  unknown_count: number;
  unquoted_count: number;
  amount_cents: number;
  unsent_cents: number;
  underway_cents: number;
  arrived_cents: number;
  ended_cents: number;
}

/** Returns the figures of the payments of batches by currency, and those of their fees, with two queries. */
async function paymentFiguresOf(
  { db }: Pick<Ctx, 'db'>,
  batchIds: readonly string[],
): Promise<{ payments: PaymentFigures[]; fees: PlainPayoutBatch['fees'] }[]> {
  const [unsent, underway] = [
    sql`state in ('prepared', 'approved')`,
    sql`state in ('sent', 'unknown', 'in_transit', 'unclaimed')`,
  ];
  const { rows: payments } = await sql<PaymentFigures & { batch_id: string }>`
    select batch_id, currency, count(*) as payouts_count,
      count(*) filter (where ${unsent}) as unsent_count,
      count(*) filter (where ${underway}) as underway_count,
      count(*) filter (where state = 'arrived') as arrived_count,
      count(*) filter (where state = 'unknown') as unknown_count,
      count(*) filter (where quoted_fee_cents is null) as unquoted_count,
      sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where ${unsent}), 0) as unsent_cents,
      coalesce(sum(amount_cents) filter (where ${underway}), 0) as underway_cents,
      coalesce(sum(amount_cents) filter (where state = 'arrived'), 0) as arrived_cents,
      coalesce(sum(amount_cents) filter (where state in ('failed', 'withdrawn', 'returned')), 0) as ended_cents
    from payout_attempt where batch_id = any (${batchIds}) and not superseded group by batch_id, currency order by currency`.execute(
    db,
  );
  const { rows: fees } = await sql<PlainPayoutBatch['fees'][number] & { batch_id: string }>`
    select batch_id, currency, sum(quoted_cents) as quoted_cents, sum(charged_cents) as charged_cents, sum(affiliate_cents) as affiliate_cents from (
      select batch_id, quoted_fee_currency as currency, quoted_fee_cents as quoted_cents, 0 as charged_cents, 0 as affiliate_cents
      from payout_attempt where batch_id = any (${batchIds}) and not superseded and quoted_fee_cents is not null
      union all
      select batch_id, fee_currency, 0, fee_cents, 0 from payout_attempt where batch_id = any (${batchIds}) and fee_cents is not null
      union all
      select batch_id, currency, 0, 0, affiliate_fee_cents from payout_attempt
      where batch_id = any (${batchIds}) and affiliate_fee_cents > 0 and state not in ('failed', 'withdrawn', 'returned')
    ) fee group by batch_id, currency order by currency`.execute(db);
  const ofBatch = <Row extends { batch_id: string }>(rows: readonly Row[], id: string): Omit<Row, 'batch_id'>[] =>
    rows.flatMap(({ batch_id, ...row }) => (batch_id === id ? [row] : []));
  return batchIds.map((id) => ({ payments: ofBatch(payments, id), fees: ofBatch(fees, id) }));
}

/** Returns the wire form of a batch with these figures of its attempts, from which its state follows. */
async function recordOf(ctx: Reader, batch: PayoutBatch, { payments, fees }: FiguresOfBatch): Promise<PlainPayoutBatch> {
  const sum = (column: 'unsent_count' | 'underway_count' | 'arrived_count' | 'unknown_count' | 'unquoted_count') =>
    payments.reduce((total, each) => total + each[column], 0);
  const { id, method, livemode, payouts_count, prepared_by, started_at, withdrawn_at } = batch;
  const itemsHash = batch.stage === 'prepared' ? await hashOfUnsent(ctx, id) : null;
  // An approval ends when the payments change.
  const holds = batch.stage !== 'prepared' || batch.approved_hash === itemsHash;
  const [approved_by, approved_at] = holds ? [batch.approved_by, batch.approved_at] : [null, null];
  const needs = batch.stage === 'prepared' && approved_by === null && (await needsApproval(ctx, batch, unsentOf(id)));
  const waits = started_at !== null && sum('unsent_count') > 0;
  const stop = waits ? await findStop(ctx, batch) : null;
  const isOpen = sum('unsent_count') + sum('underway_count') > 0;
  const paidState = isOpen ? 'paying' : sum('arrived_count') === payouts_count ? 'paid' : 'partly_paid';
  const state = started_at !== null ? paidState : approved_by === null ? 'prepared' : 'approved';
  return {
    id,
    state: withdrawn_at === null ? state : 'withdrawn',
    method,
    livemode,
    payouts_count,
    unknown_count: sum('unknown_count'),
    totals: payments.map(({ currency, payouts_count: payouts, amount_cents, unsent_cents, underway_cents, ...own }) => ({
      currency,
      payouts_count: payouts,
      amount_cents,
      unsent_cents,
      underway_cents,
      arrived_cents: own.arrived_cents,
      ended_cents: own.ended_cents,
    })),
    fees,
    unquoted_count: sum('unquoted_count'),
    items_hash: itemsHash,
    needs_approval: needs,
    waits_until: stop?.until ?? null,
    waits_for: stop?.cause ?? (waits ? ((await problemOfRail(ctx, batch)) ?? (await screeningOf(ctx, id))) : null),
    prepared_by,
    approved_by,
    approved_at,
    started_at,
    withdrawn_at,
    created_at: batch.created_at,
    updated_at: batch.updated_at,
  };
}

/** Returns why the account at the service that pays sends nothing at the moment, or null. */
async function problemOfRail(ctx: Reader, batch: BatchRow): Promise<PlainPayoutBatch['waits_for']> {
  if (!sendingMethods(ctx.services).get(batch.method)?.accounts) return null;
  const rail = await findRailFor(ctx, batch.method, modeOfPayment(ctx.accountId, batch));
  return rail === null ? 'rail_missing' : rail.problem === null ? null : 'rail_stopped';
}

/** Returns whether payments of a batch wait because their affiliates have not been cleared. */
async function screeningOf({ db }: Reader, batchId: string): Promise<typeof SCREENING | null> {
  const { rows } = await sql`
    select from payout_attempt
      join affiliate on affiliate.id = payout_attempt.affiliate_id join account on account.id = payout_attempt.account_id
    where batch_id = ${batchId} and payout_attempt.state in ('prepared', 'approved') and not superseded and ${IS_UNCLEARED} limit 1`.execute(
    db,
  );
  return rows.length === 0 ? null : SCREENING;
}

/**
 * Approves prepared payments (`approveBatch`).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a batch in another state
 */
export async function approvePayoutBatch(ctx: WriteCtx, { id, items_hash }: ApprovePayoutBatch): Promise<PayoutBatchRecord> {
  const batch = await loadPrepared(ctx, id);
  const { held } = await lockPayoutsOf(ctx, id);
  await assertFeesKnown(ctx, id, 'id');
  await approveBatch(ctx, batch, items_hash);
  await approveAttempts(ctx, held, id);
  return batchRecord(ctx, batch);
}

/**
 * Lets the service send prepared payments, which the worker does after the commit.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a batch in another state, while its fees are not known, without an approval that it needs, and above a limit (`authorizeSending`)
 */
export async function sendPayoutBatch(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutBatchRecord> {
  const batch = await loadPrepared(ctx, id);
  const { held } = await lockPayoutsOf(ctx, id);
  await startSending(ctx, held, batch, 'id');
  return batchRecord(ctx, batch);
}

/**
 * Lets the service send the payments of a batch, if the rules of the account allow that now.
 *
 * @param path the input field that an error names
 */
export async function startSending(ctx: WriteCtx, held: HeldAffiliates, batch: Locked<PayoutBatch>, path: string): Promise<void> {
  const approvedBy = (await isApproved(ctx, batch)) ? batch.approved_by : null;
  const { livemode } = batch;
  await assertFeesKnown(ctx, batch.id, path);
  await authorizeSending(ctx, unsentOf(batch.id), { livemode, isApproved: approvedBy !== null, path });
  await changeBatch(ctx, batch, (draft) => markBatchSent(draft, ctx.now));
  await authorizeAttempts(ctx, held, batch.id, { approvedBy, dueAt: ctx.now });
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
}

/** Throws VALIDATION_ERROR (`fees_unknown`) while a rail is asked for fees that affiliates bear, because these are taken from what is sent. */
async function assertFeesKnown({ db }: WriteCtx, batchId: string, path: string): Promise<void> {
  const unknown = db
    .selectFrom('payout_attempt')
    .select('id')
    .where('batch_id', '=', batchId)
    .where('affiliate_fee_cents', 'is', null);
  if (await unknown.where('ended_at', 'is', null).executeTakeFirst())
    throw invalid(path, PAYOUT_REASONS.fees_unknown, 'fees_unknown');
}

/** Reports whether somebody has approved exactly those payments of a batch that are not sent. */
async function isApproved(ctx: Pick<Ctx, 'db'>, { id, approved_hash }: BatchRow): Promise<boolean> {
  return approved_hash !== null && approved_hash === (await hashOfUnsent(ctx, id));
}

/**
 * Withdraws the payments of a batch that are not sent, and opens their payouts. Payments that are sent go on.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if nothing is left to withdraw
 */
export async function withdrawPayoutBatch(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutBatchRecord> {
  const batch = await loadBatchAlone(ctx, 'payment', id);
  const { held, unsent } = await lockPayoutsOf(ctx, id);
  if (batch.stage !== 'prepared' && unsent.length === 0) throw invalid('id', PAYOUT_REASONS.batch_over, 'invalid_state');
  if (batch.stage === 'prepared')
    await changeBatch(ctx, batch, (draft) => {
      markBatchWithdrawn(draft, ctx.now);
      finishWork(draft, false, ctx.now);
    });
  await releasePayouts(ctx, held, id, new Map(unsent.map((payoutId) => [payoutId, { state: 'withdrawn', reason: 'withdrawn' }])));
  return batchRecord(ctx, batch);
}

async function loadPrepared(ctx: WriteCtx, id: string): Promise<Locked<PayoutBatch>> {
  const batch = await loadBatchAlone(ctx, 'payment', id);
  if (batch.stage !== 'prepared') {
    const state = batch.stage === 'withdrawn' ? 'withdrawn' : 'sent';
    throw invalid('id', PAYOUT_REASONS.batch_is({ state: STATES[state] }), 'invalid_state');
  }
  return batch;
}

/** Locks the affiliates of a batch, under whose locks its attempts change. Returns the payouts that are not sent. */
async function lockPayoutsOf(ctx: WriteCtx, id: string) {
  const find = () =>
    ctx.db
      .selectFrom('payout_attempt')
      .select(['payout_id', 'state'])
      .where('batch_id', '=', id)
      .where('superseded', '=', false)
      .execute();
  const held = await lockAffiliatesOfPayouts(
    ctx,
    (await find()).map(({ payout_id }) => payout_id),
  );
  const unsent = (await find()).flatMap(({ payout_id, state }) =>
    state === 'prepared' || state === 'approved' ? [payout_id] : [],
  );
  return { held, unsent };
}
