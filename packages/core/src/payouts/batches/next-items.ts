import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { BatchRow } from './payout-batch.entity.ts';
import type { Producer } from './producer.ts';

/** Items that a batch has to process in one way. */
interface ToDo {
  state: 'candidate' | 'prepared';
  which: RawBuilder<boolean>;
}

// The conditions on the state repeat the predicate of a partial index, so that PostgreSQL uses this index.
const CANDIDATES: ToDo = { state: 'candidate', which: sql`(state in ('candidate', 'prepared') and state = 'candidate')` };
const PREPARED: ToDo = {
  state: 'prepared',
  which: sql`(state in ('candidate', 'prepared') and state = 'prepared' and reason is null)`,
};
/** Payouts that could not be marked paid so far. */
const STUCK: ToDo = {
  state: 'prepared',
  which: sql`(state in ('candidate', 'prepared') and state = 'prepared' and reason is not null)`,
};

/** Returns the items that a batch has to process, in the order of processing. */
export function itemsToDo({ stage }: BatchRow, { wasSent }: Producer): ToDo[] {
  if (stage === 'prepared') return [CANDIDATES];
  return wasSent ? [CANDIDATES, PREPARED, STUCK] : [CANDIDATES, PREPARED];
}

export async function hasItemsToDo(ctx: WriteCtx, batch: BatchRow, producer: Producer): Promise<boolean> {
  const { rows } = await sql`
    select from payout_attempt where batch_id = ${batch.id} and ${anyOf(itemsToDo(batch, producer))} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Returns the number of items that are not in a final state. */
export async function countItemsToDo({ db }: WriteCtx, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from payout_attempt where batch_id = ${batchId} and ${anyOf([CANDIDATES, PREPARED])}`.execute(db);
  return rows[0]!.count;
}

function anyOf(toDo: readonly ToDo[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    toDo.map(({ which }) => which),
    sql` or `,
  )})`;
}

export interface ItemChoice {
  /** The payouts of which the step consists, if they have work left. */
  only?: readonly string[];
  /** Payouts that the step leaves out. */
  except?: readonly string[];
}

/**
 * Locks the next items that are to be processed in one way, in the order of their affiliates. Skips items that another transaction has locked. Returns
 * the payouts of the items that fit into one step, and whether the step is full.
 */
export async function nextPayouts(
  ctx: WriteCtx,
  { batchId, toDo, producer }: { batchId: string; toDo: ToDo; producer: Producer },
  choice: ItemChoice,
): Promise<{ payoutIds: string[]; isFull: boolean }> {
  const maxItems = producer.maxItems(ctx.services);
  const rows = await inOrder(ctx, batchId, toDo, { ...choice, limit: maxItems, suffix: sql`for no key update skip locked` });
  const fitting = firstFitting(rows, maxItems, producer.maxCommissions);
  return { payoutIds: fitting, isFull: rows.length === maxItems || fitting.length < rows.length };
}

/** Returns the payouts of the first `steps` steps of a payment, and whether they are all. Locks nothing. */
export async function firstPayouts(
  ctx: WriteCtx,
  { batchId, steps, producer }: { batchId: string; steps: number; producer: Producer },
  choice: ItemChoice,
): Promise<{ payoutIds: string[]; isLast: boolean }> {
  const maxItems = producer.maxItems(ctx.services);
  let left = await inOrder(ctx, batchId, PREPARED, { ...choice, limit: steps * maxItems + 1, suffix: sql`` });
  const payoutIds: string[] = [];
  for (let step = 0; step < steps && left.length > 0; step += 1) {
    const fitting = firstFitting(left, maxItems, producer.maxCommissions);
    payoutIds.push(...fitting);
    left = left.slice(fitting.length);
  }
  return { payoutIds, isLast: left.length === 0 };
}

interface Item {
  payout_id: string;
  commissions_count: number;
}

async function inOrder(
  { db }: WriteCtx,
  batchId: string,
  { which }: ToDo,
  { only, except = [], limit, suffix }: ItemChoice & { limit: number; suffix: RawBuilder<unknown> },
): Promise<Item[]> {
  const chosen = only ? sql`payout_id = any (${only})` : sql`payout_id <> all (${except}::text[])`;
  const { rows } = await sql<Item>`
    select payout_id, commissions_count from payout_attempt where batch_id = ${batchId} and ${which} and ${chosen}
    order by affiliate_id, payout_id limit ${limit} ${suffix}`.execute(db);
  return rows;
}

/** Returns the first payouts that fit into one step. */
function firstFitting(items: readonly Item[], maxItems: number, maxCommissions: number): string[] {
  let commissions = 0;
  const fitting: string[] = [];
  for (const { payout_id, commissions_count } of items) {
    if (fitting.length === maxItems || commissions >= maxCommissions) break;
    fitting.push(payout_id);
    commissions += commissions_count;
  }
  return fitting;
}

/** Returns the payouts that a batch has not claimed yet, because its creation was interrupted. */
export async function findCandidates({ db }: WriteCtx, batchId: string): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from payout_attempt where batch_id = ${batchId} and ${CANDIDATES.which}`.execute(db);
  return rows.map(({ payout_id }) => payout_id);
}
