import { sql } from 'kysely';
import { IS_CONTESTED } from '../../ledger/commissions/commission.entity.ts';
import { NEEDS_REVIEW } from '../../ledger/commissions/commission.transitions.ts';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { obstaclesAt, payoutView } from '../../ledger/payouts/payout.queries.ts';
import { NEEDS_REVIEW as SALE_NEEDS_REVIEW } from '../../ledger/sales/sale-list.queries.ts';
import { IS_LIVE_SALE, IS_SOLD, SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type Instant, plusDays, plusMilliseconds } from '../../platform/time/instant.ts';
import { firstIdAt, ID_SLACK_MS } from '../../platform/wire/ids.ts';
import { IS_COUNTED } from '../../program/links/counted-referrals.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/port/port.ts';
import { REPORT_REASONS } from '../reasons.ts';
import { nameRecords } from '../record-names/record-names.ts';
import {
  type DailySeries,
  type FallingDue,
  type FirstSteps,
  type GetDailySeries,
  type GetPayable,
  type GetTopAffiliates,
  MAX_DAYS,
  type Overview,
  type Payable,
  type TopAffiliates,
} from './overview.schema.ts';

/**
 * Returns counts and sums for each day (UTC) of a range, both ends included. Days without any records are included with zeros.
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
export async function getDailySeries(ctx: Ctx, input: GetDailySeries): Promise<DailySeries> {
  const range = dayRange(ctx, input);
  const [clicks, referrals, conversions, money] = await Promise.all([
    clicksPerDay(ctx, range),
    referralsPerDay(ctx, range),
    conversionsPerDay(ctx, range),
    moneyPerDay(ctx, range),
  ]);
  const days = Array.from({ length: countDays(range) }, (_, i) => dayOf(plusDays(range.start, i)));
  return {
    from: range.from,
    to: range.to,
    days: days.map((date) => ({
      date,
      clicks: clicks.get(date) ?? 0,
      referrals: referrals.get(date) ?? 0,
      conversions: conversions.get(date) ?? 0,
      currencies: (money.get(date) ?? []).map(({ day: _, ...sums }) => sums),
    })),
  };
}

type Counted = { day: string; count: number };

async function clicksPerDay({ db, accountId }: Ctx, { from, to }: DayRange): Promise<Map<string, number>> {
  const { rows } = await sql<Counted>`
    select day, sum(clicks) as count from link_clicks
    where account_id = ${accountId} and day between ${from}::date and ${to}::date group by day`.execute(db);
  return byDay(rows);
}

/**
 * Counts the referrals of each day. Ids sort by creation time, so the conditions on the id limit the rows to read. The numbers of purged referrals
 * are added from `visitor_count`.
 */
async function referralsPerDay({ db, accountId }: Ctx, { start, end, from, to }: DayRange): Promise<Map<string, number>> {
  const { rows } = await sql<Counted>`
    select day, sum(count) as count from (
    select (created_at at time zone 'utc')::date as day, count(*) as count from referral
    where account_id = ${accountId} and created_at >= ${start} and created_at < ${end} and ${IS_COUNTED}
      and id >= ${firstIdAt('referral', new Date(plusMilliseconds(start, -ID_SLACK_MS)))}
      and id < ${firstIdAt('referral', new Date(plusMilliseconds(end, ID_SLACK_MS)))}
    group by day
    union all
    select day, visitors from visitor_count where account_id = ${accountId} and day between ${from}::date and ${to}::date
    ) part group by day`.execute(db);
  return byDay(rows);
}

/** Counts the conversions of each day. */
async function conversionsPerDay({ db, accountId }: Ctx, { start, end }: DayRange): Promise<Map<string, number>> {
  const { rows } = await sql<Counted>`
    select (converted_at at time zone 'utc')::date as day, count(*) from referral
    where account_id = ${accountId} and converted_at >= ${start} and converted_at < ${end} and ${IS_COUNTED}
    group by day`.execute(db);
  return byDay(rows);
}

type Money = DailySeries['days'][number]['currencies'][number] & { day: string };

async function moneyPerDay({ db, accountId }: Ctx, { start, end }: DayRange): Promise<Map<string, Money[]>> {
  const { rows } = await sql<Money>`
    select day, currency, sum(sales) as sales, sum(sales_cents) as sales_cents, sum(commissions_cents) as commissions_cents,
      sum(payouts) as payouts, sum(payouts_cents) as payouts_cents
    from (
      select (charged_at at time zone 'utc')::date as day, currency, ${IS_SOLD}::int as sales,
        ${SALE_AMOUNT_CENTS} as sales_cents,
        0 as commissions_cents, 0 as payouts, 0 as payouts_cents
      from sale where account_id = ${accountId} and ${IS_LIVE_SALE} and charged_at >= ${start} and charged_at < ${end}
        and affiliate_id is not null
      union all
      select (charged_at at time zone 'utc')::date, commission.currency, 0, 0, commission.amount_cents, 0, 0
      from sale join commission on commission.sale_id = sale.id
      where sale.account_id = ${accountId} and charged_at >= ${start} and charged_at < ${end} and commission.livemode and ${IS_CREDITED}
      union all
      select (created_at at time zone 'utc')::date, currency, 0, 0, amount_cents, 0, 0 from commission
      where account_id = ${accountId} and sale_id is null and created_at >= ${start} and created_at < ${end} and livemode and ${IS_CREDITED}
      union all
      select (paid_at at time zone 'utc')::date, currency, 0, 0, 0, 1, amount_cents from payout
      where account_id = ${accountId} and livemode and status = 'paid' and paid_at >= ${start} and paid_at < ${end}
    ) part
    group by day, currency order by currency`.execute(db);
  return Map.groupBy(rows, ({ day }) => day);
}

function byDay(rows: Counted[]): Map<string, number> {
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/** Returns the amounts of pending commissions by the month in which they become due. */
export async function getFallingDue({ db, accountId }: Ctx): Promise<FallingDue> {
  const { rows } = await sql<FallingDue['months'][number]>`
    select to_char(due_at at time zone 'utc', 'YYYY-MM') as month, currency, count(*) as count, sum(amount_cents)::bigint as amount_cents
    from commission where account_id = ${accountId} and state = 'pending' and livemode group by 1, 2 order by 1, 2`.execute(db);
  return { months: rows };
}

/** SQL expression: a number and amount of nothing. */
const NOTHING = sql`'{"count": 0, "amount_cents": 0}'::jsonb`;

/** Number of payouts that `getPayable` names. */
const LARGEST = 10;

/**
 * Returns the payouts that could be paid at a time, if nothing else happened until then: the open payouts, with the commissions that become due.
 *
 * @throws VALIDATION_ERROR for a time in the past
 */
export async function getPayable(ctx: Ctx, { at }: GetPayable): Promise<Payable> {
  if (at < ctx.now) throw invalid('at', REPORT_REASONS.in_past, 'too_small');
  const { rows } = await sql<Omit<Payable, 'at'>>`
    with falling as (
      select affiliate_id, currency, sum(amount_cents)::bigint as amount_cents, count(*) as count
      from commission
      where account_id = ${ctx.accountId} and state = 'pending' and livemode and due_at <= ${at}
        and ${NEEDS_REVIEW} is not true
      group by affiliate_id, currency
    ), open as (
      select affiliate_id, currency, amount_cents from payout where account_id = ${ctx.accountId} and status = 'open' and livemode
    ), payout as (
      select affiliate_id, currency, coalesce(open.amount_cents, 0) + coalesce(falling.amount_cents, 0) as amount_cents,
        coalesce(falling.count, 0) as falling_count, coalesce(falling.amount_cents, 0) as falling_cents
      from open full join falling using (affiliate_id, currency)
      where coalesce(open.amount_cents, 0) <> 0 or falling.count > 0
    ), review as (
      select currency, count(*) as count, sum(amount_cents)::bigint as amount_cents from commission
      where account_id = ${ctx.accountId} and livemode and ${NEEDS_REVIEW} group by currency
    ), expected as materialized (
      select payout.*, affiliate.email, ${obstaclesAt(at)} as reasons
      from payout join affiliate on affiliate.id = payout.affiliate_id join campaign on campaign.id = affiliate.campaign_id
      join account on account.id = campaign.account_id
    ), obstacle as (
      select currency, jsonb_agg(jsonb_build_object('reason', reason, 'count', count, 'amount_cents', amount_cents) order by reason) as obstacles
      from (
        select currency, reason, count(*) as count, sum(amount_cents)::bigint as amount_cents
        from expected, unnest(reasons) reason group by currency, reason
      ) counted group by currency
    )
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('currency', currency, 'payable', coalesce(payable, ${NOTHING}),
          'falling_due', coalesce(falling_due, ${NOTHING}), 'under_review',
          jsonb_build_object('count', coalesce(review.count, 0), 'amount_cents', coalesce(review.amount_cents, 0)),
          'obstacles', coalesce(obstacles, '[]')) order by currency)
        from (
          select currency,
            jsonb_build_object('count', count(*) filter (where reasons = '{}'),
              'amount_cents', coalesce(sum(amount_cents) filter (where reasons = '{}'), 0)) as payable,
            jsonb_build_object('count', sum(falling_count), 'amount_cents', sum(falling_cents)) as falling_due
          from expected group by currency
        ) summed full join review using (currency) left join obstacle using (currency)
      ), '[]') as currencies,
      coalesce((
        select jsonb_agg(jsonb_build_object('affiliate_id', affiliate_id, 'email', email, 'currency', currency,
          'amount_cents', amount_cents, 'ineligible_reasons', reasons) order by amount_cents desc, affiliate_id, currency)
        from (select * from expected order by amount_cents desc, affiliate_id, currency limit ${LARGEST}) largest
      ), '[]') as largest`.execute(ctx.db);
  return { at, ...rows[0]! };
}

/**
 * Returns the affiliates with the highest sales in a range of days.
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
export async function getTopAffiliates(ctx: Ctx, input: GetTopAffiliates): Promise<TopAffiliates> {
  const { from, to, start, end, before } = dayRange(ctx, input);
  const { rows } = await sql<TopAffiliates['affiliates'][number]>`
    select affiliate.id, email, first_name, last_name, affiliate.state, sales, sales_cents, commissions_cents,
      coalesce((
        select sum(${SALE_AMOUNT_CENTS}) from sale
        where sale.account_id = ${ctx.accountId} and sale.affiliate_id = affiliate.id and charged_at >= ${before} and charged_at < ${start}
          and ${IS_LIVE_SALE} and sale.currency = ${input.currency}
      ), 0) as previous_sales_cents
    from (
      select affiliate_id, count(*) filter (where ${IS_SOLD}) as sales,
        sum(${SALE_AMOUNT_CENTS}) as sales_cents,
        coalesce(sum(earned.amount_cents), 0) as commissions_cents
      from sale left join lateral (
        select sum(amount_cents) as amount_cents from commission
        where sale_id = sale.id and commission.currency = sale.currency and commission.livemode and ${IS_CREDITED}
      ) earned on true
      where account_id = ${ctx.accountId} and charged_at >= ${start} and charged_at < ${end}
        and ${IS_LIVE_SALE} and sale.currency = ${input.currency} and affiliate_id is not null
      group by affiliate_id having bool_or(${IS_SOLD})
    ) sold join affiliate on affiliate.id = sold.affiliate_id
    order by sales_cents desc, affiliate.id limit ${input.limit}`.execute(ctx.db);
  return { from, to, currency: input.currency, affiliates: rows };
}

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
    // An open payout of zero owes nothing, e.g. because all commissions are under review.
    .where('payout.amount_cents', '<>', 0)
    .groupBy(['payout.currency', 'payout.state', 'payout.ineligible_reasons', sql`payout.amount_cents < 0`])
    .select(['payout.currency', 'payout.state', 'payout.ineligible_reasons'])
    .select(sql<boolean>`payout.amount_cents < 0`.as('is_debt'))
    .select([sql<number>`count(*)`.as('count'), sql<number>`sum(payout.amount_cents)`.as('amount_cents')])
    .execute();
  const pending = await db
    .selectFrom('commission')
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('pending'))
    .where('livemode', '=', true)
    .where(sql<boolean>`${NEEDS_REVIEW} is not true`)
    .groupBy('currency')
    .select(['currency', sql<number>`count(*)`.as('count'), sql<number>`sum(amount_cents)`.as('amount_cents')])
    .execute();
  const underReview = await commissionsUnderReview({ db, accountId })
    .groupBy('currency')
    .select(['currency', sql<number>`count(*)`.as('count'), sql<number>`sum(amount_cents)`.as('amount_cents')])
    .execute();

  const currencies = [...new Set([...payouts, ...pending, ...underReview].map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const [debts, owed] = [true, false].map((isDebt) =>
      payouts.filter((row) => row.currency === currency && row.is_debt === isDebt),
    );
    const waiting = owed!.filter(({ state }) => state === 'pending');
    const reasons = new Set(waiting.flatMap(({ ineligible_reasons }) => ineligible_reasons));
    return {
      currency,
      payable: sumOf(owed!.filter(({ state }) => state === 'due')),
      waiting: sumOf(waiting),
      obstacles: [...reasons].toSorted().map((reason) => ({
        reason,
        ...sumOf(waiting.filter(({ ineligible_reasons }) => ineligible_reasons.includes(reason))),
      })),
      debts: sumOf(debts!),
      processing: sumOf(owed!.filter(({ state }) => state === 'processing')),
      not_due_yet: amountOf(pending.find((row) => row.currency === currency)),
      under_review: amountOf(underReview.find((row) => row.currency === currency)),
    };
  });
}

interface Sum {
  count: number;
  amount_cents: number;
}

function amountOf(row: Sum | undefined): Sum {
  return { count: row?.count ?? 0, amount_cents: row?.amount_cents ?? 0 };
}

function sumOf(rows: readonly Sum[]): Sum {
  return rows.reduce<Sum>((sum, row) => ({ count: sum.count + row.count, amount_cents: sum.amount_cents + row.amount_cents }), {
    count: 0,
    amount_cents: 0,
  });
}

/** Selects the live commissions that are in no payout until they are reviewed. */
function commissionsUnderReview({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>) {
  return db.selectFrom('commission').where('account_id', '=', accountId).where('livemode', '=', true).where(NEEDS_REVIEW);
}

async function whatNeedsReview({ db, accountId }: Ctx): Promise<Overview['needs_review']> {
  const suspicious = commissionsUnderReview({ db, accountId });
  const { count } = await suspicious.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const { rows } = await sql<Pick<Overview['needs_review'], 'rewards_count' | 'sales_count'>>`
    select
      (select count(*) from commission where account_id = ${accountId} and livemode and ${IS_CONTESTED}) as rewards_count,
      (select count(*) from sale where account_id = ${accountId} and ${IS_LIVE_SALE} and ${SALE_NEEDS_REVIEW}) as sales_count`.execute(
    db,
  );
  return {
    commissions_count: count,
    ...rows[0]!,
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

async function recentActivity(ctx: Ctx): Promise<Overview['recent_activity']> {
  const { rows } = await sql<Omit<Overview['recent_activity'][number], 'affiliate_name'>>`
    select id, type, occurred_at, body::json -> 'data' as data
    from event where account_id = ${ctx.accountId} and not is_test and body::json -> 'data' ->> 'livemode' is distinct from 'false'
      and not exists (select from referral where referral.id = event.subject_id and not ${IS_COUNTED})
    order by occurred_at desc, id desc limit ${SHOWN}`.execute(ctx.db);
  const affiliateOf = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
    String(data[type.startsWith('affiliate.') ? 'id' : 'affiliate_id']);
  const names = await nameRecords(ctx, rows.map(affiliateOf));
  return rows.map((row) => ({ ...row, affiliate_name: names.get(affiliateOf(row))?.name ?? null }));
}

/** Returns the steps of a new program that are done (docs/rules/reports.md#test-facts). */
export async function getFirstSteps({ db, accountId }: Ctx): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    with done as materialized (
      select exists (select from sale where account_id = ${accountId} and ${IS_LIVE_SALE} and ${IS_SOLD}) as sale
    )
    select sale,
      exists (select from campaign where account_id = ${accountId} and archived_at is null) as campaign,
      exists (select from affiliate where account_id = ${accountId} and archived_at is null) as affiliate,
      sale or exists (select from referral where account_id = ${accountId} and is_test)
        or exists (select from sale where account_id = ${accountId} and livemode = false) as test,
      exists (select from script_sight where account_id = ${accountId}) or exists (
        select from sale where account_id = ${accountId} and ${IS_LIVE_SALE} and ${IS_SOLD} and affiliate_id is not null
      ) as tracking,
      exists (select from connection where account_id = ${accountId} and ${IS_CONNECTED} and mode = ${ownMode(accountId)}) as payment_provider,
      exists (select from webhook_endpoint where account_id = ${accountId} and deleted_at is null) as webhook
    from done`.execute(db);
  return rows[0]!;
}

const DAY_MS = 86_400_000;

interface DayRange {
  /** First and last day (UTC). */
  from: string;
  to: string;
  start: Instant;
  /** Instant at which the range ends. It is not part of the range. */
  end: Instant;
  /** Instant at which the same number of days before the range begins. */
  before: Instant;
}

/**
 * Returns the range of days that the input names. The default is the last thirty days, today included.
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
function dayRange({ now }: Ctx, input: Pick<GetDailySeries, 'from' | 'to'>): DayRange {
  const to = input.to ?? dayOf(now);
  const from = input.from ?? dayOf(plusDays(startOf(to), -29));
  const count = countDays({ from, to });
  if (count < 1) throw invalid('to', REPORT_REASONS.before_from, 'too_small');
  if (count > MAX_DAYS) throw invalid('from', REPORT_REASONS.range_too_long({ max: MAX_DAYS }), 'too_big');
  return { from, to, start: startOf(from), end: plusDays(startOf(to), 1), before: plusDays(startOf(from), -count) };
}

function countDays({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function startOf(day: string): Instant {
  return `${day}T00:00:00.000Z`;
}

function dayOf(at: Instant): string {
  return at.slice(0, 10);
}
