import { sql } from 'kysely';
import { paginate } from '../../platform/wire/pagination.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { type ListReferrals, type ReferralRecord, referralExpansions } from './referral.expansions.ts';
import { type PlainReferral } from './referral.schema.ts';
import { sameText } from '../../platform/db/same-text.ts';
import { oneOf } from '../../platform/db/one-of.ts';

const pspCustomerId = sql<string | null>`(select psp_customer_id from customer where customer.id = referral.customer_id)`.as(
  'psp_customer_id',
);

function referralRecord({ account_id: _, ...columns }: TableRow<'referral'> & { psp_customer_id: string | null }): PlainReferral {
  return columns;
}

/** Lists referrals, newest first, including deactivated and expired ones. */
export async function listReferrals(ctx: Ctx, input: ListReferrals) {
  let query = ctx.db.selectFrom('referral').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.conversion_state) query = query.where(oneOf('conversion_state', input.conversion_state));
  if (input.conversionState) query = query.where(oneOf('conversion_state', input.conversionState));
  if (input.psp_customer_id !== undefined) {
    query = query.where('customer_id', 'in', (from) =>
      from
        .selectFrom('customer')
        .select('id')
        .where('account_id', '=', ctx.accountId)
        .where('psp_customer_id', '=', input.psp_customer_id!),
    );
  }
  if (input.email !== undefined) {
    query = query.where('customer_id', 'in', (from) =>
      from.selectFrom('customer').select('id').where('account_id', '=', ctx.accountId).where(sameText('email', input.email!)),
    );
  }
  if (input.updated_since) query = query.where('updated_at', '>=', input.updated_since);
  if (input.updated_until) query = query.where('updated_at', '<=', input.updated_until);
  const { data, pagination } = await paginate(query, input, (all) =>
    all.selectAll('referral').select(pspCustomerId).orderBy('id', 'desc'),
  );
  return { data: await referralExpansions.into(ctx, data.map(referralRecord), input.expand), pagination };
}

/** Returns a referral. Throws NOT_FOUND. */
export async function getReferral(
  ctx: Ctx,
  { id, expand = [] }: { id: string; expand?: readonly string[] },
): Promise<ReferralRecord> {
  const row = await ctx.db
    .selectFrom('referral')
    .selectAll('referral')
    .select(pspCustomerId)
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return referralExpansions.intoOne(ctx, referralRecord(foundOrThrow(row, 'referral')), expand);
}
