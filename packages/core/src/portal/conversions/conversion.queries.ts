import { sql } from 'kysely';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { IS_SOLD } from '../../ledger/sales/purchase.ts';
import { SALE_AMOUNT_CENTS } from '../../ledger/sales/sale-amount.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, type PageInput, paginate } from '../../platform/wire/pagination.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import type { PortalConversion } from './conversion.schema.ts';

/** Lists the sales to the affiliate's customers of which something was charged, newest first. */
export async function listConversions({ mine }: AffiliateCtx, page: PageInput): Promise<Page<PortalConversion>> {
  const query = mine('sale', 'customer', 'commission', 'payout_item').selectFrom('sale').where(IS_SOLD);
  return paginate(query, page, {
    order: listOrder('-created_at', { table: 'sale' }),
    select: (all) =>
      all.leftJoin('customer', 'customer.id', 'sale.customer_id').select([
        'sale.id',
        sql<string | null>`coalesce(customer.name, customer.email)`.as('customer'),
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
