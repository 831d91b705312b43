import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { deeper, expandable, toOne } from '../../platform/call/expand.ts';
import { getRow } from '../../platform/call/records.ts';
import { target } from '../../platform/call/reference.ts';
import { contains, oneOf, sameText } from '../../platform/db/conditions.ts';
import { type CsvPart, csvPart, csvPosition, csvRows } from '../../platform/wire/csv.ts';
import {
  allOf,
  archivedFilter,
  beginsWith,
  createdRange,
  idsFilter,
  matchesOne,
  oneOrMore,
  restoring,
  searchFilter,
  updatedRange,
  whatIds,
  whenCreated,
} from '../../platform/wire/filters.ts';
import { listOrder, type Order, sortBy } from '../../platform/wire/list-order.ts';
import {
  externalReference,
  merchantData,
  merchantDataFilters,
  merchantDataInput,
  whatMerchantData,
} from '../../platform/wire/merchant-data.ts';
import { type Page, pageInput, paginate } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { email, id, instant, livemode, looseName } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES } from '../../platform/wire/states.ts';
import { typedEmail } from '../../platform/wire/typed-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { CAMPAIGN, CampaignRecord } from '../campaigns/campaign.ts';
import {
  type AddressField,
  addressFields,
  addressFieldsOf,
  addressInput,
  WITHOUT_ADDRESSES,
} from '../payout-methods/address-fields.schema.ts';
import {
  findAddresses,
  openAddresses,
  type PayoutAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../payout-methods/payout-addresses.ts';
import { Affiliate } from './affiliate.entity.ts';

const fields = {
  email: email().describe('Email address, unique among affiliates that are not archived.'),
  campaign_id: id('campaign'),
  first_name: looseName(100).nullable().meta({ example: 'Ada' }),
  last_name: looseName(100).nullable().meta({ example: 'Lovelace' }),
  state: z
    .enum(AFFILIATE_STATES)
    .describe(
      'State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active` releases both. Affiliates in any other state do neither.',
    ),
  ...addressFields,
};

const plain = z.object({
  id: id('affiliate'),
  ...fields,
  ...merchantData,
  psp_customer_id: z.string().nullable().describe(`ID of the ${PSP} customer with this email address.`),
  payouts_held_until: instant()
    .nullable()
    .describe('No payout is eligible before this time, because the payout details have changed.'),
  archived_at: instant().nullable(),
  erased_at: instant().nullable().describe('Time at which the personal data were erased; `null` if they were not.'),
  livemode: livemode(),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainAffiliate = z.infer<typeof plain>;
export const PlainAffiliate = plain.meta({ id: 'PlainAffiliate', description: 'An affiliate without expansions.' });

export const CreateAffiliate = z.strictObject({
  email: fields.email,
  campaign_id: fields.campaign_id.optional().describe('Campaign to join. Defaults to the account’s default campaign.'),
  first_name: fields.first_name.optional(),
  last_name: fields.last_name.optional(),
  state: fields.state.optional().describe('Initial state, by default `active`.'),
  ...addressInput,
  ...merchantDataInput,
});
export type CreateAffiliate = z.infer<typeof CreateAffiliate>;

export const UpdateAffiliate = z.strictObject({
  id: id('affiliate'),
  ...z.object(fields).partial().shape,
  ...merchantDataInput,
  ...restoring,
  move_links: z
    .boolean()
    .default(false)
    .describe(
      'With a new `campaign_id`, also moves links and promo codes. Existing referrals stay in the former campaign and earn on its terms.',
    ),
});
export type UpdateAffiliate = z.infer<typeof UpdateAffiliate>;
/** Changes of an affiliate's own row. */
export type AffiliateChanges = Omit<UpdateAffiliate, AddressField | 'move_links'>;

const { external_id: _, ...upsertFields } = CreateAffiliate.shape;
export const UpsertAffiliate = z.strictObject({ id: externalReference(), ...upsertFields });
export type UpsertAffiliate = z.infer<typeof UpsertAffiliate>;

/** Filters of the affiliate list, in addition to those shared by all lists. */
export const affiliateFilters = {
  ...updatedRange,
  ...createdRange,
  ...archivedFilter,
  campaign_id: id('campaign').optional(),
  email: z.string().overwrite(typedEmail).max(254).optional().describe('Filters by exact email address, case-insensitive.'),
  ...searchFilter('the beginning of the email address, the full name or the last name', 'ada'),
  search: z.string().max(254).optional().describe('Filters by part of the email address or name, case-insensitive.'),
  state: oneOrMore(AFFILIATE_STATES),
  signed_in: z.boolean().optional().describe('Filters by whether the affiliate has ever signed in.'),
  psp_customer_id: z.string().max(255).optional().describe(`Filters by exact ${PSP} customer ID.`),
  ...idsFilter('affiliate'),
  ...merchantDataFilters,
};
export const affiliateOrder = sortBy('updated_at', 'email');
const AffiliateQuery = z.object({ ...pageInput, ...affiliateOrder, ...affiliateFilters });
export type AffiliateQuery = z.infer<typeof AffiliateQuery>;

export const AffiliatesAsCsv = z.strictObject({ ...csvPosition, ...affiliateOrder, ...affiliateFilters });
export type AffiliatesAsCsv = z.infer<typeof AffiliatesAsCsv>;

export const AffiliateId = z.strictObject({ id: id('affiliate') });
/** `data` of `affiliate.*` events: the record without payout details. */
export const AffiliateEventData = plain.omit(WITHOUT_ADDRESSES).meta({ id: 'AffiliateEventData' });

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
const AFFILIATE = target(
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

const partsOfAffiliate = expandable<PlainAffiliate>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
});

/** The expansion to the affiliate of a record, whose campaign can be expanded as well. */
export const toAffiliate = {
  ...toOne('affiliate_id', AFFILIATE),
  ...deeper(PlainAffiliate, partsOfAffiliate, {
    id: 'AffiliateOfRecord',
    description: 'The affiliate of a record, on request with the campaign.',
  }),
};
