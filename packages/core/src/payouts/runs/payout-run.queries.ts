import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import type { PayoutRunState } from '../../platform/wire/states.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type BatchItems, STORED_ITEMS, type Figures, figuresOf, getBatchRow, sumOf } from '../batches/batch.queries.ts';
import { type BatchStage, PayoutBatch, type IssueCode, type ItemState } from '../batches/payout-batch.entity.ts';
import {
  ISSUE_MESSAGES,
  type ListPayoutRunItems,
  type ListPayoutRuns,
  type ListedPayoutRunItem,
  MAX_ITEMS_SHOWN,
  type PayoutRunRecord,
  PayoutRunSummary,
} from './payout-run.schema.ts';

const SUMMARY = wireRecord(PayoutBatch, PayoutRunSummary);

const STATES: Record<BatchStage, PayoutRunState> = {
  prepared: 'planned',
  paying: 'executing',
  paid: 'completed',
  partly_paid: 'partially_completed',
  withdrawn: 'canceled',
};

/** Returns the state of a run as responses show it. */
export function stateOfRun({ stage }: Pick<PayoutBatch, 'stage'>): PayoutRunState {
  return STATES[stage];
}

/** Returns a run with its totals, its issues, and its first items. Throws NOT_FOUND. */
export async function getPayoutRun(ctx: Ctx, id: string): Promise<PayoutRunRecord> {
  return payoutRunRecord(ctx, await getRunRow(ctx, id), STORED_ITEMS);
}

/** Returns the wire form of a run with the given items. */
export async function payoutRunRecord(ctx: Ctx, row: PayoutBatch, items: BatchItems): Promise<PayoutRunRecord> {
  const [summary] = await summaries(ctx, [row], items);
  return { ...summary!, items: await itemsOf(ctx, row.id, items) };
}

/** Returns the stored row of a run. Throws NOT_FOUND. */
export function getRunRow(ctx: Ctx, id: string): Promise<PayoutBatch> {
  return getBatchRow(ctx, 'run', id);
}

/** Returns the amounts, per currency, that a run would pay now. A payout that the run has not claimed yet may have grown since the run was created. */
export async function unpaidAmountsOf({ db }: Ctx, runId: string): Promise<{ currency: string; amount_cents: number }[]> {
  const { rows } = await sql<{ currency: string; amount_cents: number }>`
    select item.currency, sum(case item.state when 'candidate' then payout.amount_cents else item.amount_cents end)::bigint as amount_cents
    from ${STORED_ITEMS} item join payout on payout.id = item.payout_id
    where item.batch_id = ${runId} and item.state in ('candidate', 'planned')
    group by item.currency order by item.currency`.execute(db);
  return rows;
}

/** Returns a run with its totals and issues but without items, which is small enough to poll while the run executes. Throws NOT_FOUND. */
export async function getPayoutRunSummary(ctx: Ctx, id: string): Promise<PayoutRunSummary> {
  const [summary] = await summaries(ctx, [await getRunRow(ctx, id)], STORED_ITEMS);
  return summary!;
}

/** Lists runs, newest first. */
export async function listPayoutRuns(ctx: Ctx, input: ListPayoutRuns): Promise<Page<PayoutRunSummary>> {
  let query = ctx.db
    .selectFrom('payout_batch')
    .where('account_id', '=', ctx.accountId)
    .where('kind', '=', 'run')
    .where(isVisibleTo(ctx, 'payout_batch'));
  const { state } = input;
  if (state) {
    const stages = Object.keys(STATES) as BatchStage[];
    query = query.where(
      oneOf(
        'stage',
        stages.filter((stage) => state.includes(STATES[stage])),
      ),
    );
  }
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_batch', kind: 'payout_run' }),
    select: (all) => all.selectAll(),
  });
  return { data: await summaries(ctx, data, STORED_ITEMS), pagination };
}

/** Lists the items of one run with their affiliates: failed items first, then by the age of their payouts. Throws NOT_FOUND. */
export async function listPayoutRunItems(ctx: Ctx, input: ListPayoutRunItems): Promise<Page<ListedPayoutRunItem>> {
  await getPayoutRunSummary(ctx, input.id);
  let query = ctx.db
    .selectFrom(sql<StoredItem & { batch_id: string }>`${STORED_ITEMS}`.as('item'))
    .innerJoin('affiliate', 'affiliate.id', 'item.affiliate_id')
    .where('batch_id', '=', input.id);
  if (input.state) query = query.where(oneOf('item.state', input.state.flatMap(storedStates)));
  const { data, pagination } = await paginate(query, input, {
    order: FAILED_FIRST,
    select: (all) =>
      all
        .select(ITEM_COLUMNS.map((column) => `item.${column}` as const))
        .select(['affiliate.email', 'affiliate.first_name', 'affiliate.last_name'])
        .select(RANK.as('rank')),
  });
  return {
    data: data.map(({ email, first_name, last_name, rank: _, ...item }) => ({
      ...itemRecord(item),
      affiliate: { email, first_name, last_name },
    })),
    pagination,
  };
}

/** The order of items: failed ones first, then by the age of their payouts. */
const RANK = sql<number>`(item.state <> 'failed')::int`;
const FAILED_FIRST = listOrder('rank', {
  table: 'item',
  id: 'payout_id',
  sorted: {
    own: RANK,
    given: (rank) => sql`${rank}::int`,
    isValue: (rank) => /^[01]$/.test(rank),
  },
});

/** Returns the stored states that responses show as `state`. */
function storedStates(state: ListedPayoutRunItem['state']): ItemState[] {
  return state === 'planned' ? ['candidate', 'planned'] : [state];
}

/** Returns runs with their totals and issues. Makes two queries, whatever the number of runs. */
async function summaries(ctx: Ctx, rows: readonly PayoutBatch[], items: BatchItems): Promise<PayoutRunSummary[]> {
  const ids = rows.map(({ id }) => id);
  const [figures, issues] = await Promise.all([figuresOf(ctx, ids, items), issuesOf(ctx, ids, items)]);
  return rows.map((row) => {
    const own = figures.filter(({ batch_id }) => batch_id === row.id);
    const { payouts_count: items_total, started_at: executed_at, paid_at: completed_at, withdrawn_at: canceled_at } = row;
    return SUMMARY.of(
      { ...row, idempotency_key: row.idempotency_key! },
      {
        state: stateOfRun(row),
        items_total,
        items_done: sumOf(own, 'done_count'),
        totals: own.map(totalOf),
        issues: issues.flatMap(({ batch_id, ...issue }) => (batch_id === row.id ? [issue] : [])),
        executed_at,
        completed_at,
        canceled_at,
      },
    );
  });
}

function totalOf({ batch_id: _, done_count: _done, paid_count: _paid, returned_count: _returned, ...total }: Figures) {
  return total;
}

type Issue = PayoutRunRecord['issues'][number] & { batch_id: string };

async function issuesOf({ db }: Ctx, runIds: readonly string[], items: BatchItems): Promise<Issue[]> {
  const { rows } = await sql<Issue>`
    select batch_id, issue_code as code, count(*) as items_count
    from ${items} item where batch_id = any (${runIds}) and state = 'failed'
    group by batch_id, issue_code order by issue_code`.execute(db);
  return rows;
}

async function itemsOf({ db }: Ctx, runId: string, items: BatchItems): Promise<PayoutRunRecord['items']> {
  const { rows } = await sql<StoredItem>`
    select ${sql.join(ITEM_COLUMNS.map((column) => sql.ref(column)))} from ${items} item where batch_id = ${runId}
    order by state = 'failed' desc, payout_id limit ${MAX_ITEMS_SHOWN}`.execute(db);
  return rows.map(itemRecord);
}

/** Columns of an item. They are listed by hand, because items have no entity. */
const ITEM_COLUMNS = [
  'payout_id',
  'affiliate_id',
  'state',
  'amount_cents',
  'currency',
  'commissions_count',
  'issue_code',
] as const;

type Item = PayoutRunRecord['items'][number];
type StoredItem = Omit<Item, 'state' | 'issue'> & { state: ItemState; issue_code: IssueCode | null };

/** Returns the wire form of an item. */
function itemRecord({ issue_code, state, ...item }: StoredItem): Item {
  return {
    ...item,
    state: state === 'candidate' ? 'planned' : state,
    issue: state === 'failed' && issue_code !== null ? { code: issue_code, message: ISSUE_MESSAGES[issue_code] } : null,
  };
}
