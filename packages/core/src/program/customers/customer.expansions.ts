import { z } from 'zod';
import { expandable } from '../../platform/call/expand.ts';
import { csvPosition } from '../../platform/wire/csv.ts';
import { createdRange, idsFilter, searchFilter, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { id } from '../../platform/wire/scalars.ts';
import { toAffiliate } from '../affiliates/affiliate.expansions.ts';
import { CustomerRecord } from './customer.schema.ts';

/** A customer in the list, without expansions. */
export const PlainListedCustomer = z.object({
  ...CustomerRecord.shape,
  referral_id: id('referral').nullable().describe('Referral of the customer; null if there is none.'),
  affiliate_id: id('affiliate').nullable().describe('Affiliate of the referral.'),
});

export const customerExpansions = expandable<z.infer<typeof PlainListedCustomer>>()({
  affiliate: toAffiliate,
});

export const ListedCustomer = z
  .object({ ...PlainListedCustomer.shape, ...customerExpansions.output })
  .meta({ id: 'ListedCustomer', description: 'A customer with its referral and affiliate.' });
export type ListedCustomer = z.infer<typeof ListedCustomer>;

const filters = {
  ...updatedRange,
  ...createdRange,
  ...idsFilter('customer'),
  ...merchantDataFilters,
  ...searchFilter(
    `the beginning of the email address or the name, or the whole of any email address, of your ID or of the ${PSP} customer ID`,
    'grace',
  ),
  search: z
    .string()
    .max(255)
    .optional()
    .describe('Filters by the beginning of the email address, case-insensitive, or by your own ID of the customer.'),
};

export const ListCustomers = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...customerExpansions.input, ...filters });
export type ListCustomers = z.infer<typeof ListCustomers>;

export const CustomersAsCsv = z.strictObject({ ...csvPosition, ...sortBy('updated_at'), ...filters });
export type CustomersAsCsv = z.infer<typeof CustomersAsCsv>;

export const CustomerId = z.strictObject({ id: id('customer') });
export const CustomerPage = paginated(ListedCustomer);
