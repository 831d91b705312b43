/**
 * Reads batches, and takes their lock.
 *
 * Steps of a batch share an advisory lock, so that several transactions can work on the batch at the same time. A transaction that starts, withdraws
 * or remediates the batch, ends its work, or returns one of its payouts takes the lock exclusively, so that no step is running and none can start. A
 * lock on the batch's row would not work, because PostgreSQL could grant shared row locks to new steps again and again while the other transaction
 * waits.
 *
 * A transaction locks in this order: the advisory lock, the batch's row, the affiliates. Only a step locks the row after the affiliates, to note its
 * progress. This causes no deadlock, because no transaction that holds the row waits for an affiliate while a step is running.
 */
import { type RawBuilder, sql } from 'kysely';
import { HOLDS_PAYOUT } from '../../ledger/payouts/payout-attempt.entity.ts';
import type { Ending } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Held, type Locked, sharedAdvisoryLock, tryAdvisoryLock } from '../../platform/call/locks.ts';
import { visibleTo } from '../../platform/call/mode.ts';
import { foundOrThrow, lock, lockAll } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import { type BatchKind, type ItemState, PayoutBatch } from './payout-batch.entity.ts';

/**
 * SQL source of the items of batches: those of the stored attempts, or a subquery that computes the rows of a preview. Columns: `batch_id`, `payout_id`,
 * `affiliate_id`, `currency`, `amount_cents`, `commissions_count`, `state` (`ItemState`) and `issue_code`.
 */
export type BatchItems = RawBuilder<unknown>;

export const STORED_ITEMS: BatchItems = sql`(
  select batch_id, payout_id, affiliate_id, currency, amount_cents, commissions_count,
    case state
      when 'prepared' then case when reason is null then 'planned' else 'failed' end
      when 'arrived' then 'paid'
      when 'withdrawn' then reason
      else state
    end as state,
    reason as issue_code
  from payout_attempt where not superseded)`;

/** The reasons of withdrawn attempts, which are the states of their items. */
export type Withdrawal = Extract<ItemState, 'excluded' | 'canceled'>;

/** Returns how the attempts of these payouts end when they are withdrawn. */
export function withdrawn(payoutIds: readonly string[], reason: Withdrawal): Map<string, Ending> {
  return new Map(payoutIds.map((id) => [id, { state: 'withdrawn', reason }]));
}

type Reader = Pick<Ctx, 'db' | 'accountId'> & Partial<Pick<Ctx, 'principal'>>;

/** Starts a query of a batch of the account. A batch of another kind is not found. */
export function batchOfKind({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>, kind: BatchKind, id: string) {
  return db
    .selectFrom('payout_batch')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('id', '=', id);
}

export async function getBatchRow(ctx: Reader, kind: BatchKind, id: string): Promise<PayoutBatch> {
  return foundOrThrow(visibleTo(ctx, await batchOfKind(ctx, kind, id).executeTakeFirst()), `payout ${kind}`);
}

/** Returns the id and the kind of the batch that holds or has paid a payout, or null if there is none. */
export async function findBatchOf(db: Db, payoutId: string): Promise<Pick<PayoutBatch, 'id' | 'kind'> | null> {
  const { rows } = await sql<Pick<PayoutBatch, 'id' | 'kind'>>`
    select batch.id, batch.kind from payout_attempt attempt join payout_batch batch on batch.id = attempt.batch_id
    where attempt.payout_id = ${payoutId} and ${HOLDS_PAYOUT}`.execute(db);
  return rows[0] ?? null;
}

/** Numbers and sums of the items of a batch in one currency. All counters and totals of batches are made of them. */
export interface Figures {
  batch_id: string;
  currency: string;
  items_count: number;
  /** Number of items that reached a final state. */
  done_count: number;
  /** Number of items that were paid, returned ones included. */
  paid_count: number;
  returned_count: number;
  amount_cents: number;
  planned_cents: number;
  paid_cents: number;
  returned_cents: number;
  failed_cents: number;
  excluded_cents: number;
  canceled_cents: number;
}

/** Returns the figures of batches, in the order of the currencies, with one query. */
export async function figuresOf(
  { db }: Pick<Ctx, 'db'>,
  batchIds: readonly string[],
  items: BatchItems = STORED_ITEMS,
): Promise<Figures[]> {
  const { rows } = await sql<Figures>`
    select batch_id, currency, count(*) as items_count,
      count(*) filter (where state not in ('candidate', 'planned')) as done_count,
      count(*) filter (where state in ('paid', 'returned')) as paid_count,
      count(*) filter (where state = 'returned') as returned_count,
      sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where state in ('candidate', 'planned')), 0) as planned_cents,
      coalesce(sum(amount_cents) filter (where state = 'paid'), 0) as paid_cents,
      coalesce(sum(amount_cents) filter (where state = 'returned'), 0) as returned_cents,
      coalesce(sum(amount_cents) filter (where state = 'failed'), 0) as failed_cents,
      coalesce(sum(amount_cents) filter (where state = 'excluded'), 0) as excluded_cents,
      coalesce(sum(amount_cents) filter (where state = 'canceled'), 0) as canceled_cents
    from ${items} item where batch_id = any (${batchIds}) group by batch_id, currency order by currency`.execute(db);
  return rows;
}

/** Returns the sum of one of the numbers of a batch over all currencies. */
export function sumOf(figures: readonly Figures[], column: 'done_count' | 'paid_count' | 'returned_count'): number {
  return figures.reduce((sum, each) => sum + each[column], 0);
}

/** Takes the batch's lock for a step, shared with other steps, until the transaction ends. */
export function shareBatch(ctx: WriteCtx, id: string): Promise<Held<'payout batch'>> {
  return sharedAdvisoryLock(ctx, 'payout batch', id);
}

/** Takes the batch's lock exclusively, waiting for steps that are running, and loads the batch. Throws NOT_FOUND. */
export async function loadBatchAlone(ctx: WriteCtx, kind: BatchKind, id: string): Promise<Locked<PayoutBatch>> {
  await advisoryLock(ctx, 'payout batch', id);
  const [batch] = await lockAll(ctx, PayoutBatch, batchOfKind(ctx, kind, id));
  return foundOrThrow(visibleTo(ctx, batch), `payout ${kind}`);
}

/** Loads a batch under its exclusive lock, without waiting. Returns null if a step is running, or if another transaction holds the lock. */
export async function loadBatchIfFree(ctx: WriteCtx, id: string): Promise<Locked<PayoutBatch> | null> {
  return (await tryAdvisoryLock(ctx, 'payout batch', id)) ? lock(ctx, PayoutBatch, id) : null;
}
