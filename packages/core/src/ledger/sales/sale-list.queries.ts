import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { expandable, toOne } from '../../platform/call/expand.ts';
import { asShown, visibleTo, withStoredMode } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { findTargets, target } from '../../platform/call/reference.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, amountBetween, whatIds, whenCreated, whenUpdated } from '../../platform/wire/filters.ts';
import { checkAmountOrder, listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { customerWith } from '../../program/customer-identities/customer-identity.ts';
import { CUSTOMER } from '../../program/customers/customer.ts';
import { isLive, Sale, saleAmountCents } from './sale.entity.ts';
import { PARTIES, UNSHOWN_COLUMNS } from './sale.queries.ts';
import { ListedSale, type ListSales, type SaleReview, type SalesAsCsv } from './sale.schema.ts';
import { salesNamed, wireNames } from './wire-names.ts';

/** SQL condition: a person has decided that the payment of the contested sale stands. */
export const IS_PAYMENT_KEPT = sql<boolean>`(sale.contested -> 'kept' is not null)`;

/** SQL condition: the commission was earned from the sale that it names, by the facts that were known then. */
const IS_OF_SALE = sql<boolean>`(commission.sale_id = sale.id and commission.kind = 'sale' and not commission.superseded)`;

/**
 * SQL condition: a person should look at the sale (docs/rules/attribution.md#review-of-sales). Each alternative has an index. The commission is looked
 * up by a scalar query, because PostgreSQL might hash the commissions of all sales for `exists`.
 */
export const NEEDS_REVIEW = sql<boolean>`(
  sale.contested is not null and not ${IS_PAYMENT_KEPT}
    and coalesce((select true from commission where ${IS_OF_SALE} and commission.state <> 'voided' limit 1), false)
  or sale.uncounted_refund_cents is not null)`;

/** Returns what a person should look at about each of the sales, in their order. Null if there is nothing. Takes one statement. */
export async function findReviews({ db, accountId }: Ctx, sales: readonly { id: string }[]): Promise<(SaleReview | null)[]> {
  const ids = sales.map(({ id }) => id);
  const { rows } = await sql<SaleReview & { id: string }>`
    select sale.id, sale.uncounted_refund_cents, contest.contested
    from sale left join lateral (
      select jsonb_build_object('commission_id', commission.id, 'commission_state', commission.state, 'commission_cents', commission.amount_cents,
        'earned_cents', (
          select coalesce(sum(amount_cents), 0) from commission earned
          where earned.sale_id = sale.id and earned.kind in ('sale', 'bonus') and not earned.superseded and earned.state <> 'voided'
            and earned.affiliate_id = commission.affiliate_id and earned.currency = commission.currency),
        'currency', commission.currency, 'affiliate_id', affiliate.id, 'affiliate_email', affiliate.email, 'no_commission_reason', sale.contested ->> 'reason',
        'amount_cents', sale.contested -> 'amount_cents') as contested
      from commission left join affiliate on affiliate.account_id = sale.account_id and affiliate.id = sale.contested ->> 'affiliate_id'
      where ${IS_OF_SALE} and (commission.state = 'voided' or not ${IS_PAYMENT_KEPT})
      order by commission.id desc limit 1
    ) contest on sale.contested is not null
    where sale.account_id = ${accountId} and sale.id = any(${ids})`.execute(db);
  const reviews = new Map(rows.map(({ id, ...review }) => [id, review]));
  return ids.map((id) => {
    const review = reviews.get(id);
    return review && (review.contested !== null || review.uncounted_refund_cents !== null) ? review : null;
  });
}

const RECORD = wireRecord(Sale, ListedSale);

/** A sale as it appears in the list. */
const LISTED_SALE = target(
  Sale,
  [...RECORD.columns, ...UNSHOWN_COLUMNS],
  { ...PARTIES, customer: { column: 'customer_id', to: CUSTOMER } },
  (sale): ListedSale => {
    const { referral, affiliate, customer } = sale;
    const computed = { ...wireNames(sale), sale_amount_cents: saleAmountCents(sale), referral, affiliate, customer };
    return RECORD.of({ ...sale, livemode: isLive(sale) }, computed);
  },
);

/** Finds the sales of a query in its order. */
const inFull = expandable<{ id: string }>()({ sale: { schema: ListedSale, ...toOne('id', LISTED_SALE) } });

/** Fields that are not in the CSV list: the records in a sale, and the times of its row. */
const NOT_IN_CSV: readonly (keyof ListedSale)[] = ['referral', 'affiliate', 'customer', 'created_at', 'updated_at'];
const CSV_FIELDS = RECORD.names.filter((name) => !NOT_IN_CSV.includes(name) && name !== 'livemode');
/** Columns of the CSV list. The mode is beside the promo code, where it was in the first files. */
const CSV_COLUMNS = CSV_FIELDS.toSpliced(CSV_FIELDS.indexOf('promo_code') + 1, 0, 'livemode');

/** SQL condition: an ID of the sale, or an identity of its customer, equals a text. Each alternative has an index. */
function matches({ accountId }: Ctx, text: string) {
  const own = ['id', 'external_id'];
  const kinds = ['email', 'external_customer_id', 'psp_customer_id'] as const;
  const alternatives = [
    ...own.map((column) => sql`${sql.ref(column)} = ${text}`),
    sql`id = any (${salesNamed(accountId, text)})`,
    ...kinds.map((kind) => sql`customer_id = ${customerWith(accountId, kind, text)}`),
  ];
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

function filteredSales(ctx: Ctx, input: Omit<SalesAsCsv, 'after' | 'sort'>) {
  let query = ctx.db.selectFrom('sale').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.referral_id !== undefined) query = query.where('referral_id', '=', input.referral_id);
  if (input.customer_id !== undefined) query = query.where('customer_id', '=', input.customer_id);
  if (input.connection_id !== undefined) query = query.where('connection_id', '=', input.connection_id);
  if (input.attributed !== undefined) query = query.where('affiliate_id', input.attributed ? 'is not' : 'is', null);
  if (input.livemode === true) query = query.where('livemode', 'is distinct from', false);
  if (input.livemode === false) query = query.where('livemode', '=', false);
  if (input.charged_since) query = query.where('charged_at', '>=', input.charged_since);
  if (input.charged_until) query = query.where('charged_at', '<=', input.charged_until);
  const conditions = [
    ...(input.needs_review === undefined ? [] : [input.needs_review ? NEEDS_REVIEW : sql<boolean>`not ${NEEDS_REVIEW}`]),
    ...whenCreated('sale', input),
    ...whenUpdated('updated_at', input),
    ...amountBetween('charge_amount_cents', input),
    ...whatMerchantData(ctx.accountId, input),
    ...whatIds('id', input),
    ...(input.q === undefined ? [] : [matches(ctx, input.q)]),
  ];
  return conditions.length > 0 ? query.where(allOf(conditions)) : query;
}

/** Columns that the list can be sorted by. */
const SORTED = ['created_at', 'updated_at', 'charged_at', 'charge_amount_cents'] as const;

/** Lists sales, including those that earned no commission, newest first unless sorted otherwise. */
export async function listSales(ctx: Ctx, asked: ListSales): Promise<Page<ListedSale>> {
  const input = withStoredMode(ctx, asked);
  const query = filteredSales(ctx, input);
  await checkAmountOrder(ctx.db, query, input.sort);
  const order = listOrder(input.sort, { table: 'sale' });
  const { data, pagination } = await paginate(query, input, { order, select: (all) => all.select(['id', ...SORTED]) });
  return { data: await withDetails(ctx, data), pagination };
}

/** Returns one sale. Throws NOT_FOUND. */
export async function getListedSale(ctx: Ctx, id: string): Promise<ListedSale> {
  const row = await ctx.db
    .selectFrom('sale')
    .select(['id', 'livemode'])
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [sale] = await withDetails(ctx, [foundOrThrow(visibleTo(ctx, row), 'sale')]);
  return sale!;
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function salesAsCsv(ctx: Ctx, { after, sort, ...asked }: SalesAsCsv): Promise<CsvPart> {
  const filters = withStoredMode(ctx, asked);
  const all = filteredSales(ctx, filters);
  await checkAmountOrder(ctx.db, all, sort);
  const order = listOrder(sort, { table: 'sale' });
  const query = csvRows(all.select('id'), after, order);
  const read = async () => {
    const rows = await inFull.find(ctx, query, ['sale']);
    return asShown(
      ctx,
      rows.map(({ sale }) => sale!),
    );
  };
  return csvPart(after, read, order, CSV_COLUMNS, {
    affiliate_email: ({ affiliate }) => affiliate?.email,
    customer_email: ({ customer }) => customer?.email,
  });
}

async function withDetails(ctx: Ctx, rows: readonly { id: string }[]): Promise<ListedSale[]> {
  const ids = rows.map(({ id }) => id);
  const sales = await findTargets(ctx, LISTED_SALE, ids);
  // Leaves out a sale that was deleted after the rows were read.
  return ids.flatMap((id) => sales.get(id) ?? []);
}
