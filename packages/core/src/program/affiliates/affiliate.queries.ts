import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { getRow } from '../../platform/call/records.ts';
import { target } from '../../platform/call/reference.ts';
import { contains, oneOf, sameText } from '../../platform/db/conditions.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, whatIds, whenCreated, beginsWith, matchesOne } from '../../platform/wire/filters.ts';
import { type Order, listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { addressFieldsOf } from '../payout-methods/address-fields.schema.ts';
import {
  type PayoutAddresses,
  findAddresses,
  openAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../payout-methods/payout-addresses.ts';
import { Affiliate } from './affiliate.entity.ts';
import { type AffiliateQuery, type AffiliatesAsCsv, PlainAffiliate, AffiliateEventData } from './affiliate.schema.ts';

const RECORD = wireRecord(Affiliate, PlainAffiliate);

/** Returns the wire record of an affiliate with these payout addresses. */
export function affiliateRecord(
  row: Pick<Affiliate, (typeof RECORD.columns)[number]>,
  addresses: PayoutAddresses,
): PlainAffiliate {
  return RECORD.of(row, addressFieldsOf(addresses));
}

/** SQL expression: the payout addresses of a row of `affiliate` (`openAddresses`). */
const ADDRESSES = sql<SealedAddresses>`${sql.raw(sealedAddresses('affiliate'))}`.as('sealed_addresses');

function listedAffiliate(
  { services }: Pick<Ctx, 'services'>,
  row: Affiliate & { sealed_addresses: SealedAddresses },
): PlainAffiliate {
  return affiliateRecord(row, openAddresses(services.secrets, row.sealed_addresses));
}

/** SQL expression: the text that a search looks through, made of the email address and the full name. */
const SEARCHED = sql<string>`lower(concat_ws(' ', email, first_name, last_name))`;

/** Returns the SQL condition: the email address or a name begins with a text. Each way has an index. */
function matches(ctx: Ctx, text: string) {
  const names = ['email', `coalesce(first_name, '') || ' ' || coalesce(last_name, '')`, 'last_name'];
  const ways = names.map((name) => beginsWith(sql<string>`lower(${sql.raw(name)})`, text));
  return matchesOne(ctx, 'affiliate', ways);
}

async function filteredAffiliates(ctx: Ctx, input: Omit<AffiliatesAsCsv, 'after' | 'sort'>) {
  let query = ctx.db
    .selectFrom('affiliate')
    .where('account_id', '=', ctx.accountId)
    .where('archived_at', input.archived ? 'is not' : 'is', null);
  if (input.campaign_id !== undefined) query = query.where('campaign_id', '=', input.campaign_id);
  if (input.email !== undefined) query = query.where(sameText('email', input.email));
  if (input.q !== undefined) query = query.where(await matches(ctx, input.q));
  if (input.search !== undefined) query = query.where(contains(SEARCHED, input.search));
  if (input.state) query = query.where(oneOf('state', input.state));
  if (input.signed_in !== undefined) query = query.where('user_id', input.signed_in ? 'is not' : 'is', null);
  if (input.psp_customer_id !== undefined) query = query.where('psp_customer_id', '=', input.psp_customer_id);
  if (input.updated_since) query = query.where('updated_at', '>=', input.updated_since);
  if (input.updated_until) query = query.where('updated_at', '<=', input.updated_until);
  const conditions = [...whenCreated('affiliate', input), ...whatMerchantData(ctx.accountId, input), ...whatIds('id', input)];
  return { query: conditions.length > 0 ? query.where(allOf(conditions)) : query };
}

/** Returns the order of the list. Email addresses are sorted in lower case. */
function orderOf(sort: string): Order {
  return listOrder(sort, { table: 'affiliate', folded: { email: (value) => sql`lower(${value})` } });
}

/**
 * Lists affiliates, newest first unless sorted otherwise. With `archived`, lists only archived affiliates; without it, leaves archived affiliates
 * out.
 */
export async function listAffiliates(ctx: Ctx, input: AffiliateQuery): Promise<Page<PlainAffiliate>> {
  const { data, pagination } = await paginate((await filteredAffiliates(ctx, input)).query, input, {
    order: orderOf(input.sort),
    select: (all) => all.selectAll().select(ADDRESSES),
  });
  return { data: data.map((row) => listedAffiliate(ctx, row)), pagination };
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function affiliatesAsCsv(ctx: Ctx, { after, sort, ...filters }: AffiliatesAsCsv): Promise<CsvPart> {
  const order = orderOf(sort);
  const query = csvRows((await filteredAffiliates(ctx, filters)).query.selectAll().select(ADDRESSES), after, order);
  const read = async () => (await query.execute()).map((row) => listedAffiliate(ctx, row));
  return csvPart(after, read, order, RECORD.names);
}

/** Returns an affiliate, even an archived one. Throws NOT_FOUND. */
export async function getAffiliate(ctx: Ctx, id: string): Promise<PlainAffiliate> {
  const [row, addresses] = await Promise.all([getRow(ctx, Affiliate, id), findAddresses(ctx, id)]);
  return affiliateRecord(row, addresses);
}

/** An affiliate as it appears in other records. */
export const AFFILIATE = target(
  Affiliate,
  RECORD.columns,
  {},
  (row, { secrets }): PlainAffiliate => affiliateRecord(row, openAddresses(secrets, row.sealed_addresses)),
  { sealed_addresses: sealedAddresses },
);

const EVENT_DATA = wireRecord(Affiliate, AffiliateEventData);

export const ANNOUNCED_AFFILIATE: AnnouncedRecord = {
  table: Affiliate.meta.tableName,
  // `updated_at` changes with every column, so a change of payout details has an event, too.
  columns: EVENT_DATA.columns,
  record: () => sql`select * from affiliate where id = change.id`,
  data: EVENT_DATA.json('record', {}),
  types: [
    ['affiliate.created', CREATED],
    ['affiliate.approved', becomes('state', 'active')],
  ],
  updated: 'affiliate.updated',
};
