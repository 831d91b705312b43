import { type RawBuilder, sql } from 'kysely';
import { paginate } from '../../platform/wire/pagination.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { type ListReferrals, type ReferralRecord, referralExpansions } from './referral.expansions.ts';
import { hasEmail, hasPspCustomerId } from '../customers/customer-names.ts';
import { oneOf } from '../../platform/db/one-of.ts';

const pspCustomerId = sql<string | null>`(select psp_customer_id from customer where customer.id = referral.customer_id)`.as(
  'psp_customer_id',
);

const COLUMNS = [
  'referral.id',
  'referral.affiliate_id',
  'referral.campaign_id',
  'referral.link_id',
  'referral.customer_id',
  'referral.conversion_state',
  'referral.converted_at',
  'referral.expires_at',
  'referral.deactivated_at',
  'referral.created_at',
  'referral.updated_at',
] as const;

/** Lists referrals, newest first, including deactivated and expired ones. */
export async function listReferrals(ctx: Ctx, input: ListReferrals) {
  let query = ctx.db.selectFrom('referral').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.conversion_state) query = query.where(oneOf('conversion_state', input.conversion_state));
  if (input.conversionState) query = query.where(oneOf('conversion_state', input.conversionState));
  if (input.psp_customer_id !== undefined) query = query.where(ofCustomer(ctx, hasPspCustomerId(input.psp_customer_id)));
  if (input.email !== undefined) query = query.where(ofCustomer(ctx, hasEmail(input.email)));
  if (input.updated_since) query = query.where('updated_at', '>=', input.updated_since);
  if (input.updated_until) query = query.where('updated_at', '<=', input.updated_until);
  return paginate(
    query,
    input,
    (all) => all.select(COLUMNS).select(pspCustomerId).orderBy('id', 'desc'),
    (page) => referralExpansions.find(ctx, page, input.expand),
  );
}

function ofCustomer({ accountId }: Ctx, names: RawBuilder<boolean>[]): RawBuilder<boolean> {
  const customers = names.map((condition) => sql`select id from customer where account_id = ${accountId} and ${condition}`);
  return sql`customer_id in (${sql.join(customers, sql` union all `)})`;
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
