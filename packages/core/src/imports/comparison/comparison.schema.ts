import { z } from 'zod';
import { NO_COMMISSION_REASONS } from '../../ledger/sales/sale.entity.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents, timestamp } from '../../platform/wire/scalars.ts';
import { SHADOW_CAUSES, SHADOW_OUTCOMES } from './compare.ts';

const affiliate = {
  affiliate_id: id('affiliate'),
  affiliate_name: z.string().describe('Name of the affiliate, or the email address if there is no name.'),
};

const Given = z
  .object({
    ...affiliate,
    amount_cents: signedCents(),
    currency: currencyCode(),
  })
  .nullable();

const outcome = z
  .enum(SHADOW_OUTCOMES)
  .describe(
    '`equal`: both give the same; `differs`: see `cause`; `only_there`: nothing is earned here; `only_here`: the former tool gives nothing.',
  );

const cause = z
  .enum([...SHADOW_CAUSES, ...NO_COMMISSION_REASONS])
  .nullable()
  .describe(
    'Cause of the difference. `affiliate`: another affiliate earns; `currency`: the former tool has converted the amount; `tax`, `refund`, `tax_and_refund`: the former tool pays for tax or for what was refunded or lost in a dispute; `rounding`: one cent; `charge`: the former tool pays the same percentage of another amount, e.g. of the price without discount; `terms`: another percentage, a fixed amount or reward rules; `duplicate`: the former tool has a further commission for the same payment; `no_payment`, `no_customer`: it names no payment, or no customer; `voided_there`: a person or a refund has voided the commission there; `not_earned_there`: the former tool knows no commission. Other values say why the sale earns nothing here.',
  );

const ShadowSale = z.object({
  sale_id: id('sale').nullable().describe('Null if the former tool names no payment.'),
  charged_at: instant(),
  outcome,
  cause,
  there: Given.describe('Commission of the former tool.'),
  here: Given.describe('Commission of this service, bonuses included.'),
  explanation: z
    .string()
    .describe('The decision of this service in plain words.')
    .meta({ example: 'The sale belongs to the affiliate. It is the earliest claim that was live at the time of the charge.' }),
});

export const ShadowCustomer = z
  .object({
    customer_id: id('customer'),
    sales: z.array(ShadowSale).describe('In the order of the charges. Sales that earn nothing in either are left out.'),
  })
  .meta({ id: 'ShadowCustomer', description: 'The sales of a customer, as a former tool and as this service decide them.' });
export type ShadowCustomer = z.infer<typeof ShadowCustomer>;

const filters = {
  affiliate_id: id('affiliate').optional().describe('Only customers who have a referral or a code of the affiliate.'),
  charged_since: timestamp().optional().describe('Only sales that were charged at or after this time.'),
};

export const ListShadows = z.strictObject({ ...pageInput, ...filters });
export type ListShadows = z.infer<typeof ListShadows>;

export const SumShadows = z.strictObject({
  ...filters,
  after: id('customer').optional().describe('`next` of the part before. Without it, the first part.'),
});
export type SumShadows = z.infer<typeof SumShadows>;

export const ShadowSums = z
  .object({
    data: z
      .array(
        z.object({
          ...affiliate,
          month: z.string().describe('Month of the charges, in UTC.').meta({ example: '2026-11' }),
          currency: currencyCode(),
          there_cents: signedCents().describe('Sum of the commissions of the former tool.'),
          here_cents: signedCents().describe('Sum of those of this service.'),
        }),
      )
      .describe('Sums by affiliate, month and currency, in no order.'),
    causes: z
      .array(
        z.object({
          outcome,
          cause,
          currency: currencyCode(),
          sales_count: z.int().describe('Number of sales. One with two currencies is in both of them.'),
          there_cents: signedCents().describe('Sum of the commissions of the former tool.'),
          here_cents: signedCents().describe('Sum of those of this service.'),
        }),
      )
      .describe('The same amounts by outcome, cause and currency, in no order.'),
    customers_count: z.int().describe('Number of customers in this part.'),
    next: id('customer').nullable().describe('Customer after whom the next part begins, or `null` if this is the last part.'),
  })
  .meta({
    id: 'ShadowSums',
    description: 'Sums of the commissions of a former tool and of this service, for a part of the customers.',
  });
export type ShadowSums = z.infer<typeof ShadowSums>;

export const ShadowPage = paginated(ShadowCustomer);
