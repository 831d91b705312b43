import type { Resource } from '../platform/access/permissions.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { CsvPart } from '../platform/wire/csv-list.ts';
import { customersAsCsv, getCustomer, listCustomers } from '../program/customers/customer-list.queries.ts';
import {
  CustomerId,
  CustomerPage,
  CustomersAsCsv,
  ListCustomers,
  ListedCustomer,
} from '../program/customers/customer.expansions.ts';

/** Resources whose data a customer record shows. */
const RESOURCES = ['referrals', 'sales', 'affiliates'] as const satisfies Resource[];

/** Procedures about customers, used by the pages. Not part of the REST API. */
export const customersRouter = router({
  list: read(...RESOURCES)
    .input(ListCustomers)
    .output(CustomerPage)
    .query(({ ctx, input }) => listCustomers(ctx, input)),

  csv: read(...RESOURCES)
    .input(CustomersAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => customersAsCsv(ctx, input)),

  timeline: read(...RESOURCES, 'commissions', 'payouts')
    .input(CustomerId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'customer', input.id)),

  get: read(...RESOURCES)
    .input(CustomerId)
    .output(ListedCustomer)
    .query(({ ctx, input }) => getCustomer(ctx, input.id)),
});
