import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { writeCsv } from '../../platform/wire/csv-line.ts';
import { currency, currencyCode, signedCents } from '../../platform/wire/scalars.ts';
import { REPORT_REASONS } from '../reasons.ts';
import { type Counted, type Counts, EMPTY, hasPayouts, loadCounts, type Scope } from './counts.queries.ts';
import { CLICK_DIMENSIONS, type ClickDimension, DIMENSIONS, isTime } from './dimensions.ts';
import { addDays, bucketsOf, countDays, dayIn } from './local-days.ts';

const MAX_ANALYTICS_DAYS = 400;
const MAX_ROWS = 1_000;

const day = z.iso.date().meta({ example: '2026-11-20' });
const filterNames = Object.keys(CLICK_DIMENSIONS) as ClickDimension[];
const filters = Object.fromEntries(
  filterNames.map((name) => [
    name,
    z.string().max(200).optional().describe('Filters by value; empty for records without a value.'),
  ]),
) as Record<ClickDimension, z.ZodOptional<z.ZodString>>;

export const GetAnalytics = z.strictObject({
  group_by: z
    .enum(DIMENSIONS)
    .optional()
    .describe('Dimension of the rows: one row per value. If omitted, one row with the totals.'),
  since: day.optional().describe('First day, in the time zone of the account. Defaults to 29 days before `until`.'),
  until: day.optional().describe(`Last day. Defaults to today. The range can span up to ${MAX_ANALYTICS_DAYS} days.`),
  currency: currency()
    .optional()
    .describe('Counts amounts and sales in this currency only. Defaults to the currency of the account.'),
  compare: z
    .enum(['previous_period'])
    .optional()
    .describe('Adds `previous` to each row: the metrics of the same number of days before `since`.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_ROWS)
    .default(100)
    .describe('Maximum number of rows; rows with the most clicks come first. Does not apply to rows of days, weeks, or months.'),
  format: z.enum(['json', 'csv']).default('json').describe('With `csv`, the response also contains the rows as CSV text.'),
  ...filters,
});
export type GetAnalytics = z.infer<typeof GetAnalytics>;

const metrics = {
  clicks: z.int(),
  unique_visitors: z.int().describe('Unique visitors, counted per link and day (UTC).'),
  leads: z.int().describe('Referrals created in the range that are now a lead or converted.'),
  conversions: z.int().describe('Referrals that converted in the range.'),
  converted_visitors: z.int().describe('Visitors who came in the range and have converted since. Codes bring no visitors.'),
  sales: z.int().describe('Sales of referrals, charged in the range.'),
  charges_cents: signedCents().describe('Charges of these sales, tax included.'),
  refunds_cents: signedCents().describe('Refunds of these sales, whenever they were made.'),
  net_revenue_cents: signedCents().describe('Amount of these sales, without tax and refunds.'),
  commissions_cents: signedCents().describe(
    'Commissions of these sales, and commissions without a sale that were created in the range.',
  ),
  payouts_cents: signedCents()
    .nullable()
    .describe('Payouts paid in the range. Null if `group_by` or a filter is a dimension that payouts do not have.'),
  conversion_rate: z
    .number()
    .nullable()
    .describe(
      'Share of the unique visitors who have converted since: `converted_visitors` divided by `unique_visitors`. Null without visitors.',
    ),
  earnings_per_click_cents: z.int().nullable().describe('Commissions per click.'),
  refund_rate: z.number().nullable().describe('Refunds divided by charges.'),
  average_order_cents: z.int().nullable().describe('Net revenue per sale.'),
  lifetime_value_cents: z.int().nullable().describe('Net revenue per customer.'),
};
export const Metrics = z.object(metrics);
export type Metrics = z.infer<typeof Metrics>;

export const AnalyticsReport = z
  .object({
    group_by: z.enum(DIMENSIONS).nullable(),
    since: z.string(),
    until: z.string(),
    time_zone: z.string(),
    currency: currencyCode(),
    data: z.array(
      z.object({
        value: z
          .string()
          .nullable()
          .describe(
            'Day, first day of the week (Monday), first day of the month, ID, or text. Null for the totals and for records without a value.',
          ),
        ...metrics,
        previous: Metrics.optional().describe('Present with `compare`.'),
      }),
    ),
    csv: z.string().optional().describe('Present with `format=csv`.'),
  })
  .meta({ id: 'AnalyticsReport', description: 'Metrics for a range of days, grouped by one dimension.' });
export type AnalyticsReport = z.infer<typeof AnalyticsReport>;

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
