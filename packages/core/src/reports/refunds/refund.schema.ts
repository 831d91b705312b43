import { z } from 'zod';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';

/** The refunds of a sale. They are listed by sale, because the payment provider may report only their sum. */
export const RefundsOfSale = z
  .object({
    sale_id: id('sale'),
    external_id: z.string().nullable().describe('Your ID for the sale.').meta({ example: 'order-1001' }),
    affiliate_id: id('affiliate').nullable(),
    customer_id: id('customer').nullable(),
    currency: currencyCode(),
    refund_amount_cents: z.int().describe('Sum of the refunds and lost disputes.').meta({ example: 2500 }),
    refunds: z
      .array(
        z.object({
          at: instant(),
          kind: z.enum(['refund', 'refund_failed', 'dispute_lost']).describe('`refund_failed`: the money came back.'),
          amount_cents: signedCents().describe('Negative for money that went back to the customer.').meta({ example: -2500 }),
          source: z
            .string()
            .describe('Kind of the source, e.g. `stripe`, or `report` for a report of the merchant.')
            .meta({ example: 'stripe' }),
        }),
      )
      .describe('Each refund, failed refund and lost dispute, oldest first.'),
    created_at: instant().describe('Time at which the sale was recorded.'),
    updated_at: instant().describe('Time at which the sale last changed.'),
  })
  .meta({ id: 'RefundsOfSale', description: 'Refunds of a sale.' });
export type RefundsOfSale = z.infer<typeof RefundsOfSale>;

export const ListRefunds = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  affiliate_id: id('affiliate').optional(),
  customer_id: id('customer').optional(),
});
export type ListRefunds = z.infer<typeof ListRefunds>;
export const RefundPage = paginated(RefundsOfSale);
export const GetRefunds = z.strictObject({ sale_id: id('sale') });
