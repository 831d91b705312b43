/** Counts the sales of an affiliate for milestones and tiers (docs/rules/rewards.md#milestones). */
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Metric } from '../../rewards/worth/rule.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale-amount.ts';

/** The affiliate whose sales count. */
export interface Counted {
  affiliateId: string;
  campaignId: string;
  livemode: boolean;
}

/** Charges that count: those from which the affiliate earns, within a period. */
interface Charges {
  metric: Metric;
  /** Currency of revenue. */
  currency: string | null;
  since: Instant | null;
  until: Instant | null;
  /** Periods outside of which nothing counts, if there are any. */
  during?: readonly HeldPeriod[] | null;
}

/** SQL condition: a row of `commission`, joined with its `sale`, counts for milestones and tiers. */
export const COUNTED_SALE = sql<boolean>`(
  commission.kind = 'sale' and not commission.superseded and (commission.state <> 'voided' or commission.voided_by_refund)
  and ${SALE_AMOUNT_CENTS} > 0)`;

/** SQL expression: what a metric counts in rows of `commission` joined with their `sale`. */
export function countOf(metric: Metric, currency: string | null): RawBuilder<number> {
  const counts = {
    customers: sql`count(distinct coalesce(sale.customer_id, commission.referral_id))`,
    sales: sql`count(*)`,
    revenue: sql`coalesce(sum(${SALE_AMOUNT_CENTS}) filter (where sale.currency = ${currency}), 0)`,
  } satisfies Record<Metric, unknown>;
  return sql<number>`(${counts[metric]})::bigint`;
}

/** Returns the number of customers or sales, or the amount of the sales, of which something is left after refunds. */
export async function countSales(
  { db, accountId }: Pick<WriteCtx, 'db' | 'accountId'>,
  { affiliateId, campaignId, livemode }: Counted,
  { metric, currency, since, until, during = null }: Charges,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${countOf(metric, currency)} as count from commission join sale on sale.id = commission.sale_id
    where commission.account_id = ${accountId} and commission.affiliate_id = ${affiliateId} and commission.campaign_id = ${campaignId}
      and commission.livemode = ${livemode} and ${COUNTED_SALE}
      and (${since}::timestamptz is null or sale.charged_at >= ${since}::timestamptz) and (${until}::timestamptz is null or sale.charged_at < ${until}::timestamptz)
      and ${during === null ? sql`true` : isDuring(during)}`.execute(db);
  return rows[0]!.count;
}

function isDuring(periods: readonly HeldPeriod[]): RawBuilder<boolean> {
  return sql`exists (
    select from unnest(${periods.map(({ since }) => since)}::timestamptz[], ${periods.map(({ until }) => until)}::timestamptz[]) held (since, until)
    where sale.charged_at >= held.since and (held.until is null or sale.charged_at < held.until))`;
}

/** A period in which an affiliate has a tier. */
export interface HeldPeriod {
  since: Instant;
  until: Instant | null;
}
