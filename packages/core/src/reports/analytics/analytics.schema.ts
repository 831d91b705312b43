import { z } from 'zod';
import { currency, currencyCode, signedCents } from '../../platform/wire/scalars.ts';
import { CLICK_DIMENSIONS, type ClickDimension, DIMENSIONS } from './dimensions.ts';

export const MAX_ANALYTICS_DAYS = 400;
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
