import type { Resource } from '../platform/access/permissions.ts';
import { read, rest, router } from '../platform/trpc/trpc.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { CsvPart } from '../platform/wire/csv.ts';
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

/** Procedures about customers. */
export const customersRouter = router({
  list: read(...RESOURCES)
    .meta(
      rest('GET', '/customers', {
        summary: 'List customers',
        description: 'Returns customers, each with its referral and affiliate, newest first unless `sort` says otherwise.',
      }),
    )
    .input(ListCustomers)
    .output(CustomerPage)
    .query(({ ctx, input }) => listCustomers(ctx, input)),

  /** Used by the pages. Not part of the REST API. */
  csv: read(...RESOURCES)
    .input(CustomersAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => customersAsCsv(ctx, input)),

  timeline: read(...RESOURCES, 'commissions', 'payouts')
    .meta(
      rest('GET', '/customers/{id}/timeline', {
        summary: 'Retrieve the timeline of a customer',
        description:
          'Returns what happened to the customer: clicks, the conversion, sales, refunds, commissions and their payouts.',
      }),
    )
    .input(CustomerId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'customer', input.id)),

  get: read(...RESOURCES)
    .meta(rest('GET', '/customers/{id}', { summary: 'Retrieve a customer', description: 'Includes the affiliate.' }))
    .input(CustomerId)
    .output(ListedCustomer)
    .query(({ ctx, input }) => getCustomer(ctx, input.id)),
});
