import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { getRow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { PayoutRun } from './payout-run.entity.ts';
import {
  ISSUE_MESSAGES,
  type ListPayoutRunItems,
  type ListPayoutRuns,
  type ListedPayoutRunItem,
  MAX_ITEMS_SHOWN,
  type PayoutRunRecord,
  PayoutRunSummary,
} from './payout-run.schema.ts';
import { type IssueCode, type ItemState, type RunItems, STORED_ITEMS } from './run-item.ts';

const SUMMARY = wireRecord(PayoutRun, PayoutRunSummary);

/** Returns a run with its totals, its issues, and its first items. Throws NOT_FOUND. */
export async function getPayoutRun(ctx: Ctx, id: string): Promise<PayoutRunRecord> {
  return payoutRunRecord(ctx, await getRunRow(ctx, id), STORED_ITEMS);
}

/** Returns the wire form of a run with the given items. */
export async function payoutRunRecord(ctx: Ctx, row: PayoutRun, items: RunItems): Promise<PayoutRunRecord> {
  const [summary] = await summaries(ctx, [row], items);
  return { ...summary!, items: await itemsOf(ctx, row.id, items) };
}

/** Returns the stored row of a run. Throws NOT_FOUND. */
export function getRunRow(ctx: Ctx, id: string): Promise<PayoutRun> {
  return getRow(ctx, PayoutRun, id);
}

/** Returns the amounts, per currency, that a run would pay now. A payout that the run has not claimed yet may have grown since the run was created. */
export async function unpaidAmountsOf({ db }: Ctx, runId: string): Promise<{ currency: string; amount_cents: number }[]> {
  const { rows } = await sql<{ currency: string; amount_cents: number }>`
    select item.currency, sum(case item.state when 'candidate' then payout.amount_cents else item.amount_cents end)::bigint as amount_cents
    from ${STORED_ITEMS} item join payout on payout.id = item.payout_id
    where item.run_id = ${runId} and item.state in ('candidate', 'planned')
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
  let query = ctx.db.selectFrom('payout_run').where('account_id', '=', ctx.accountId).where(isVisibleTo(ctx, 'payout_run'));
  if (input.state) query = query.where(oneOf('state', input.state));
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_run' }),
    select: (all) => all.selectAll(),
  });
  return { data: await summaries(ctx, data, STORED_ITEMS), pagination };
}

/** Lists the items of one run with their affiliates: failed items first, then by the age of their payouts. Throws NOT_FOUND. */
export async function listPayoutRunItems(ctx: Ctx, input: ListPayoutRunItems): Promise<Page<ListedPayoutRunItem>> {
  await getPayoutRunSummary(ctx, input.id);
  let query = ctx.db
    .selectFrom(sql<StoredItem & { run_id: string }>`${STORED_ITEMS}`.as('item'))
    .innerJoin('affiliate', 'affiliate.id', 'item.affiliate_id')
    .where('run_id', '=', input.id);
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
async function summaries(ctx: Ctx, rows: readonly PayoutRun[], items: RunItems): Promise<PayoutRunSummary[]> {
  const ids = rows.map(({ id }) => id);
  const [totals, issues] = await Promise.all([totalsOf(ctx, ids, items), issuesOf(ctx, ids, items)]);
  return rows.map((row) => SUMMARY.of(row, { totals: of(totals, row.id), issues: of(issues, row.id) }));
}

function of<Part>(parts: readonly (Part & { run_id: string })[], runId: string): Omit<Part & { run_id: string }, 'run_id'>[] {
  return parts.filter(({ run_id }) => run_id === runId).map(({ run_id: _, ...part }) => part);
}

type Total = PayoutRunRecord['totals'][number] & { run_id: string };

async function totalsOf({ db }: Ctx, runIds: readonly string[], items: RunItems): Promise<Total[]> {
  const { rows } = await sql<Total>`
    select run_id, currency, count(*) as items_count, sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where state in ('candidate', 'planned')), 0) as planned_cents,
      coalesce(sum(amount_cents) filter (where state = 'paid'), 0) as paid_cents,
      coalesce(sum(amount_cents) filter (where state = 'returned'), 0) as returned_cents,
      coalesce(sum(amount_cents) filter (where state = 'failed'), 0) as failed_cents,
      coalesce(sum(amount_cents) filter (where state = 'excluded'), 0) as excluded_cents,
      coalesce(sum(amount_cents) filter (where state = 'canceled'), 0) as canceled_cents
    from ${items} item where run_id = any (${runIds}) group by run_id, currency order by currency`.execute(db);
  return rows;
}

type Issue = PayoutRunRecord['issues'][number] & { run_id: string };

async function issuesOf({ db }: Ctx, runIds: readonly string[], items: RunItems): Promise<Issue[]> {
  const { rows } = await sql<Issue>`
    select run_id, issue_code as code, count(*) as items_count
    from ${items} item where run_id = any (${runIds}) and state = 'failed'
    group by run_id, issue_code order by issue_code`.execute(db);
  return rows;
}

async function itemsOf({ db }: Ctx, runId: string, items: RunItems): Promise<PayoutRunRecord['items']> {
  const { rows } = await sql<StoredItem>`
    select ${sql.join(ITEM_COLUMNS.map((column) => sql.ref(column)))} from ${items} item where run_id = ${runId}
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
