import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { startsWith } from '../../platform/db/conditions.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, whenCreated } from '../../platform/wire/filters.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { inOrder } from '../../platform/wire/sorting.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import {
  type CustomersAsCsv,
  type ListCustomers,
  type ListedCustomer,
  PlainListedCustomer,
  customerExpansions,
} from './customer.expansions.ts';
import { customerWith } from '../customer-identities/customer-identity.ts';
import { Customer } from './customer.entity.ts';

const RECORD = wireRecord(Customer, PlainListedCustomer);
const COLUMNS = RECORD.qualified;
const REFERRAL = [
  sql<string | null>`(select id from referral where customer_id = customer.id)`.as('referral_id'),
  sql<string | null>`(select affiliate_id from referral where customer_id = customer.id)`.as('affiliate_id'),
];

/** SQL condition: the customer's shown email address starts with `search`, or another address or the merchant's id of the customer equals `search`. */
function isFound({ accountId }: Ctx, search: string) {
  const known = [customerWith(accountId, 'email', search), customerWith(accountId, 'external_customer_id', search)];
  return sql<boolean>`(${startsWith(sql<string>`lower(email)`, search)} or id in (${sql.join(known)}))`;
}

function filteredCustomers(ctx: Ctx, { search, ...created }: Omit<CustomersAsCsv, 'after' | 'sort'>) {
  const query = ctx.db.selectFrom('customer').where('account_id', '=', ctx.accountId);
  const conditions = [...whenCreated('customer', created), ...(search === undefined ? [] : [isFound(ctx, search)])];
  return conditions.length > 0 ? query.where(allOf(conditions)) : query;
}

/** Lists customers, newest first unless sorted otherwise. */
export async function listCustomers(ctx: Ctx, input: ListCustomers) {
  return paginate(
    filteredCustomers(ctx, input),
    input,
    (all) => inOrder(all.select(COLUMNS).select(REFERRAL), input.sort),
    (page) => customerExpansions.find(ctx, page, input.expand),
  );
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
  const query = csvRows(filteredCustomers(ctx, filters).select(COLUMNS).select(REFERRAL), { sort, after }, 'customer');
  const rows = await customerExpansions.find(ctx, query, ['affiliate']);
  return csvPart(rows, sort, [...RECORD.columns, ...RECORD.computed], {
    affiliate_email: ({ affiliate }) => affiliate?.email,
  });
}
