import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { findCustomers } from '../../program/customers/customer.queries.ts';
import { saleAmountCents } from './sale-amount.ts';
import type { SaleRecord } from './sale.schema.ts';
import { oneOf } from '../../platform/db/one-of.ts';

/** Sales by id, for expansions, with their referral, its customer, and their affiliate, in four queries. */
export async function findSales(ctx: Ctx, ids: string[]): Promise<Map<string, SaleRecord>> {
  const sales = await ctx.db.selectFrom('sale').selectAll().where(oneOf('id', ids)).execute();
  const referrals = await ctx.db
    .selectFrom('referral')
    .select(['id', 'conversion_state', 'customer_id'])
    .where(oneOf('id', distinct(sales.map((sale) => sale.referral_id))))
    .execute();
  const affiliates = await ctx.db
    .selectFrom('affiliate')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where(oneOf('id', distinct(sales.map((sale) => sale.affiliate_id))))
    .execute();
  const customers = await findCustomers(ctx, distinct(referrals.map((referral) => referral.customer_id)));
  const referralOf = new Map(
    referrals.map(({ customer_id, ...referral }) => {
      const customer = customers.get(customer_id ?? '') ?? null;
      return [referral.id, { ...referral, psp_customer_id: customer?.psp_customer_id ?? null, customer }];
    }),
  );
  const affiliateOf = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]));
  return new Map(
    sales.map(({ account_id: _, livemode: _mode, psp_promotion_code_id: _code, no_commission_reason: _reason, ...sale }) => [
      sale.id,
      {
        ...sale,
        sale_amount_cents: saleAmountCents(sale),
        referral: referralOf.get(sale.referral_id ?? '') ?? null,
        affiliate: affiliateOf.get(sale.affiliate_id ?? '') ?? null,
      },
    ]),
  );
}

/** One sale. Throws NOT_FOUND. */
export async function getSale(ctx: Ctx, id: string): Promise<SaleRecord> {
  return foundOrThrow((await findSales(ctx, [id])).get(id), 'sale');
}

/** Each id once, and `''`, which matches no record: SQL does not allow an empty `in ()`. */
function distinct(ids: (string | null)[]): string[] {
  return [...new Set(['', ...ids.map((id) => id ?? '')])];
}
