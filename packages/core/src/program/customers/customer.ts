import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { expandable } from '../../platform/call/expand.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { target } from '../../platform/call/reference.ts';
import { type CsvPart, csvPart, csvPosition, csvRows } from '../../platform/wire/csv.ts';
import {
  allOf,
  beginsWith,
  createdRange,
  idsFilter,
  matchesOne,
  searchFilter,
  updatedRange,
  whatIds,
  whenCreated,
  whenUpdated,
} from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import {
  externalReference,
  merchantData,
  merchantDataFilters,
  merchantDataInput,
  metadataInput,
  whatMerchantData,
} from '../../platform/wire/merchant-data.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { email, id, instant, livemode, nameText } from '../../platform/wire/scalars.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { toAffiliate } from '../affiliates/affiliate.ts';
import { customerWith, IDENTITY_KINDS, IDENTITY_SOURCES, type IdentityKind } from '../customer-identities/customer-identity.ts';
import { Customer } from './customer.entity.ts';

const customerName = () => nameText(200).describe('Full name.').meta({ example: 'Grace Hopper' });

export const CustomerRecord = z
  .object({
    id: id('customer'),
    email: z.string().nullable(),
    name: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    psp_customer_id: z.string().nullable(),
    ...merchantData,
    erased_at: instant().nullable().describe('Time at which the personal data were erased; `null` if they were not.'),
    trial_until: instant().nullable().describe('End of the customer’s trial of a subscription; `null` if there is none.'),
    livemode: livemode(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'Customer',
    description:
      'A paying customer. Email address and name are present if a payment provider or the conversion flow provided them.',
  });
export const UpdateCustomer = z.strictObject({
  id: id('customer'),
  name: customerName().optional(),
  ...merchantDataInput,
});
export type UpdateCustomer = z.infer<typeof UpdateCustomer>;

export const UpsertCustomer = z.strictObject({
  id: externalReference(),
  email: email().optional().describe('Email address. The customer is also known by it.'),
  name: customerName().optional(),
  metadata: metadataInput(),
});
export type UpsertCustomer = z.infer<typeof UpsertCustomer>;

export const MergeCustomers = z.strictObject({
  id: id('customer'),
  customer_id: id('customer').describe('Customer that is merged into the other one and then no longer exists.'),
});
export type MergeCustomers = z.infer<typeof MergeCustomers>;

export const CustomerIdentities = z.object({
  data: z.array(
    z.object({
      kind: z.enum(IDENTITY_KINDS),
      value: z.string().describe('The address in lower case, or the ID.'),
      is_verified: z
        .boolean()
        .describe('`true` if you or a payment provider vouch for it. Anyone can enter an address on a page.'),
      source: z.enum(IDENTITY_SOURCES).describe('Source that stated it first.'),
      created_at: instant(),
    }),
  ),
});
export type CustomerIdentities = z.infer<typeof CustomerIdentities>;

export type CustomerRecord = z.infer<typeof CustomerRecord>;

export const CustomerEventData = z.object(CustomerRecord.shape).meta({ id: 'CustomerEventData' });

/** `data` of `customer.merged`: the customer that no longer exists. */
export const MergedCustomerEventData = z
  .object({ ...CustomerRecord.shape, merged_into: id('customer').describe('Customer that has everything of this one.') })
  .meta({ id: 'MergedCustomerEventData' });

/** A customer in the list, without expansions. */
const PlainListedCustomer = z.object({
  ...CustomerRecord.shape,
  referral_id: id('referral').nullable().describe('Referral of the customer; null if there is none.'),
  affiliate_id: id('affiliate').nullable().describe('Affiliate of the referral.'),
});

const customerExpansions = expandable<z.infer<typeof PlainListedCustomer>>()({
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

const RECORD = wireRecord(Customer, CustomerRecord);

/** Returns the wire form of a customer. */
export function customerRecord(row: Customer): CustomerRecord {
  return RECORD.of(row);
}

/** A customer as it appears in sales and referrals. */
export const CUSTOMER = target(Customer, RECORD.columns, {}, (row): CustomerRecord => RECORD.of(row));

const EVENT_DATA = wireRecord(Customer, CustomerEventData);

export const ANNOUNCED_CUSTOMER: AnnouncedRecord = {
  table: Customer.meta.tableName,
  columns: EVENT_DATA.columns,
  record: () => sql`select * from customer where id = change.id`,
  data: EVENT_DATA.json('record', {}),
  types: [['customer.created', CREATED]],
  updated: 'customer.updated',
};

const LISTED = wireRecord(Customer, PlainListedCustomer);
const COLUMNS = LISTED.qualified;
const REFERRAL = [
  sql<string | null>`(select id from referral where customer_id = customer.id)`.as('referral_id'),
  sql<string | null>`(select affiliate_id from referral where customer_id = customer.id)`.as('affiliate_id'),
];

/** Returns the SQL condition: the customer's shown email address starts with `search`, or another address or the merchant's id of the customer equals it. */
function isFound(ctx: Ctx, search: string) {
  return matchesOne(ctx, 'customer', [
    beginning('email', search),
    ...withIdentity(ctx, ['email', 'external_customer_id'], search),
  ]);
}

/** Returns the SQL condition: the shown email address or the name begins with a text, or an identity equals it. */
function matches(ctx: Ctx, text: string) {
  return matchesOne(ctx, 'customer', [
    beginning('email', text),
    beginning('name', text),
    ...withIdentity(ctx, ['email', 'external_customer_id', 'psp_customer_id'], text),
  ]);
}

/** The column begins with a text. Its index leaves out rows without a value. */
function beginning(column: string, text: string) {
  const { condition, order } = beginsWith(sql<string>`lower(${sql.ref(column)})`, text);
  return { condition: sql`(${sql.ref(column)} is not null and ${condition})`, order };
}

/** An identity of the customer, of one of the kinds, equals a text. */
function withIdentity({ accountId }: Ctx, kinds: readonly IdentityKind[], text: string) {
  return kinds.map((kind) => ({ condition: sql`id = ${customerWith(accountId, kind, text)}` }));
}

async function filteredCustomers(
  ctx: Ctx,
  { q, search, external_id, metadata, ...times }: Omit<CustomersAsCsv, 'after' | 'sort'>,
) {
  const query = ctx.db.selectFrom('customer').where('account_id', '=', ctx.accountId);
  const conditions = [
    ...whenCreated('customer', times),
    ...whenUpdated('updated_at', times),
    ...whatIds('id', times),
    ...whatMerchantData(ctx.accountId, { metadata }),
    ...(external_id === undefined
      ? []
      : [sql<boolean>`id = ${customerWith(ctx.accountId, 'external_customer_id', external_id)}`]),
    ...(search === undefined ? [] : [await isFound(ctx, search)]),
    ...(q === undefined ? [] : [await matches(ctx, q)]),
  ];
  return { query: conditions.length > 0 ? query.where(allOf(conditions)) : query };
}

/** Lists customers, newest first unless sorted otherwise. */
export async function listCustomers(ctx: Ctx, input: ListCustomers) {
  const { query } = await filteredCustomers(ctx, input);
  return paginate(
    query,
    input,
    { order: listOrder(input.sort, { table: 'customer' }), select: (all) => all.select(COLUMNS).select(REFERRAL) },
    (page) => customerExpansions.find(ctx, page, input.expand),
  );
}

/** Lists the identities of a customer. Throws NOT_FOUND. */
export async function listCustomerIdentities(ctx: Ctx, { id }: { id: string }): Promise<CustomerIdentities> {
  await getCustomer(ctx, id);
  const data = await ctx.db
    .selectFrom('customer_identity')
    .select(['kind', 'value', 'verified as is_verified', 'source', 'created_at'])
    .where('account_id', '=', ctx.accountId)
    .where('customer_id', '=', id)
    .orderBy('created_at')
    .orderBy('value')
    .execute();
  return { data };
}

/** Returns one customer, expanded with the affiliate. Throws NOT_FOUND. */
export async function getCustomer(ctx: Ctx, id: string): Promise<ListedCustomer> {
  const one = ctx.db
    .selectFrom('customer')
    .select(COLUMNS)
    .select(REFERRAL)
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id);
  const [customer] = await customerExpansions.find(ctx, one, ['affiliate']);
  return foundOrThrow(customer, 'customer');
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function customersAsCsv(ctx: Ctx, { after, sort, ...filters }: CustomersAsCsv): Promise<CsvPart> {
  const order = listOrder(sort, { table: 'customer' });
  const query = csvRows((await filteredCustomers(ctx, filters)).query.select(COLUMNS).select(REFERRAL), after, order);
  const read = () => customerExpansions.find(ctx, query, ['affiliate']);
  return csvPart(after, read, order, [...LISTED.columns, ...LISTED.computed], {
    affiliate_email: ({ affiliate }) => affiliate?.email,
  });
}
