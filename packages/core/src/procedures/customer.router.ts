import { asLongRead } from '@affiliate/postgres';
import { updateCustomer, upsertCustomer } from '../attribution/change-customer.ts';
import type { Resource } from '../platform/access/permissions.ts';
import { created, read, rest, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { customersAsCsv, getCustomer, listCustomers } from '../program/customers/customer-list.queries.ts';
import {
  CustomerId,
  CustomerPage,
  CustomersAsCsv,
  ListCustomers,
  ListedCustomer,
} from '../program/customers/customer.expansions.ts';
import { UpdateCustomer, UpsertCustomer } from '../program/customers/customer.schema.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

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
    .query(({ ctx, input }) => asLongRead(() => customersAsCsv(ctx, input))),

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

  update: write('sales', UpdateCustomer)
    .meta(
      rest('PATCH', '/customers/{id}', {
        summary: 'Update a customer',
        description:
          'Updates the given fields. `external_id` is also the ID by which your reports name the customer. Use `PATCH /referrals/{id}` to assign a customer to a referral.',
      }),
    )
    .output(ListedCustomer)
    .mutation(({ ctx, input }) => updateCustomer(ctx, input)),

  upsert: write('sales', UpsertCustomer)
    .meta(
      rest('PUT', '/customers/{id}', {
        summary: 'Create or update a customer by your ID',
        description:
          'Creates the customer with this `external_id`, or updates the given fields of the customer who has it. A customer with the given email address is the same person: the customer gets the `external_id`, and two customers are merged.',
        otherStatuses: { 201: 'The customer was created.' },
      }),
    )
    .output(ListedCustomer)
    .mutation(async ({ ctx, input }) => created(ctx, await upsertCustomer(ctx, input))),
});
