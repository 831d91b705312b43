/**
 * Counts the sales of an affiliate for milestones and tiers (docs/rules/rewards.md#milestones), and finds the tiers that the affiliate has at a charge
 * (docs/rules/rewards.md#tiers).
 */
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Instant, isBefore, laterOf } from '../../platform/time/instant.ts';
import { turningPoints } from '../../rewards/tiers/tier-periods.ts';
import { type Tier, tiersOf } from '../../rewards/tiers/tier.ts';
import type { Metric } from '../../rewards/worth/rule.ts';
import { closedPeriodBefore } from '../../rewards/worth/windows.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale.entity.ts';
import { OWED_CENTS } from './credited.ts';
import { ENDED_BY_HAND_AT } from './earn.ts';

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

/** SQL condition: a row of `commission`, of a sale, has a bonus of which something is left. */
const HAS_BONUS = sql<boolean>`exists (
  select from commission bonus join commission_line line on line.commission_id = bonus.id
  where bonus.sale_id = commission.sale_id and bonus.affiliate_id = commission.affiliate_id and bonus.kind = 'bonus' and not bonus.superseded
    and (bonus.state <> 'voided' or bonus.voided_by_refund) and line.cents > 0)`;

/**
 * SQL condition: a row of `commission`, joined with its `sale`, counts for milestones and tiers: the affiliate earns something from the sale now, and no
 * person has ended that. A sale of which only lines are left that pay nothing does not count, like one that never earned.
 */
export const COUNTED_SALE = sql<boolean>`(
  commission.kind = 'sale' and not commission.superseded and ${ENDED_BY_HAND_AT} is null and ${SALE_AMOUNT_CENTS} > 0
  and case when ${OWED_CENTS} > 0 then true else ${HAS_BONUS} end)`;

/** SQL expression: what a metric counts in rows of `commission` joined with their `sale`. */
export function countOf(metric: Metric, currency: string | null): RawBuilder<number> {
  const counts = {
    customers: sql`count(distinct coalesce(sale.customer_id, commission.referral_id))`,
    sales: sql`count(*)`,
    revenue: sql`coalesce(sum(${SALE_AMOUNT_CENTS}) filter (where sale.currency = ${currency}), 0)`,
  } satisfies Record<Metric, unknown>;
  return sql<number>`(${counts[metric]})::bigint`;
}

/** SQL expression: by how much a row adds to what a metric counts, in the order of the charges. */
function gainOf(metric: Metric, currency: string | null): RawBuilder<number> {
  const gains = {
    customers: sql`(row_number() over (partition by coalesce(sale.customer_id, commission.referral_id) order by sale.charged_at, sale.id) = 1)::int`,
    sales: sql`1`,
    revenue: sql`case when sale.currency = ${currency} then ${SALE_AMOUNT_CENTS} else 0 end`,
  } satisfies Record<Metric, unknown>;
  return sql<number>`(${gains[metric]})::bigint`;
}

/** A charge, and what was counted before it and with it. */
interface CountedCharge {
  at: Instant;
  before: number;
  after: number;
}

/** Returns the charges with which a count reaches or passes a multiple of `step`, in the order of the charges. */
export async function chargesThatReach(ctx: Reader, of: Counted, charges: Charges, step: number): Promise<CountedCharge[]> {
  const { rows } = await sql<CountedCharge>`
    select charged_at as at, after - gain as before, after from (
      select charged_at, id, gain, (sum(gain) over (order by charged_at, id))::bigint as after from (
        select sale.charged_at, sale.id, ${gainOf(charges.metric, charges.currency)} as gain from ${countedCharges(ctx, of, charges)}
      ) counted
    ) running
    where (after - gain) / ${step}::bigint < after / ${step}::bigint order by charged_at, id`.execute(ctx.db);
  return rows;
}

/** Returns the number of customers or sales, or the amount of the sales, of which something is left after refunds. */
async function countSales(ctx: Reader, of: Counted, charges: Charges): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${countOf(charges.metric, charges.currency)} as count from ${countedCharges(ctx, of, charges)}`.execute(ctx.db);
  return rows[0]!.count;
}

type Reader = Pick<WriteCtx, 'db' | 'accountId'>;

/** SQL: the tables and the condition of the commissions and sales that count. */
function countedCharges(
  { accountId }: Reader,
  { affiliateId, campaignId, livemode }: Counted,
  { since, until, during = null }: Charges,
): RawBuilder<unknown> {
  return sql`commission join sale on sale.id = commission.sale_id
    where commission.account_id = ${accountId} and commission.affiliate_id = ${affiliateId} and commission.campaign_id = ${campaignId}
      and commission.livemode = ${livemode} and ${COUNTED_SALE}
      and (${since}::timestamptz is null or sale.charged_at >= ${since}::timestamptz) and (${until}::timestamptz is null or sale.charged_at < ${until}::timestamptz)
      and ${during === null ? sql`true` : isDuring(during)}`;
}

function isDuring(periods: readonly HeldPeriod[]): RawBuilder<boolean> {
  return sql`exists (
    select from unnest(${periods.map(({ since }) => since)}::timestamptz[], ${periods.map(({ until }) => until)}::timestamptz[]) held (since, until)
    where sale.charged_at >= held.since and (held.until is null or sale.charged_at < held.until))`;
}

/** A period in which an affiliate has a tier. */
interface HeldPeriod {
  since: Instant;
  until: Instant | null;
}

/**
 * Returns the ids of the tiers that an affiliate has at a charge: those that the affiliate reached by the charges of the last closed period. What
 * happens in the period of the charge has no effect, so that the order of sales and races cannot decide.
 */
export async function tiersAt(
  reader: Pick<WriteCtx, 'db' | 'accountId'>,
  tiers: readonly Tier[],
  of: Counted,
  at: Instant,
): Promise<string[]> {
  const inForce = tiers.filter(
    ({ campaign_id, created_at, ended_at }) =>
      campaign_id === of.campaignId && !isBefore(at, created_at) && (ended_at === null || isBefore(at, ended_at)),
  );
  const counts = await Promise.all(
    inForce.map(({ metric, currency, window }) => {
      const { from, until } = closedPeriodBefore(window, at);
      return countSales(reader, of, { metric, currency, since: from, until });
    }),
  );
  return inForce.filter(({ from }, i) => counts[i]! >= from).map(({ id }) => id);
}

/**
 * Returns the periods in which an affiliate has one of the given tiers, counted from the sales that are known now, as for sales (`tiersAt`). Sales that
 * become known later change them, and then the sales of these periods are decided again, with their milestones.
 */
export async function periodsWithTier(
  ctx: Pick<WriteCtx, 'db' | 'accountId' | 'now'>,
  of: Counted,
  tierIds: readonly string[],
  { since, until }: HeldPeriod,
): Promise<HeldPeriod[]> {
  const tiers = (await tiersOf(ctx, [of.campaignId])).filter(({ id }) => tierIds.includes(id));
  const points = turningPoints(tiers, { from: since, until: laterOf(since, ctx.now) });
  const held = await Promise.all(points.map((at) => tiersAt(ctx, tiers, of, at)));
  return points.flatMap((at, i) => (held[i]!.length === 0 ? [] : [{ since: at, until: points[i + 1] ?? until }]));
}
