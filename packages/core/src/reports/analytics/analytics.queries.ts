import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { writeCsv } from '../../platform/wire/csv-line.ts';
import { REPORT_REASONS } from '../reasons.ts';
import { type AnalyticsReport, type GetAnalytics, MAX_ANALYTICS_DAYS, type Metrics } from './analytics.schema.ts';
import { type Counted, EMPTY, type Counts, type Scope, hasPayouts, loadCounts } from './counts.queries.ts';
import { type ClickDimension, CLICK_DIMENSIONS, isTime } from './dimensions.ts';
import { addDays, bucketsOf, countDays, dayIn } from './local-days.ts';

const DEFAULT_DAYS = 30;

/**
 * Returns the metrics of a range of days, by one dimension (docs/rules/reports.md#analytics).
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
export function getAnalytics({ accountId, db, now }: Ctx, input: GetAnalytics): Promise<AnalyticsReport> {
  const read = async <Row>(statement: RawBuilder<Row>) => (await statement.execute(db)).rows;
  return analyticsOf({ accountId, read, now }, input);
}

/** `getAnalytics` over the records that `read` sees. */
export async function analyticsOf(counted: Counted & { now: Instant }, input: GetAnalytics): Promise<AnalyticsReport> {
  const [account] = await counted.read(
    sql<{ currency: string; time_zone: string }>`select currency, time_zone from account where id = ${counted.accountId}`,
  );
  if (!account) throw notFound('account');
  const until = input.until ?? dayIn(account.time_zone, counted.now);
  const since = input.since ?? addDays(until, 1 - DEFAULT_DAYS);
  const length = countDays(since, until);
  if (length < 1) throw invalid('until', REPORT_REASONS.before_since, 'too_small');
  if (length > MAX_ANALYTICS_DAYS) throw invalid('since', REPORT_REASONS.range_too_long({ max: MAX_ANALYTICS_DAYS }), 'too_big');
  const scope: Scope = {
    groupBy: input.group_by ?? null,
    since,
    until,
    timeZone: account.time_zone,
    currency: input.currency ?? account.currency,
    filters: (Object.keys(CLICK_DIMENSIONS) as ClickDimension[]).flatMap((name) =>
      input[name] === undefined ? [] : [{ name, value: input[name] || null }],
    ),
  };
  const before = { ...scope, since: addDays(since, -length), until: addDays(since, -1) };
  const [present, previous] = await Promise.all([loadCounts(counted, scope), input.compare ? loadCounts(counted, before) : null]);
  const withPayouts = hasPayouts(scope);
  const data = valuesOf(scope, present, input.limit).map((value, index) => {
    const former = previous?.get(formerValue(scope, before, value, index)) ?? EMPTY;
    return {
      value,
      ...metricsOf(present.get(value) ?? EMPTY, withPayouts),
      ...(previous ? { previous: metricsOf(former, withPayouts) } : {}),
    };
  });
  return {
    group_by: scope.groupBy,
    since,
    until,
    time_zone: scope.timeZone,
    currency: scope.currency,
    data,
    ...(input.format === 'csv' ? { csv: csvOf(scope.groupBy ?? 'total', data) } : {}),
  };
}

/**
 * Returns the dimension's values that get a row. For a dimension of time, these are all days, weeks or months of the range. For any other
 * dimension, these are the `limit` values with the most clicks, in descending order.
 */
function valuesOf(scope: Scope, counts: ReadonlyMap<string | null, Counts>, limit: number): (string | null)[] {
  if (scope.groupBy === null) return [null];
  if (isTime(scope.groupBy)) return bucketsOf(scope.groupBy, scope.since, scope.until);
  return [...counts]
    .toSorted(
      ([a, left], [b, right]) =>
        right.clicks - left.clicks || right.net_revenue_cents - left.net_revenue_cents || String(a).localeCompare(String(b)),
    )
    .slice(0, limit)
    .map(([value]) => value);
}

/**
 * Returns the value with which a row is compared: the day, week or month at the same position in the previous range or, for another
 * dimension, the same value.
 */
function formerValue({ groupBy }: Scope, before: Scope, value: string | null, index: number): string | null {
  if (groupBy === null || !isTime(groupBy)) return value;
  return bucketsOf(groupBy, before.since, before.until)[index] ?? '';
}

function metricsOf({ customers, payouts_cents, ...counts }: Counts, withPayouts: boolean): Metrics {
  return {
    ...counts,
    payouts_cents: withPayouts ? payouts_cents : null,
    // A visitor who comes again after the referral has expired may have several referrals, but is one visitor of the day.
    conversion_rate: rate(Math.min(counts.converted_visitors, counts.unique_visitors), counts.unique_visitors),
    earnings_per_click_cents: centsPer(counts.commissions_cents, counts.clicks),
    refund_rate: rate(counts.refunds_cents, counts.charges_cents),
    average_order_cents: centsPer(counts.net_revenue_cents, counts.sales),
    lifetime_value_cents: centsPer(counts.net_revenue_cents, customers),
  };
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** Divides cents by a count, rounding half a cent away from zero. Null if the count is zero. */
function centsPer(cents: number, count: number): number | null {
  if (count === 0) return null;
  const half = BigInt(cents < 0 ? -count : count);
  return Number((2n * BigInt(cents) + half) / (2n * BigInt(count)));
}

function csvOf(name: string, data: AnalyticsReport['data']): string {
  const rows = data.map(({ value, previous: _, ...metrics }) => ({ [name]: value, ...metrics }));
  const header = Object.keys(rows[0] ?? { [name]: '' });
  return writeCsv([header, ...rows.map((row) => Object.values(row).map((cell) => String(cell ?? '')))]);
}
