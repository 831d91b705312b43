import { execute } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import { takeTime } from '../platform/call/call-time.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Held, held } from '../platform/call/locks.ts';
import { prepared } from '../platform/db/prepared.ts';

/**
 * The lock on an affiliate's money, which is the lock on the affiliate's row. Every change to its commissions and payouts takes this lock first,
 * so that sales, refunds, reviews, payments, claims and the due sweep neither interleave nor deadlock.
 */
export type HeldAffiliates = Held<'affiliate'>;

/** Locks an affiliate until the transaction ends. */
export function lockAffiliate(ctx: WriteCtx, id: string): Promise<HeldAffiliates> {
  return lockAffiliates(ctx, [id]);
}

/**
 * Locks all affiliates with the given ids, or whose ids a query finds, in the order of their ids, so that two such calls cannot deadlock. The
 * statement is sent before the function returns, so statements that the caller sends next read under the locks.
 */
export async function lockAffiliates(ctx: WriteCtx, ids: readonly string[] | RawBuilder<unknown>): Promise<HeldAffiliates> {
  ctx.locks.note('affiliate');
  const locked = Array.isArray(ids)
    ? await lockGiven(ctx.db, { accountId: ctx.accountId, ids })
    : (await execute(ctx.db, lockStatement(ctx.accountId, sql`in (${ids})`).compile(ctx.db))).rows;
  takeTime(ctx);
  return held(
    ctx,
    'affiliate',
    locked.map(({ id }) => id),
  );
}

/** Checks that a statement has changed money of locked affiliates only. Throws otherwise, so that the transaction changes nothing. */
export function assertLocked({ of }: HeldAffiliates, rows: readonly { affiliate_id: string }[]): void {
  const other = rows.find(({ affiliate_id }) => !of.has(affiliate_id));
  if (other !== undefined) throw new Error(`The affiliate ${other.affiliate_id} is not locked.`);
}

const lockGiven = prepared((_db, { accountId, ids }: { accountId: string; ids: readonly string[] }) =>
  lockStatement(accountId, sql`= any (${ids}::text[])`),
);

function lockStatement(accountId: string, areIn: RawBuilder<unknown>): RawBuilder<{ id: string }> {
  return sql`select id from affiliate where account_id = ${accountId} and id ${areIn} order by id for no key update`;
}
