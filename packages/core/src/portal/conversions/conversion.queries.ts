import { sql } from 'kysely';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { IS_SOLD, SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { whatIsAsked } from '../access/list-filters.ts';
import { SOURCE } from '../commissions/commission.queries.ts';
import type { ListPortalConversions, PortalConversion } from './conversion.schema.ts';

const BY_AMOUNT = {
  own: SALE_AMOUNT_CENTS,
  given: (value: string) => sql`${value}::bigint`,
  isValue: (text: string) => /^-?\d{1,18}$/.test(text),
};

/** Lists the sales to the affiliate's customers of which something was charged, newest first by default. */
export async function listConversions(ctx: AffiliateCtx, input: ListPortalConversions): Promise<Page<PortalConversion>> {
  const query = ctx
    .mine('sale', 'customer', 'commission', 'payout_item', 'referral', 'link', 'promo_code')
    .selectFrom('sale')
    .leftJoin('customer', 'customer.id', 'sale.customer_id')
    .leftJoin('referral', 'referral.id', 'sale.referral_id')
    .leftJoin('link', 'link.id', 'referral.link_id')
    .where(IS_SOLD)
    .where(
      await whatIsAsked(ctx, input, {
        at: sql`sale.charged_at`,
        currency: sql`sale.currency`,
        texts: [sql`customer.name`, sql`customer.email`, sql`sale.description`, SOURCE],
      }),
    );
  return paginate(query, input, {
    order: listOrder(input.sort, { table: 'sale', sorted: BY_AMOUNT }),
    select: (all) =>
      all.select([
        'sale.id',
        sql<string | null>`coalesce(customer.name, customer.email)`.as('customer'),
        SOURCE.as('source'),
        'sale.description',
        'sale.charged_at',
        SALE_AMOUNT_CENTS.as('sale_amount_cents'),
        sql<boolean>`sale.refund_amount_cents > 0`.as('refunded'),
        'sale.currency',
        sql<number | null>`(
          select sum(amount_cents) from commission
          where commission.sale_id = sale.id and commission.currency = sale.currency and ${IS_CREDITED})`.as('commission_cents'),
      ]),
  });
}
