import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { TableRow } from '../../platform/db/tables.ts';

type RunRow = TableRow<'payout_run'>;

/**
 * Maximum numbers of items and commissions per transaction. `payoutRunBatch` overrides the number of items. Small, because other
 * transactions wait for the locks on the affiliates.
 */
const MAX_ITEMS = 500;
const MAX_COMMISSIONS = 5_000;

declare module '../../platform/call/context.ts' {
  interface Services {
    /** Maximum items of a payout run per transaction. Default: 500. */
    payoutRunBatch?: number | undefined;
  }
}

type StateToDo = 'candidate' | 'prepared';

/** Returns the states of attempts that a run has to process, in the order of processing. */
export function statesToDo({ state }: RunRow): StateToDo[] {
  return state === 'planned' ? ['candidate'] : ['candidate', 'prepared'];
}

/** SQL condition: the item has work left. Repeats the predicate of a partial index, so that PostgreSQL uses this index. */
const TO_DO = sql<boolean>`state in ('candidate', 'prepared') and reason is null`;

export async function hasItemsToDo(ctx: WriteCtx, run: RunRow): Promise<boolean> {
  const items = await ctx.db
    .selectFrom('payout_attempt')
    .select('payout_id')
    .where('batch_id', '=', run.id)
    .where(TO_DO)
    .where(oneOf('state', statesToDo(run)))
    .limit(1)
    .execute();
  return items.length > 0;
}

/** The items that a batch may take. */
export interface ItemChoice {
  /** The payouts of which the batch consists, if they have work left. */
  only?: readonly string[];
  /** Payouts that the batch leaves out. */
  except?: readonly string[];
}

/**
 * Locks the next items in a state, in the order of their affiliates. Skips items that another transaction has locked. Returns the payouts of
 * the items that fit into one batch, and whether the batch is full.
 */
export async function nextPayouts(
  ctx: WriteCtx,
  runId: string,
  state: StateToDo,
  { only, except = [] }: ItemChoice,
): Promise<{ payoutIds: string[]; isFull: boolean }> {
  const chosen = only ? sql`payout_id = any (${only})` : sql`payout_id <> all (${except}::text[])`;
  const maxItems = ctx.services.payoutRunBatch ?? MAX_ITEMS;
  const { rows } = await sql<{ payout_id: string; commissions_before: number }>`
    select payout_id, sum(commissions_count) over (order by affiliate_id, payout_id) - commissions_count as commissions_before
    from (
      select affiliate_id, payout_id, commissions_count from payout_attempt
      where batch_id = ${runId} and ${TO_DO} and state = ${state} and ${chosen}
      order by affiliate_id, payout_id limit ${maxItems} for no key update skip locked
    ) next`.execute(ctx.db);
  const batch = rows.filter(({ commissions_before: before }) => before < MAX_COMMISSIONS);
  return { payoutIds: batch.map(({ payout_id }) => payout_id), isFull: rows.length === maxItems || batch.length < rows.length };
}

/** Returns the payouts that a run has not claimed yet, because its creation was interrupted. */
export async function findCandidates({ db }: WriteCtx, runId: string): Promise<string[]> {
  const items = await db
    .selectFrom('payout_attempt')
    .select('payout_id')
    .where('batch_id', '=', runId)
    .where(TO_DO)
    .where('state', '=', 'candidate')
    .execute();
  return items.map(({ payout_id }) => payout_id);
}
