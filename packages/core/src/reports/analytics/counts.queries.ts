import { type RawBuilder, sql } from 'kysely';
import { IS_CREDITED } from '../../earnings/commissions/credited.ts';
import { SALE_AMOUNT_CENTS } from '../../earnings/sales/sale-amount.ts';
import { IS_LIVE_SALE } from '../../earnings/sales/sale-mode.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { ALL_CLICKS, CLICK_DIMENSIONS, type ClickDimension, type Dimension, REFERRAL_DIMENSIONS, isTime } from './dimensions.ts';

/** What is counted: a range of days in a time zone, by one dimension, with values of others. */
export interface Scope {
  groupBy: Dimension | null;
  since: string;
  until: string;
  timeZone: string;
  currency: string;
  filters: readonly { name: ClickDimension; value: string | null }[];
}

export const EMPTY = {
  clicks: 0,
  unique_visitors: 0,
  leads: 0,
  conversions: 0,
  sales: 0,
  charges_cents: 0,
  refunds_cents: 0,
  net_revenue_cents: 0,
  commissions_cents: 0,
  payouts_cents: 0,
  customers: 0,
};
export type Counts = typeof EMPTY;

type Part = Partial<Counts> & { key: string | null };
type Text = RawBuilder<unknown>;

/** Sums and counts of every value of the dimension; of null, if there is none. */
export async function loadCounts(ctx: Ctx, scope: Scope): Promise<Map<string | null, Counts>> {
  const parts = await Promise.all([
    clicks(ctx, scope),
    leads(ctx, scope),
    conversions(ctx, scope),
    sales(ctx, scope),
    commissions(ctx, scope),
    payouts(ctx, scope),
  ]);
  const counts = new Map<string | null, Counts>();
  for (const { key, ...part } of parts.flat()) counts.set(key, { ...(counts.get(key) ?? EMPTY), ...part });
  return counts;
}

/** Start of a day in the scope's time zone. */
const startOf = ({ timeZone }: Scope, day: string) => sql`(${day}::date::timestamp at time zone ${timeZone})`;
const startOfRange = (scope: Scope) => startOf(scope, scope.since);
const endOfRange = (scope: Scope) => sql`((${scope.until}::date + 1)::timestamp at time zone ${scope.timeZone})`;
const within = (scope: Scope, at: Text) => sql`${at} >= ${startOfRange(scope)} and ${at} < ${endOfRange(scope)}`;

/** The value by which a row counts: that of its time, or `column` of the dimension. */
function keyOf({ groupBy, timeZone }: Scope, at: Text, column: (name: ClickDimension) => Text): Text {
  if (groupBy === null) return sql`null::text`;
  if (!isTime(groupBy)) return column(groupBy);
  return sql`to_char(date_trunc(${groupBy}, ${at} at time zone ${timeZone}), 'YYYY-MM-DD')`;
}

function filtered({ filters }: Scope, column: (name: ClickDimension) => Text): Text {
  return sql.join(
    [sql``, ...filters.map(({ name, value }) => sql`and ${column(name)} is not distinct from ${value}::text`)],
    sql` `,
  );
}

/** Days of partitions that may hold clicks of the range, so that others are not read. */
const days = ({ since, until }: Scope) => sql`click.day between ${since}::date - 1 and ${until}::date + 1`;

/**
 * From the roll-ups as far as they go, and from the records after that. All in one statement, and so in one state of the database. Whole days
 * (UTC) come from the roll-ups of days unless the days of an account's time zone are asked for. Several dimensions at once, and days that do
 * not begin with an hour (UTC), are counted from the records alone.
 */
async function clicks({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const isByTime = scope.groupBy !== null && isTime(scope.groupBy);
  const used = new Set<string>(scope.filters.map(({ name }) => name));
  if (scope.groupBy !== null && !isTime(scope.groupBy)) used.add(scope.groupBy);
  const [dimension = ALL_CLICKS, ...others] = used;
  const [start, end] = [startOfRange(scope), endOfRange(scope)];
  const isRolledUp =
    others.length === 0 ? sql`extract(minute from ${start}) = 0 and extract(minute from ${end}) = 0` : sql`false`;
  const column = (name: ClickDimension) => sql`${sql.ref(`click.${CLICK_DIMENSIONS[name]}`)}`;
  const hours = (from: Text, until: Text) => sql`
    select ${keyOf(scope, sql`hour`, () => sql`value`)} as key, sum(clicks) as clicks, sum(unique_visitors) as unique_visitors
    from click_rollup
    where account_id = ${accountId} and dimension = ${dimension} and hour >= ${from} and hour < ${until} ${filtered(scope, () => sql`value`)}
    group by 1`;
  const bound = (name: string) => sql`(select ${sql.ref(name)} from ${sql.table(name === 'last_day' ? 'days' : 'bounds')})`;
  const { rows } = await sql<Part>`
    with progress as materialized (
      select coalesce((select rolled_up_until from click_rollup_progress where ${isRolledUp}), '-infinity') as until
    ), bounds as materialized (
      select greatest(${start}, least(${end}, until)) as until,
        case when ${sql.lit(isByTime)} then ${end} else date_trunc('day', ${start} + interval '1 day' - interval '1 ms') end as first_day
      from progress
    ), days as materialized (
      select greatest(first_day, date_trunc('day', until)) as last_day from bounds
    ), part as (
      ${hours(start, sql`least(${bound('first_day')}, ${bound('until')})`)}
      union all
      select ${keyOf(scope, sql`null::timestamptz`, () => sql`value`)}, sum(clicks), sum(unique_visitors)
      from click_rollup_day
      where account_id = ${accountId} and dimension = ${dimension} and day >= (${bound('first_day')})::date and day < (${bound('last_day')})::date
        ${filtered(scope, () => sql`value`)}
      group by 1
      union all
      ${hours(bound('last_day'), bound('until'))}
      union all
      select ${keyOf(scope, sql`at`, column)}, count(*), count(*) filter (where is_unique)
      from click
      where account_id = ${accountId} and ${days(scope)} and at >= ${bound('until')} and at < ${end}
        and bot_reason is null ${filtered(scope, column)}
      group by 1
    )
    select key, sum(clicks) as clicks, sum(unique_visitors) as unique_visitors from part group by key`.execute(db);
  return rows;
}

/** Dimensions of a referral: its own, or those of the click that started it, `touch`. */
const ofReferral = (name: ClickDimension): Text =>
  (REFERRAL_DIMENSIONS as readonly string[]).includes(name)
    ? sql`${sql.ref(`referral.${CLICK_DIMENSIONS[name]}`)}`
    : sql`${sql.ref(`touch.${CLICK_DIMENSIONS[name]}`)}`;

function touchOf({ groupBy, filters }: Scope): Text {
  const names = [...(groupBy === null || isTime(groupBy) ? [] : [groupBy]), ...filters.map(({ name }) => name)];
  if (names.every((name) => (REFERRAL_DIMENSIONS as readonly string[]).includes(name))) return sql``;
  return sql`left join referral_source touch on touch.referral_id = referral.id`;
}

async function leads({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select ${keyOf(scope, sql`referral.created_at`, ofReferral)} as key, count(*) as leads
    from referral ${touchOf(scope)}
    where referral.account_id = ${accountId} and referral.conversion_state in ('lead', 'conversion')
      and ${within(scope, sql`referral.created_at`)} ${filtered(scope, ofReferral)}
    group by 1`.execute(db);
  return rows;
}

async function conversions({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select ${keyOf(scope, sql`referral.converted_at`, ofReferral)} as key, count(*) as conversions
    from referral ${touchOf(scope)}
    where referral.account_id = ${accountId} and ${within(scope, sql`referral.converted_at`)} ${filtered(scope, ofReferral)}
    group by 1`.execute(db);
  return rows;
}

async function sales({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select ${keyOf(scope, sql`sale.charged_at`, ofReferral)} as key, count(*) as sales, sum(sale.charge_amount_cents) as charges_cents,
      sum(sale.refund_amount_cents) as refunds_cents, sum(${SALE_AMOUNT_CENTS}) as net_revenue_cents,
      count(distinct sale.customer_id) as customers
    from sale join referral on referral.id = sale.referral_id ${touchOf(scope)}
    where sale.account_id = ${accountId} and sale.currency = ${scope.currency} and ${IS_LIVE_SALE} and ${within(scope, sql`sale.charged_at`)}
      ${filtered(scope, ofReferral)}
    group by 1`.execute(db);
  return rows;
}

async function commissions({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const column = (name: ClickDimension) => (name === 'affiliate' ? sql`commission.affiliate_id` : ofReferral(name));
  const earned = (from: Text, at: Text, condition: Text) => sql`
    select ${keyOf(scope, at, column)} as key, sum(commission.amount_cents) as commissions_cents
    from ${from} left join referral on referral.id = commission.referral_id ${touchOf(scope)}
    where ${condition} and commission.currency = ${scope.currency} and commission.livemode and ${IS_CREDITED} and ${within(scope, at)}
      ${filtered(scope, column)}
    group by 1`;
  const { rows } = await sql<Part>`
    select key, sum(commissions_cents) as commissions_cents from (
      ${earned(sql`sale join commission on commission.sale_id = sale.id`, sql`sale.charged_at`, sql`sale.account_id = ${accountId}`)}
      union all
      ${earned(sql`commission`, sql`commission.created_at`, sql`commission.account_id = ${accountId} and commission.sale_id is null`)}
    ) part group by key`.execute(db);
  return rows;
}

/** Payouts know their affiliate, and nothing of clicks. */
async function payouts({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const isKnown = (name: Dimension) => isTime(name) || name === 'affiliate';
  if (!(scope.groupBy === null || isKnown(scope.groupBy)) || !scope.filters.every(({ name }) => isKnown(name))) return [];
  const column = () => sql`payout.affiliate_id`;
  const { rows } = await sql<Part>`
    select ${keyOf(scope, sql`payout.paid_at`, column)} as key, sum(payout.amount_cents) as payouts_cents
    from payout
    where payout.account_id = ${accountId} and payout.currency = ${scope.currency} and payout.livemode and payout.status = 'paid'
      and ${within(scope, sql`payout.paid_at`)} ${filtered(scope, column)}
    group by 1`.execute(db);
  return rows;
}
