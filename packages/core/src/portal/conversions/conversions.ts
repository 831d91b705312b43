import { sql } from 'kysely';
import { z } from 'zod';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { IS_SOLD, SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { ownListInput, SOURCE, whatIsAsked, PortalCommission } from '../commissions/commissions.ts';

const { customer, source, description } = PortalCommission.shape;

export const PortalConversion = z
  .object({
    id: id('sale'),
    customer,
    source,
    description,
    charged_at: instant(),
    sale_amount_cents: signedCents().describe('Amount that the commission is computed from, after tax and refunds.'),
    refunded: z.boolean(),
    currency: currencyCode(),
    commission_cents: signedCents()
      .nullable()
      .describe('Commission earned from the sale, in the currency of the sale; null if none was earned.'),
  })
  .meta({ id: 'PortalConversion', description: 'A sale to a customer of an affiliate.' });
export type PortalConversion = z.infer<typeof PortalConversion>;

export const ListPortalConversions = z.strictObject({
  ...ownListInput,
  sort: z
    .enum(['created_at', '-created_at', 'sale_amount_cents', '-sale_amount_cents'])
    .default('-created_at')
    .describe('Order of the list; a minus for descending order.'),
});
export type ListPortalConversions = z.infer<typeof ListPortalConversions>;
export const PortalConversionPage = paginated(PortalConversion);

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
