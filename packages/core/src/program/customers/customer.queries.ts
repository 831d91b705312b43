import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { target } from '../../platform/call/reference.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, whatIds, whenCreated, whenUpdated, beginsWith, matchesOne } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { type IdentityKind, customerWith } from '../customer-identities/customer-identity.ts';
import { Customer } from './customer.entity.ts';
import {
  type CustomersAsCsv,
  type ListCustomers,
  type ListedCustomer,
  PlainListedCustomer,
  customerExpansions,
} from './customer.expansions.ts';
import { CustomerRecord, CustomerEventData, type CustomerIdentities } from './customer.schema.ts';

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
