import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { selected, load } from '../../platform/call/records.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';

/**
 * Finds a referral of the account and the id of its customer: the customer bound to it, otherwise the first customer who has a claim on it.
 * Returns null if there is no such referral.
 */
export async function findReferred(
  ctx: WriteCtx,
  referralId: string,
): Promise<{ referral: Referral; referredId: string | null } | null> {
  const [row] = await findReferral(ctx.db, { referralId, accountId: ctx.accountId });
  return row === undefined ? null : { referral: REFERRAL.read(ctx, row)!, referredId: row.referred_id };
}

/** Like `findReferred`, for a text that a checkout or a payment contains: the id of a referral, or the merchant's own id of it, e.g. its id at a former tool. */
export async function findReferenced(
  ctx: WriteCtx,
  reference: string,
): Promise<{ referral: Referral; referredId: string | null } | null> {
  const found = await findReferred(ctx, reference);
  if (found !== null) return found;
  const own = await ctx.db
    .selectFrom('referral')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', reference)
    .executeTakeFirst();
  return own === undefined ? null : findReferred(ctx, own.id);
}

export const REFERRAL = selected(Referral);

/** Loads the referral to which a customer is bound, or null. */
export async function findBound(ctx: WriteCtx, customerId: string): Promise<Referral | null> {
  const referrals = ctx.db.selectFrom('referral').selectAll().where('account_id', '=', ctx.accountId);
  const [bound] = await load(ctx, Referral, referrals.where('customer_id', '=', customerId));
  return bound ?? null;
}

/** SQL expression: the id of the customer of a `referral` row, as in `findReferred`. */
export const REFERRED_ID = sql<string | null>`coalesce(referral.customer_id, (
  select customer_id from attribution_claim claim where claim.referral_id = referral.id order by claim.id limit 1
))`;

const findReferral = prepared(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }) => sql<
    Record<string, unknown> & { referred_id: string | null }
  >`
    select ${sql.raw(REFERRAL.column)}, ${REFERRED_ID} as referred_id
    from referral where referral.id = ${referralId} and referral.account_id = ${accountId}`,
);
