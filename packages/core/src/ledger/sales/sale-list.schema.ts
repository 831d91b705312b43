import { z } from 'zod';
import { csvPosition } from '../../platform/wire/csv.ts';
import { amountRange, createdRange, idsFilter, modeFilter, searchFilter, updatedRange } from '../../platform/wire/filters.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import { id, timestamp } from '../../platform/wire/scalars.ts';
import { sortBy } from '../../platform/wire/sorting.ts';
import { CustomerRecord } from '../../program/customers/customer.schema.ts';
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
