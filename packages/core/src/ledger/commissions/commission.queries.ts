import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { asShown, visibleTo, withStoredMode } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { jsonWord } from '../../platform/db/json-text.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, amountBetween, whatIds, whatValues, whenCreated } from '../../platform/wire/filters.ts';
import { checkAmountOrder, listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { pageOf, pageQuery, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale.entity.ts';
import { type CountedFilters, daysOfRange, numberOfCommissions } from './commission-counts.ts';
import { Commission, IS_CONTESTED, IS_OF_SALE } from './commission.entity.ts';
import {
  commissionExpansions,
  type CommissionRecord,
  type CommissionsAsCsv,
  type GetCommission,
  type ListCommissions,
} from './commission.expansions.ts';
import { PlainCommission, type UnderReview } from './commission.schema.ts';
import { NEEDS_REVIEW } from './commission.transitions.ts';

/** The wire record of a commission. All lists of its fields follow from it. */
const COMMISSION = wireRecord(Commission, PlainCommission);
const COLUMNS = COMMISSION.qualified;

const payoutId = sql<string | null>`(select payout_id from payout_item where commission_id = commission.id)`.as('payout_id');

/** Returns the wire form of a commission that is already loaded. */
export function plainCommission(commission: Commission, payoutId: string | null): PlainCommission {
  return COMMISSION.of(commission, { payout_id: payoutId });
}

type Filters = Omit<CommissionsAsCsv, 'after' | 'sort'>;

/** Returns SQL conditions for the filters that few requests set. */
function rareConditions({ accountId }: Ctx, filters: Filters) {
  const { referral_id, sale_id, payout_id, customer_id, needs_review, contested } = filters;
  return [
    ...whenCreated('commission', filters),
    ...amountBetween('amount_cents', filters),
    ...whatMerchantData(accountId, filters),
    ...whatIds('commission.id', filters),
    ...whatValues({ referral_id, sale_id }),
    ...(payout_id === undefined
      ? []
      : [sql<boolean>`commission.id in (select commission_id from payout_item where payout_id = ${payout_id})`]),
    ...(needs_review === undefined ? [] : [needs_review ? NEEDS_REVIEW : sql<boolean>`${NEEDS_REVIEW} is not true`]),
    ...(contested === undefined ? [] : [contested ? IS_CONTESTED : sql<boolean>`not ${IS_CONTESTED}`]),
    ...(customer_id === undefined ? [] : [sql<boolean>`sale_id in (select id from sale where customer_id = ${customer_id})`]),
  ];
}

/** Lists commissions, newest first unless sorted otherwise. */
export async function listCommissions(ctx: Ctx, { expand, sort, ...asked }: ListCommissions) {
  const input = withStoredMode(ctx, asked);
  const order = listOrder(sort, { table: 'commission' });
  const values = { accountId: ctx.accountId, ...input, ...partialFilters(input), ...daysOfRange(input) };
  const rare = rareConditions(ctx, input);
  if (sort === '-created_at' && input.ending_before === undefined && input.include_total && rare.length === 0)
    return pageOf(input, order, ({ limit, offset, position }) =>
      findPage(ctx, { ...values, offset, after_id: position?.id }, expand, limit),
    );
  const query = matching(filteredCommissions(ctx.db, values), rare);
  await checkAmountOrder(ctx.db, query, sort);
  const known = areCounted(input) && rare.length === 0 ? numberOfCommissions(values) : undefined;
  return paginate(query, input, { order, select: withColumns, known }, (found) => commissionExpansions.find(ctx, found, expand));
}

function withColumns(query: ReturnType<typeof filteredCommissions>) {
  return query.select(COLUMNS).select(payoutId);
}

type PageFilters = Filters & PartialFilters & CountedFilters & { offset?: number | undefined; after_id?: string | undefined };

const NEWEST_FIRST = listOrder('-created_at', { table: 'commission' });

const findPage = commissionExpansions.finder(
  (db, { offset, after_id, ...filters }: PageFilters & { accountId: string }, limit) => {
    const position = after_id === undefined ? undefined : { id: after_id, value: null };
    const window = { limit, offset, position, isBackward: false, isCounted: true };
    const known = areCounted(filters) ? numberOfCommissions(filters) : undefined;
    return pageQuery(filteredCommissions(db, filters), window, { order: NEWEST_FIRST, select: withColumns, known });
  },
);

/** Filters that are written into the SQL text, because PostgreSQL cannot use a partial index if its condition needs the value of a parameter. */
interface PartialFilters {
  is_test?: true | undefined;
  is_suspicious?: true | undefined;
}

function partialFilters({ livemode, review_status }: Filters): PartialFilters {
  return {
    is_test: livemode === false || undefined,
    is_suspicious: (review_status?.length === 1 && review_status[0] === 'suspicious') || undefined,
  };
}

/**
 * Selects an account's commissions by all filters except those of `rareConditions`. The SQL text depends only on which filters are set, not
 * on their values.
 */
function filteredCommissions(db: Db, filters: Filters & PartialFilters & { accountId: string }) {
  let query = db.selectFrom('commission').where('account_id', '=', filters.accountId);
  if (filters.state) query = query.where(oneOf('state', filters.state));
  if (filters.affiliate_id !== undefined) query = query.where('affiliate_id', '=', filters.affiliate_id);
  if (filters.campaign_id !== undefined) query = query.where('campaign_id', '=', filters.campaign_id);
  if (filters.review_status) query = query.where(oneOf('review_status', filters.review_status));
  if (filters.livemode !== undefined) query = query.where('livemode', '=', filters.livemode);
  if (filters.is_test) query = query.where(sql<boolean>`not livemode`);
  if (filters.is_suspicious) query = query.where(sql<boolean>`review_status = 'suspicious'`);
  if (filters.updated_since) query = query.where('updated_at', '>=', filters.updated_since);
  if (filters.updated_until) query = query.where('updated_at', '<=', filters.updated_until);
  return query;
}

function matching(query: ReturnType<typeof filteredCommissions>, conditions: readonly RawBuilder<boolean>[]) {
  return conditions.length > 0 ? query.where(allOf(conditions)) : query;
}

/** True if the list can be counted from stored counts, because it is not filtered by affiliate, campaign or review status. */
function areCounted({ affiliate_id, campaign_id, review_status }: Filters): boolean {
  return affiliate_id === undefined && campaign_id === undefined && review_status === undefined;
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function commissionsAsCsv(ctx: Ctx, { after, sort, ...asked }: CommissionsAsCsv): Promise<CsvPart> {
  const filters = withStoredMode(ctx, asked);
  const all = matching(filteredCommissions(ctx.db, { accountId: ctx.accountId, ...filters }), rareConditions(ctx, filters));
  await checkAmountOrder(ctx.db, all, sort);
  const order = listOrder(sort, { table: 'commission' });
  const query = csvRows(withColumns(all).select(CSV_ONLY), after, order);
  const names = [
    ...COMMISSION.columns,
    ...COMMISSION.computed,
    'campaign_name',
    'affiliate_email',
    'customer_email',
    'sale_amount_cents',
    'charged_at',
  ] as const;
  return csvPart(after, async () => asShown(ctx, await query.execute()), order, names);
}

/** Columns of other records in a CSV list. Expansions would read these records with all their metadata. */
const CSV_ONLY = [
  sql<string>`(select name from campaign where campaign.id = commission.campaign_id)`.as('campaign_name'),
  sql<string>`(select email from affiliate where affiliate.id = commission.affiliate_id)`.as('affiliate_email'),
  sql<string | null>`(
    select customer.email from sale join referral on referral.id = sale.referral_id join customer on customer.id = referral.customer_id
    where sale.id = commission.sale_id)`.as('customer_email'),
  sql<number | null>`(select ${SALE_AMOUNT_CENTS} from sale where sale.id = commission.sale_id)`.as('sale_amount_cents'),
  sql<string | null>`(select charged_at from sale where sale.id = commission.sale_id)`.as('charged_at'),
] as const;

/** Returns one commission, expanded with its campaign and sale (docs/rules/platform.md#expansions). Throws NOT_FOUND. */
export async function getCommission(ctx: Ctx, id: string, expand: GetCommission['expand'] = []): Promise<CommissionRecord> {
  const [row] = await findOne(ctx, { accountId: ctx.accountId, id }, ['campaign', 'sale', ...expand]);
  return foundOrThrow(visibleTo(ctx, row), 'commission');
}

/** Returns one commission, not expanded. Throws NOT_FOUND. */
export async function getPlainCommission(ctx: Ctx, id: string): Promise<PlainCommission> {
  const [row] = await findOne(ctx, { accountId: ctx.accountId, id }, []);
  return foundOrThrow(visibleTo(ctx, row), 'commission');
}

/** Returns commissions in the order of their ids, not expanded. */
export async function getPlainCommissions(ctx: Ctx, ids: readonly string[]): Promise<PlainCommission[]> {
  if (ids.length === 0) return [];
  const query = ctx.db
    .selectFrom('commission')
    .select(COLUMNS)
    .select(payoutId)
    .where('account_id', '=', ctx.accountId)
    .where('id', 'in', ids)
    .orderBy('id');
  return commissionExpansions.find(ctx, query, []);
}

const findOne = commissionExpansions.finder((db, { accountId, id }: { accountId: string; id: string }) =>
  db.selectFrom('commission').select(COLUMNS).select(payoutId).where('account_id', '=', accountId).where('id', '=', id),
);

/**
 * Returns the commission that a sale earned, expanded with the sale, or null if the sale earned none. Ignores adjustments and superseded
 * commissions.
 */
export async function findCommissionOfSale(ctx: Ctx, saleId: string): Promise<CommissionRecord | null> {
  const earned = ctx.db
    .selectFrom('commission')
    .select(COLUMNS)
    .select(payoutId)
    .where('sale_id', '=', saleId)
    .where(IS_OF_SALE)
    .where('superseded', '=', false);
  const [commission] = await commissionExpansions.find(ctx, earned, ['sale']);
  return commission ?? null;
}

/** Returns the id of the payout that holds a commission, or null if no payout holds it. */
export async function findPayoutIdOf({ db }: Ctx, commissionId: string): Promise<string | null> {
  const item = await db
    .selectFrom('payout_item')
    .select('payout_id')
    .where('commission_id', '=', commissionId)
    .executeTakeFirst();
  return item?.payout_id ?? null;
}

/**
 * Returns the commissions of each payout, newest first, for expansions. For a returned payout: the commissions that it held when it was
 * returned, with the amounts that were paid. Later changes of these commissions do not change the amounts in this list
 * (docs/rules/payouts.md#returned-payouts).
 */
export async function findCommissionsOfPayouts(ctx: Ctx, payouts: readonly { id: string }[]): Promise<PlainCommission[][]> {
  const ids = payouts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom((eb) =>
      eb
        .selectFrom('payout_item')
        .select(['payout_id as owner_id', 'commission_id', sql<number | null>`null::bigint`.as('stored_cents')])
        .where(oneOf('payout_id', ids))
        .unionAll(
          eb
            .selectFrom('returned_payout_item')
            .select(['payout_id as owner_id', 'commission_id', 'amount_cents as stored_cents'])
            .where(oneOf('payout_id', ids)),
        )
        .as('item'),
    )
    .innerJoin('commission', 'commission.id', 'item.commission_id')
    .select(COLUMNS)
    .select([payoutId, 'item.owner_id', 'item.stored_cents'])
    .orderBy('commission.id', 'desc')
    .execute();
  const byPayout = Map.groupBy(rows, ({ owner_id }) => owner_id);
  return ids.map((id) =>
    (byPayout.get(id) ?? []).map(({ owner_id: _, stored_cents, amount_cents, ...commission }) => ({
      ...commission,
      amount_cents: stored_cents ?? amount_cents,
    })),
  );
}

interface OpenPayout {
  affiliate_id: string;
  currency: string;
  livemode: boolean;
  state: string;
}

/** Returns the flagged commissions that each open payout lacks, and null for payouts that are not open, for expansions. */
export async function findUnderReview(ctx: Ctx, payouts: readonly OpenPayout[]): Promise<(UnderReview | null)[]> {
  const isOpen = ({ state }: OpenPayout) => state === 'pending' || state === 'due';
  const affiliates = [...new Set(payouts.filter(isOpen).map(({ affiliate_id }) => affiliate_id))];
  if (affiliates.length === 0) return payouts.map(() => null);
  const flagged = await ctx.db
    .selectFrom('commission')
    .select(['affiliate_id', 'currency', 'livemode'])
    .select((eb) => [eb.fn.sum<number>('amount_cents').as('amount_cents'), eb.fn.countAll<number>().as('commissions_count')])
    .where('account_id', '=', ctx.accountId)
    .where(oneOf('affiliate_id', affiliates))
    .where(NEEDS_REVIEW)
    .groupBy(['affiliate_id', 'currency', 'livemode'])
    .execute();
  const keyOf = (one: Omit<OpenPayout, 'state'>) => `${one.affiliate_id} ${one.currency} ${one.livemode}`;
  const sums = new Map(flagged.map((sum) => [keyOf(sum), sum]));
  return payouts.map((payout) => {
    if (!isOpen(payout)) return null;
    const { amount_cents = 0, commissions_count = 0 } = sums.get(keyOf(payout)) ?? {};
    return { amount_cents, commissions_count };
  });
}

export const ANNOUNCED_COMMISSION: AnnouncedRecord = {
  table: Commission.meta.tableName,
  columns: [...COMMISSION.columns, 'payout_id'],
  record: () => sql`
    select commission.*, (select payout_id from payout_item where commission_id = commission.id) as payout_id,
      customer.email as customer_email, customer.name as customer_name, customer.first_name, customer.last_name
    from commission
    left join lateral (select customer_id from sale where id = commission.sale_id offset 0) sale on true
    left join lateral (select * from customer where id = sale.customer_id offset 0) customer on true
    where commission.id = change.id`,
  data: COMMISSION.json('record', { payout_id: jsonWord(sql`record.payout_id`) }),
  optional: {
    sale_customer_email: sql`record.customer_email`,
    sale_customer_name: sql`record.customer_name`,
    sale_customer_first_name: sql`record.first_name`,
    sale_customer_last_name: sql`record.last_name`,
  },
  types: [
    ['commission.created', CREATED],
    ['commission.due', becomes('state', 'due')],
    ['commission.paid', becomes('state', 'paid')],
    ['commission.voided', becomes('state', 'voided')],
  ],
  updated: 'commission.updated',
};
