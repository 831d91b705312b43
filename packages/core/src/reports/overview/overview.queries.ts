import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Overview } from './overview.schema.ts';

/** Maximum number of records in each list of the overview. */
const SHOWN = 10;

/** Returns the overview of an account. Test-mode records are excluded. The number of queries does not depend on the size of the account. */
export async function getOverview(ctx: Ctx): Promise<Overview> {
  const [due, needs_review, affiliates, recent_activity] = await Promise.all([
    whatIsDue(ctx),
    whatNeedsReview(ctx),
    affiliatesByState(ctx),
    recentActivity(ctx),
  ]);
  return { as_of: ctx.now, due, needs_review, affiliates, recent_activity };
}

async function whatIsDue({ db, accountId, now }: Ctx): Promise<Overview['due']> {
  const payouts = await payoutView({ db, now })
    .where('payout.account_id', '=', accountId)
    .where('payout.livemode', '=', true)
    // Literals, so that PostgreSQL can use the indexes on open and processing payouts, and below those on pending and flagged commissions.
    .where(sql<boolean>`(payout.status = 'open' or payout.status = 'processing')`)
    .groupBy(['payout.currency', 'payout.state'])
    .select(['payout.currency', 'payout.state'])
    .select([sql<number>`count(*)`.as('count'), sql<number>`sum(payout.amount_cents)`.as('amount_cents')])
    .execute();
  const pending = await db
    .selectFrom('commission')
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('pending'))
    .where('livemode', '=', true)
    .groupBy('currency')
    .select(['currency', sql<number>`count(*)`.as('count'), sql<number>`sum(amount_cents)`.as('amount_cents')])
    .execute();

  const currencies = [...new Set([...payouts, ...pending].map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const inState = (state: string) => amountOf(payouts.find((row) => row.currency === currency && row.state === state));
    return {
      currency,
      payable: inState('due'),
      waiting: inState('pending'),
      processing: inState('processing'),
      not_due_yet: amountOf(pending.find((row) => row.currency === currency)),
    };
  });
}

function amountOf(row: { count: number; amount_cents: number } | undefined) {
  return { count: row?.count ?? 0, amount_cents: row?.amount_cents ?? 0 };
}

async function whatNeedsReview({ db, accountId }: Ctx): Promise<Overview['needs_review']> {
  const suspicious = db
    .selectFrom('commission')
    .where('account_id', '=', accountId)
    .where('livemode', '=', true)
    .where('review_status', '=', sql.lit('suspicious'))
    .where('state', 'in', ['pending', 'due']);
  const { count } = await suspicious.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return {
    commissions_count: count,
    commissions: await suspicious
      .select(['id', 'affiliate_id', 'amount_cents', 'currency', 'created_at'])
      .orderBy('id')
      .limit(SHOWN)
      .execute(),
    affiliates: await db
      .selectFrom('affiliate')
      .where('account_id', '=', accountId)
      .where('archived_at', 'is', null)
      .where('state', 'in', ['pending', 'suspicious'])
      .select(['id', 'email', 'state', 'created_at'])
      .orderBy('id')
      .limit(SHOWN)
      .execute(),
  };
}

async function affiliatesByState({ db, accountId }: Ctx): Promise<Overview['affiliates']> {
  const rows = await db
    .selectFrom('affiliate')
    .where('account_id', '=', accountId)
    .where('archived_at', 'is', null)
    .groupBy('state')
    .select(['state', sql<number>`count(*)`.as('count')])
    .execute();
  const none = { pending: 0, active: 0, disabled: 0, suspicious: 0, rejected: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

async function recentActivity({ db, accountId }: Ctx): Promise<Overview['recent_activity']> {
  const { rows } = await sql<Overview['recent_activity'][number]>`
    select id, type, occurred_at, body::json -> 'data' as data
    from event where account_id = ${accountId} and not is_test
    order by occurred_at desc, id desc limit ${SHOWN}`.execute(db);
  return rows;
}
