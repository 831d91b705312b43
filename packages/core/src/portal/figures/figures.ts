import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { IS_SOLD, SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import { analyticsOf, AnalyticsReport, GetAnalytics, Metrics } from '../../reports/analytics/analytics.ts';
import { within } from '../../reports/analytics/counts.queries.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { LINK_NAME } from '../links/link.ts';

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

const TABLES = [
  'account',
  'analytics_fact',
  'analytics_stale_day',
  'click',
  'click_rollup',
  'click_rollup_day',
  'click_rollup_progress',
  'commission',
  'link',
  'link_clicks',
  'payout',
  'payout_item',
  'referral',
  'referral_source',
  'sale',
] as const;

/**
 * Returns the metrics of the affiliate's own clicks, sales and commissions in a range of days (docs/rules/reports.md#analytics).
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
export async function getOwnFigures(ctx: AffiliateCtx, { group_by, ...input }: GetOwnFigures): Promise<PortalFigures> {
  const { mine, affiliate, now } = ctx;
  const own = {
    accountId: affiliate.account_id,
    now,
    // A statement with subqueries of its own must be one itself, because the own rows are in the same `with`.
    read: <Row>(statement: RawBuilder<Row>) => mine.rows(TABLES, sql<Row>`select * from (${statement}) counted`),
  };
  const ofGroups = group_by === undefined || group_by === 'code' ? {} : { group_by };
  const report = await analyticsOf(own, { ...input, ...ofGroups, affiliate: affiliate.id, format: 'json' });
  const range = { ...report, group_by: group_by ?? null };
  if (group_by === 'code') return { ...range, data: await sumByCode(ctx, range) };
  const names = await findNames(ctx);
  return {
    ...range,
    data: report.data.map((row) => ({ ...row, name: names.get(row.value ?? '') ?? row.value })),
  };
}

async function findNames({ mine }: AffiliateCtx): Promise<Map<string, string>> {
  const rows = await mine.rows(
    ['link', 'campaign'],
    sql<{ id: string; name: string }>`select id, ${LINK_NAME} as name from link union all select id, name from campaign`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type Row = PortalFigures['data'][number];

/** Sums up the sales of a range in which the affiliate's codes were redeemed. Codes have no clicks. */
async function sumByCode(
  { mine }: AffiliateCtx,
  { since, until, time_zone: timeZone, currency }: Omit<PortalFigures, 'data'>,
): Promise<Row[]> {
  const rows = await mine.rows(
    ['sale', 'promo_code', 'commission', 'payout_item'],
    sql<Pick<Row, 'sales' | 'net_revenue_cents' | 'commissions_cents'> & { value: string }>`
      select code.code as value, count(*) filter (where ${IS_SOLD}) as sales, coalesce(sum(${SALE_AMOUNT_CENTS}), 0)::bigint as net_revenue_cents,
        coalesce(sum(earned.cents), 0)::bigint as commissions_cents
      from sale join (select lower(code) as lower, max(code) as code from promo_code group by 1) code on code.lower = lower(sale.promo_code)
      left join lateral (
        select sum(amount_cents) as cents from commission
        where commission.sale_id = sale.id and commission.currency = ${currency} and ${IS_CREDITED}
      ) earned on true
      where sale.currency = ${currency} and ${within({ since, until, timeZone }, sql`sale.charged_at`)}
      group by 1 order by net_revenue_cents desc, value`,
  );
  const none = { clicks: 0, unique_visitors: 0, leads: 0, conversions: 0, payouts_cents: null };
  return rows.map((row) => ({ ...none, ...row, name: row.value, conversion_rate: null, earnings_per_click_cents: null }));
}
