import { z } from 'zod';
import { csvPosition } from '../../platform/wire/csv.ts';
import { amountRange, createdRange, idsFilter, modeFilter, searchFilter, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import { cents, currencyCode, id, signedCents, timestamp } from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { CustomerRecord } from '../../program/customers/customer.ts';
import { NO_COMMISSION_REASONS } from './sale.entity.ts';
import { SaleRecord } from './sale.schema.ts';

/** A sale in the list, whether or not it earned a commission. */
export const ListedSale = z
  .object({
    ...SaleRecord.shape,
    no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why the sale earned no commission.'),
    customer: CustomerRecord.nullable(),
  })
  .meta({ id: 'ListedSale', description: 'A sale with its customer, whether or not it earned a commission.' });
export type ListedSale = z.infer<typeof ListedSale>;

/** `data` of `sale.*` events: the sale, with ids instead of the records that it refers to. */
export const SaleEventData = ListedSale.omit({ referral: true, affiliate: true, customer: true }).meta({ id: 'SaleEventData' });

const filters = {
  ...updatedRange,
  ...createdRange,
  ...idsFilter('sale'),
  ...merchantDataFilters,
  ...searchFilter('the whole of your ID, a Stripe ID, or an email address or ID of the customer', 'order-1001'),
  charged_since: timestamp().optional().describe('Returns sales charged at or after this time.'),
  charged_until: timestamp().optional().describe('Returns sales charged at or before this time.'),
  ...amountRange,
  affiliate_id: id('affiliate').optional(),
  referral_id: id('referral').optional(),
  customer_id: id('customer').optional(),
  connection_id: id('connection').optional().describe('Returns only sales whose payment this connection to a provider told.'),
  attributed: z
    .boolean()
    .optional()
    .describe('`true`: returns only sales that are attributed to an affiliate. `false`: returns only sales that are not.'),
  needs_review: z
    .boolean()
    .optional()
    .describe(
      '`true`: returns only sales that a person should look at: facts contradict a paid commission, or refunds are in doubt (`expand=review`). `false`: returns only others.',
    ),
  livemode: modeFilter(),
};

export const ListSales = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at', 'charged_at', 'charge_amount_cents'),
  ...filters,
});
export type ListSales = z.infer<typeof ListSales>;

export const SalesAsCsv = z.strictObject({
  ...csvPosition,
  ...sortBy('updated_at', 'charged_at', 'charge_amount_cents'),
  ...filters,
});
export type SalesAsCsv = z.infer<typeof SalesAsCsv>;

export const SaleId = z.strictObject({ id: id('sale') });

export const SaleReview = z
  .object({
    contested: z
      .object({
        commission_id: id('commission').describe('The commission of the sale.'),
        commission_state: z
          .enum(COMMISSION_STATES)
          .describe('`voided`: a person has taken the commission back, and can have the sale decided again.'),
        commission_cents: signedCents().describe('Amount of the commission.'),
        earned_cents: signedCents().describe(
          'Earnings of the affiliate from the sale, with bonuses. They are paid at least in part.',
        ),
        currency: currencyCode(),
        affiliate_id: id('affiliate').nullable().describe('The affiliate who would earn; `null` if nobody would.'),
        affiliate_email: z.string().nullable().describe('Email of that affiliate.'),
        no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why nobody would earn.'),
        amount_cents: signedCents()
          .nullable()
          .describe(
            'Amount that the affiliate who was paid would earn, with bonuses; `null` if another affiliate or nobody would earn.',
          ),
      })
      .nullable()
      .describe('By the facts that are known now, the sale would earn otherwise than it was paid.'),
    uncounted_refund_cents: cents()
      .nullable()
      .describe('Refunds of another report of the same payment that are not counted, because they may be the same refunds.'),
  })
  .meta({ id: 'SaleReview', description: 'Doubts about a sale, for a person to decide.' });
export type SaleReview = z.infer<typeof SaleReview>;

const REVIEW_ACTIONS = ['keep', 'same_refunds'] as const;

export const ReviewSale = z.strictObject({
  id: id('sale'),
  review_action: z
    .enum(REVIEW_ACTIONS)
    .describe(
      '`keep`: the paid commission stands, although facts contradict it. `same_refunds`: the refunds in doubt are those that count. Other facts put both in doubt again.',
    ),
  updated_at: timestamp()
    .optional()
    .describe('`updated_at` of the sale that was reviewed. If the sale has changed since then, the answer is 409.'),
});
export type ReviewSale = z.infer<typeof ReviewSale>;
