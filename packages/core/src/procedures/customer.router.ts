import { mergeIntoCustomer, updateCustomer, upsertCustomer } from '../attribution/change-customer.ts';
import type { Resource } from '../platform/access/permissions.ts';
import { confirmEffect, effectOn } from '../platform/previews/confirm-effect.ts';
import { created, rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { PSP } from '../platform/wire/psp-name.ts';
import { eraseCustomer } from '../privacy/erase-customer.ts';
import { EraseCustomer, Erased, PersonalData } from '../privacy/erasure.ts';
import { getPersonalData } from '../privacy/personal-rows.ts';
import {
  CustomerId,
  CustomerIdentities,
  CustomerPage,
  CustomersAsCsv,
  customersAsCsv,
  getCustomer,
  listCustomerIdentities,
  ListCustomers,
  listCustomers,
  ListedCustomer,
  MergeCustomers,
  UpdateCustomer,
  UpsertCustomer,
} from '../program/customers/customer.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

/** Resources whose data a customer record shows. */
const RESOURCES = ['referrals', 'sales', 'affiliates'] as const satisfies Resource[];

/** Procedures about customers. */
export const customersRouter = router({
  list: rest(read(...RESOURCES), 'GET /customers', {
    summary: 'List customers',
    description: 'Returns customers, each with its referral and affiliate, newest first unless `sort` says otherwise.',
  })
    .input(ListCustomers)
    .output(CustomerPage)
    .query(({ ctx, input }) => listCustomers(ctx, input)),

  csv: rest(read(...RESOURCES), 'GET /customers.csv', {
    summary: 'Download customers as CSV',
    description: 'Returns the whole list with the given filters as one file, without pages.',
    csv: true,
  })
    .input(CustomersAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => customersAsCsv(ctx, input)),

  timeline: rest(read(...RESOURCES, 'commissions', 'payouts'), 'GET /customers/{id}/timeline', {
    summary: 'Retrieve the timeline of a customer',
    description: 'Returns what happened to the customer: clicks, the conversion, sales, refunds, commissions and their payouts.',
  })
    .input(CustomerId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'customer', input.id)),

  get: rest(read(...RESOURCES), 'GET /customers/{id}', {
    summary: 'Retrieve a customer',
    description: 'Includes the affiliate.',
  })
    .input(CustomerId)
    .output(ListedCustomer)
    .query(({ ctx, input }) => getCustomer(ctx, input.id)),

  identities: rest(read(...RESOURCES), 'GET /customers/{id}/identities', {
    summary: 'List the identities of a customer',
    description: `Returns every email address, ${PSP} customer ID and ID of yours by which the customer is found. The list is complete and has no pages.`,
  })
    .input(CustomerId)
    .output(CustomerIdentities)
    .query(({ ctx, input }) => listCustomerIdentities(ctx, input)),

  merge: rest(write('sales', MergeCustomers), 'POST /customers/{id}/merge', {
    summary: 'Merge another customer into a customer',
    description:
      'For two customers who are one person. Sales, referral and identities of `customer_id` move to the customer in the path, who keeps its ID; the other one no longer exists. Commissions of the sales are decided again. Cannot be undone. Emits `customer.merged`.',
  })
    .output(ListedCustomer)
    .mutation(({ ctx, input }) => mergeIntoCustomer(ctx, input)),

  personalData: rest(read(...RESOURCES, 'commissions', 'payouts'), 'GET /customers/{id}/personal_data', {
    summary: 'Export the personal data of a customer',
    description: 'Returns everything that is stored about the customer, for a request by the person.',
  })
    .input(EraseCustomer)
    .output(PersonalData)
    .query(({ ctx, input }) => getPersonalData(ctx, 'customer', input.id)),

  erase: rest(write('sales', EraseCustomer, { confirmed: true }), 'POST /customers/{id}/erase', {
    summary: 'Erase the personal data of a customer',
    description:
      'Erases name, addresses and metadata in the record at once, and in events, deliveries, the audit log and every other copy within minutes. Sales and commissions keep their amounts. The record keeps its IDs, and later facts about them add no personal data. Cannot be undone.',
  })
    .output(Erased)
    .mutation(async ({ ctx, input }) => {
      const shown = await getCustomer(ctx, input.id);
      await confirmEffect(ctx, () => Promise.resolve(effectOn(shown)));
      return eraseCustomer(ctx, input);
    }),

  update: rest(write('sales', UpdateCustomer), 'PATCH /customers/{id}', {
    summary: 'Update a customer',
    description:
      'Updates the given fields. `external_id` is also the ID by which your reports name the customer. Use `PATCH /referrals/{id}` to assign a customer to a referral.',
  })
    .output(ListedCustomer)
    .mutation(({ ctx, input }) => updateCustomer(ctx, input)),

  upsert: rest(write('sales', UpsertCustomer, { facts: true }), 'PUT /customers/{id}', {
    summary: 'Create or update a customer by your ID',
    description:
      'Creates the customer with this `external_id`, or updates the given fields of the customer who has it. A customer with the given email address is the same person: the customer gets the `external_id`, and two customers are merged.',
    otherStatuses: { 201: 'The customer was created.' },
  })
    .output(ListedCustomer)
    .mutation(async ({ ctx, input }) => created(ctx, await upsertCustomer(ctx, input))),
});
