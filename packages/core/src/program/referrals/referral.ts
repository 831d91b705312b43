import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { byId, expandable, toOne } from '../../platform/call/expand.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { jsonString } from '../../platform/db/json-text.ts';
import { type CsvPart, csvPart, csvPosition, csvRows } from '../../platform/wire/csv.ts';
import {
  allOf,
  createdRange,
  idsFilter,
  oneOrMore,
  updatedRange,
  whatIds,
  whatValues,
  whenCreated,
} from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { merchantData, merchantDataFilters, merchantDataInput, whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { email, id, instant, livemode, timestamp } from '../../platform/wire/scalars.ts';
import { typedEmail } from '../../platform/wire/typed-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { toAffiliate } from '../affiliates/affiliate.ts';
import { findTouches, Touch } from '../clicks/clicks.ts';
import { customerWith } from '../customer-identities/customer-identity.ts';
import { CUSTOMER, CustomerRecord } from '../customers/customer.ts';
import { findLinks, LinkRecord } from '../links/link.ts';
import { CONVERSION_STATES, Referral } from './referral.entity.ts';

const conversionState = z.enum(CONVERSION_STATES).describe('`visitor`, `lead` (signed up), or `conversion` (paid).');

const PlainReferral = z.object({
  id: id('referral'),
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign'),
  link_id: id('link').nullable(),
  customer_id: id('customer').nullable(),
  conversion_state: conversionState,
  psp_customer_id: z.string().nullable().describe(`${PSP} customer ID.`),
  converted_at: instant().nullable(),
  expires_at: instant()
    .nullable()
    .describe('End of the attribution window. A referral that converts before this time keeps earning afterwards.'),
  deactivated_at: instant().nullable(),
  ...merchantData,
  livemode: livemode(),
  created_at: instant(),
  updated_at: instant(),
});
type PlainReferral = z.infer<typeof PlainReferral>;

export const CreateReferral = z.strictObject({
  affiliate_id: id('affiliate').optional().describe('Required unless `link_id` is given.'),
  campaign_id: id('campaign').optional().describe('Required unless `link_id` is given.'),
  link_id: id('link')
    .optional()
    .describe('Link that the visitor followed. Determines `affiliate_id` and `campaign_id`, which must match if given.'),
  conversion_state: conversionState.optional().describe('Defaults to `visitor`.'),
  expires_at: timestamp()
    .optional()
    .describe('End of the attribution window. Defaults to the campaign’s `days_before_referrals_expire` from now.'),
  ...merchantDataInput,
});
export type CreateReferral = z.infer<typeof CreateReferral>;

export const UpdateReferral = z.strictObject({
  id: id('referral'),
  conversion_state: conversionState.optional(),
  deactivated_at: timestamp()
    .nullable()
    .optional()
    .describe('Set to a time, not in the future, to deactivate the referral, or to `null` to reactivate it.'),
  customer_email: email()
    .optional()
    .describe(
      'Assigns the customer with this email address, creating it if needed. An assigned customer cannot move to another referral.',
    ),
  ...merchantDataInput,
});
export type UpdateReferral = z.infer<typeof UpdateReferral>;

export const CreateLead = z.strictObject({
  referral_id: id('referral').describe('Referral of the visitor who signed up.'),
  email: email().describe('Email address of the customer.'),
});
export type CreateLead = z.infer<typeof CreateLead>;

export const ReferralId = z.strictObject({ id: id('referral') });
export const ReferralEventData = z.object(PlainReferral.shape).meta({ id: 'ReferralEventData' });

const referralExpansions = expandable<PlainReferral>()({
  link: { schema: LinkRecord, load: byId((referral) => referral.link_id, findLinks) },
  customer: { schema: CustomerRecord, ...toOne('customer_id', CUSTOMER) },
  affiliate: toAffiliate,
  touches: { schema: z.array(Touch), load: findTouches },
});

export const ReferralRecord = z
  .object({ ...PlainReferral.shape, ...referralExpansions.output })
  .meta({ id: 'Referral', description: 'A visitor referred by an affiliate, tracked until and after conversion.' });
export type ReferralRecord = z.infer<typeof ReferralRecord>;

export const GetReferral = z.strictObject({ id: id('referral'), ...referralExpansions.input });

const filters = {
  ...updatedRange,
  ...createdRange,
  ...merchantDataFilters,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional(),
  link_id: id('link').optional(),
  customer_id: id('customer').optional(),
  ...idsFilter('referral'),
  conversion_state: oneOrMore(CONVERSION_STATES),
  conversionState: oneOrMore(CONVERSION_STATES).describe('Alias of `conversion_state`.').meta({ deprecated: true }),
  psp_customer_id: z.string().max(255).optional().describe(`Filters by exact ${PSP} customer ID.`),
  email: z
    .string()
    .overwrite(typedEmail)
    .max(254)
    .optional()
    .describe('Filters by exact customer email address, case-insensitive.'),
};

export const ListReferrals = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...referralExpansions.input,
  ...filters,
});
export type ListReferrals = z.infer<typeof ListReferrals>;

export const ListLeads = ListReferrals.omit({ conversion_state: true, conversionState: true });

export const ReferralsAsCsv = z.strictObject({ ...csvPosition, ...sortBy('updated_at'), ...filters });
export type ReferralsAsCsv = z.infer<typeof ReferralsAsCsv>;

export const ReferralPage = paginated(ReferralRecord);

const pspCustomerId = sql<string | null>`(select psp_customer_id from customer where customer.id = referral.customer_id)`.as(
  'psp_customer_id',
);

/** The wire record of a referral. All lists of its fields follow from it. */
const REFERRAL = wireRecord(Referral, PlainReferral);
const COLUMNS = REFERRAL.qualified;

function filteredReferrals(ctx: Ctx, input: Omit<ReferralsAsCsv, 'after' | 'sort'>) {
  let query = ctx.db.selectFrom('referral').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.conversion_state) query = query.where(oneOf('conversion_state', input.conversion_state));
  if (input.conversionState) query = query.where(oneOf('conversion_state', input.conversionState));
  if (input.psp_customer_id !== undefined)
    query = query.where('customer_id', '=', customerWith(ctx.accountId, 'psp_customer_id', input.psp_customer_id));
  if (input.email !== undefined) query = query.where('customer_id', '=', customerWith(ctx.accountId, 'email', input.email));
  if (input.updated_since) query = query.where('updated_at', '>=', input.updated_since);
  if (input.updated_until) query = query.where('updated_at', '<=', input.updated_until);
  const conditions = [
    ...whenCreated('referral', input),
    ...whatMerchantData(ctx.accountId, input),
    ...whatIds('id', input),
    ...whatValues({ campaign_id: input.campaign_id, link_id: input.link_id, customer_id: input.customer_id }),
  ];
  return conditions.length > 0 ? query.where(allOf(conditions)) : query;
}

/** Lists referrals, newest first unless sorted otherwise, including deactivated and expired ones. */
export async function listReferrals(ctx: Ctx, input: ListReferrals) {
  return paginate(
    filteredReferrals(ctx, input),
    input,
    { order: listOrder(input.sort, { table: 'referral' }), select: (all) => all.select(COLUMNS).select(pspCustomerId) },
    (page) => referralExpansions.find(ctx, page, input.expand),
  );
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function referralsAsCsv(ctx: Ctx, { after, sort, ...filters }: ReferralsAsCsv): Promise<CsvPart> {
  const order = listOrder(sort, { table: 'referral' });
  const query = csvRows(filteredReferrals(ctx, filters).select(COLUMNS).select(pspCustomerId), after, order);
  const read = () => referralExpansions.find(ctx, query, ['affiliate', 'customer']);
  return csvPart(after, read, order, [...REFERRAL.columns, ...REFERRAL.computed], {
    affiliate_email: ({ affiliate }) => affiliate?.email,
    customer_email: ({ customer }) => customer?.email,
    customer_name: ({ customer }) => customer?.name,
  });
}

/** Returns a referral. Throws NOT_FOUND. */
export async function getReferral(
  ctx: Ctx,
  { id, expand = [] }: { id: string; expand?: readonly string[] },
): Promise<ReferralRecord> {
  const [row] = await findOne(ctx, { accountId: ctx.accountId, id }, expand);
  return foundOrThrow(row, 'referral');
}

const findOne = referralExpansions.finder((db, { accountId, id }: { accountId: string; id: string }) =>
  db.selectFrom('referral').select(COLUMNS).select(pspCustomerId).where('account_id', '=', accountId).where('id', '=', id),
);

const EVENT_DATA = wireRecord(Referral, ReferralEventData);

export const ANNOUNCED_REFERRAL: AnnouncedRecord = {
  table: Referral.meta.tableName,
  columns: EVENT_DATA.columns,
  record: () => sql`
    select referral.*, (select psp_customer_id from customer where customer.id = referral.customer_id) as psp_customer_id
    from referral where id = change.id`,
  data: EVENT_DATA.json('record', { psp_customer_id: jsonString(sql`record.psp_customer_id`) }),
  types: [
    ['referral.created', CREATED],
    ['referral.converted', becomes('conversion_state', 'conversion')],
  ],
  updated: 'referral.updated',
  follows: [
    { table: 'customer', columns: ['psp_customer_id'], ids: sql`select id from referral where customer_id = followed.id` },
  ],
};
