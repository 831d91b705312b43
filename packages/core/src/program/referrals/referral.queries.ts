import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { jsonString } from '../../platform/db/json-text.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, whatIds, whatValues, whenCreated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { customerWith } from '../customer-identities/customer-identity.ts';
import { Referral } from './referral.entity.ts';
import { type ListReferrals, type ReferralRecord, type ReferralsAsCsv, referralExpansions } from './referral.expansions.ts';
import { PlainReferral, ReferralEventData } from './referral.schema.ts';

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
