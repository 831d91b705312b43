import { z } from 'zod';
import { AnalyticsReport, GetAnalytics, Metrics } from '../../reports/analytics/analytics.schema.ts';

const { since, until, currency, compare, limit } = GetAnalytics.shape;
const { clicks, unique_visitors, leads, conversions, sales, net_revenue_cents, commissions_cents, payouts_cents } = Metrics.shape;
const { conversion_rate, earnings_per_click_cents } = Metrics.shape;

/** Dimensions of clicks that an affiliate chooses: links, and what the affiliate adds to them. */
const OWN_FILTERS = [
  'link',
  'campaign',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
] as const;

export const GetOwnFigures = z.strictObject({
  group_by: z
    .enum(['day', 'week', 'month', 'code', ...OWN_FILTERS])
    .optional()
    .describe('Dimension of the rows: one row per value. If omitted, one row with the totals. `code`: sales with own codes.'),
  since,
  until,
  currency,
  compare,
  limit,
  ...(Object.fromEntries(OWN_FILTERS.map((name) => [name, GetAnalytics.shape[name]])) as Pick<
    typeof GetAnalytics.shape,
    (typeof OWN_FILTERS)[number]
  >),
});
export type GetOwnFigures = z.infer<typeof GetOwnFigures>;

/** Without charges and refunds, from which the tax of a sale could be computed. */
const OwnMetrics = z.object({
  clicks,
  unique_visitors,
  leads,
  conversions,
  sales,
  net_revenue_cents,
  commissions_cents,
  payouts_cents,
  conversion_rate,
  earnings_per_click_cents,
});

const { data } = AnalyticsReport.shape;

export const PortalFigures = AnalyticsReport.omit({ csv: true, data: true, group_by: true })
  .extend({
    group_by: GetOwnFigures.shape.group_by.unwrap().nullable(),
    data: z.array(
      z.object({
        value: data.element.shape.value,
        name: z.string().nullable().describe('Label and token of the link, or name of the campaign; otherwise `value`.'),
        ...OwnMetrics.shape,
        previous: OwnMetrics.optional().describe('Present with `compare`.'),
      }),
    ),
  })
  .meta({ id: 'PortalFigures', description: 'The figures of an affiliate for a range of days, grouped by one dimension.' });
export type PortalFigures = z.infer<typeof PortalFigures>;
