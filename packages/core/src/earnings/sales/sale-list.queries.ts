import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { findTargets } from '../../platform/call/reference.ts';
import { checkAmountOrder } from '../../platform/wire/amount-order.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv-list.ts';
import { allOf, whatAmount } from '../../platform/wire/filters.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { inOrder } from '../../platform/wire/sorting.ts';
import { CUSTOMER } from '../../program/customers/customer.queries.ts';
import { isLive } from './sale-mode.ts';
import type { NoCommissionReason } from './sale.entity.ts';
import type { ListSales, ListedSale, SalesAsCsv } from './sale-list.schema.ts';
import { SALE } from './sale.queries.ts';

const OWN = ['id', 'customer_id', 'livemode', 'no_commission_reason'] as const;

interface Row {
  id: string;
  customer_id: string | null;
  livemode: boolean | null;
  no_commission_reason: NoCommissionReason | null;
}

function filteredSales(ctx: Ctx, input: Omit<SalesAsCsv, 'after' | 'sort'>) {
  let query = ctx.db.selectFrom('sale').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.referral_id !== undefined) query = query.where('referral_id', '=', input.referral_id);
  if (input.customer_id !== undefined) query = query.where('customer_id', '=', input.customer_id);
  if (input.attributed !== undefined) query = query.where('affiliate_id', input.attributed ? 'is not' : 'is', null);
  if (input.livemode === true) query = query.where('livemode', 'is distinct from', false);
  if (input.livemode === false) query = query.where('livemode', '=', false);
  if (input.charged_since) query = query.where('charged_at', '>=', input.charged_since);
  if (input.charged_until) query = query.where('charged_at', '<=', input.charged_until);
  const conditions = whatAmount('charge_amount_cents', input);
  return conditions.length > 0 ? query.where(allOf(conditions)) : query;
}

/** Lists sales, including those that earned no commission, newest first unless sorted otherwise. */
export async function listSales(ctx: Ctx, input: ListSales): Promise<Page<ListedSale>> {
  const query = filteredSales(ctx, input);
  await checkAmountOrder(ctx.db, query, input.sort);
  const { data, pagination } = await paginate(query, input, (all) => inOrder(all.select(OWN), input.sort));
  return { data: await withDetails(ctx, data), pagination };
}

/** Returns one sale. Throws NOT_FOUND. */
export async function getListedSale(ctx: Ctx, id: string): Promise<ListedSale> {
  const row = await ctx.db
    .selectFrom('sale')
    .select(OWN)
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [sale] = await withDetails(ctx, [foundOrThrow(row, 'sale')]);
  return sale!;
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function salesAsCsv(ctx: Ctx, { after, sort, ...filters }: SalesAsCsv): Promise<CsvPart> {
  const all = filteredSales(ctx, filters);
  await checkAmountOrder(ctx.db, all, sort);
  const query = csvRows(all.select(OWN), { sort, after }, 'sale');
  return csvPart(
    await withDetails(ctx, await query.execute()),
    sort,
    [
      ...(['id', 'external_id', 'psp_charge_id', 'psp_invoice_id', 'psp_payment_intent_id', 'promo_code', 'livemode'] as const),
      ...(['charge_amount_cents', 'tax_amount_cents', 'refund_amount_cents', 'sale_amount_cents', 'currency'] as const),
      ...(['description', 'charged_at', 'referral_id', 'affiliate_id', 'customer_id', 'no_commission_reason'] as const),
    ],
    { affiliate_email: ({ affiliate }) => affiliate?.email, customer_email: ({ customer }) => customer?.email },
  );
}

async function withDetails({ db }: Ctx, rows: readonly Row[]): Promise<ListedSale[]> {
  const [sales, customers] = await Promise.all([
    findTargets(
      db,
      SALE,
      rows.map(({ id }) => id),
    ),
    findTargets(
      db,
      CUSTOMER,
      rows.flatMap(({ customer_id }) => customer_id ?? []),
    ),
  ]);
  return rows.flatMap(({ id, customer_id, livemode, no_commission_reason }) => {
    const sale = sales.get(id);
    const customer = customer_id === null ? null : (customers.get(customer_id) ?? null);
    // Leaves out a sale that was deleted after the rows were read.
    return sale ? [{ ...sale, livemode: isLive({ livemode }), no_commission_reason, customer }] : [];
  });
}
