import { sql } from 'kysely';
import { ID_SLACK_MS, firstIdAt } from '../../platform/wire/ids.ts';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { SALE_AMOUNT_CENTS } from '../../ledger/sales/sale-amount.ts';
import { IS_LIVE_SALE } from '../../ledger/sales/sale-mode.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { plusMilliseconds } from '../../platform/time/instant.ts';
import { type DayRange, dayRange, daysOf } from './day-range.ts';
import type { DailySeries, GetDailySeries } from './overview.schema.ts';

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
  return {
    from: range.from,
    to: range.to,
    days: daysOf(range).map((date) => ({
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
    where account_id = ${accountId} and created_at >= ${start} and created_at < ${end}
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
    where account_id = ${accountId} and converted_at >= ${start} and converted_at < ${end}
    group by day`.execute(db);
  return byDay(rows);
}

type Money = DailySeries['days'][number]['currencies'][number] & { day: string };

async function moneyPerDay({ db, accountId }: Ctx, { start, end }: DayRange): Promise<Map<string, Money[]>> {
  const { rows } = await sql<Money>`
    select day, currency, sum(sales) as sales, sum(sales_cents) as sales_cents, sum(commissions_cents) as commissions_cents,
      sum(payouts) as payouts, sum(payouts_cents) as payouts_cents
    from (
      select (charged_at at time zone 'utc')::date as day, currency, 1 as sales,
        ${SALE_AMOUNT_CENTS} as sales_cents,
        0 as commissions_cents, 0 as payouts, 0 as payouts_cents
      from sale where account_id = ${accountId} and ${IS_LIVE_SALE} and charged_at >= ${start} and charged_at < ${end}
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
