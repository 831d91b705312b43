import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { ALL_CLICKS, CLICK_DIMENSIONS, type ClickDimension, type Dimension, isTime } from './dimensions.ts';
import { FACT_COLUMNS, NUMBER_SUMS, factsOfRecords } from './facts.ts';
import { beginsWithHours } from './local-days.ts';

/** Scope of a count: a range of days in a time zone, by one dimension, with values of others. */
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
  const parts = await Promise.all([clicks(ctx, scope), facts(ctx, scope), payouts(ctx, scope)]);
  const counts = new Map<string | null, Counts>();
  for (const { key, ...part } of parts.flat()) counts.set(key, { ...(counts.get(key) ?? EMPTY), ...part });
  return counts;
}

/** Start of a day in the scope's time zone. */
const startOf = ({ timeZone }: Scope, day: string) => sql`(${day}::date::timestamp at time zone ${timeZone})`;
const startOfRange = (scope: Scope) => startOf(scope, scope.since);
const endOfRange = (scope: Scope) => sql`((${scope.until}::date + 1)::timestamp at time zone ${scope.timeZone})`;
const within = (scope: Scope, at: Text) => sql`${at} >= ${startOfRange(scope)} and ${at} < ${endOfRange(scope)}`;

/** The value by which a row counts: the begin of its day, week or month, or `column` of the dimension. */
function keyOf({ groupBy, timeZone }: Scope, at: Text, column: (name: ClickDimension) => Text): Text {
  if (groupBy === null) return sql`null::text`;
  if (!isTime(groupBy)) return column(groupBy);
  return sql`date_trunc(${groupBy}, ${at} at time zone ${timeZone})`;
}

/** A `key` as it is answered. Writing a time as text takes longer than to count it, so it is done once per value and not per row. */
function asText({ groupBy }: Scope): Text {
  return groupBy !== null && isTime(groupBy) ? sql`to_char(key, 'YYYY-MM-DD')` : sql`key`;
}

function filtered({ filters }: Scope, column: (name: ClickDimension) => Text): Text {
  return sql.join(
    [sql``, ...filters.map(({ name, value }) => sql`and ${column(name)} is not distinct from ${value}::text`)],
    sql` `,
  );
}

/** Most clicks of a range that may have to be counted one by one. */
const MAX_COUNTED = 500_000;

/**
 * From the roll-ups as far as they go, and from the records after that: what is rolled up changes by late clicks only, in one transaction, so
 * both are of one state whenever the progress was read. Whole days (UTC) come from the roll-ups of days unless the days of an account's time zone are asked for. Several
 * dimensions at once are counted from the records alone, and so are hours in which a day of the time zone begins.
 *
 * @throws VALIDATION_ERROR for several dimensions of more than `MAX_COUNTED` clicks
 */
async function clicks({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const isByTime = scope.groupBy !== null && isTime(scope.groupBy);
  const used = new Set<string>(scope.filters.map(({ name }) => name));
  if (scope.groupBy !== null && !isTime(scope.groupBy)) used.add(scope.groupBy);
  const [dimension = ALL_CLICKS, ...others] = used;
  const [start, end] = [startOfRange(scope), endOfRange(scope)];
  const progress = await db.selectFrom('click_rollup_progress').select('rolled_up_until').executeTakeFirst();
  const rolledUp = others.length === 0 ? (progress?.rolled_up_until ?? null) : null;
  if (others.length > 0) await assertCountable(db, accountId, scope);
  const column = (name: ClickDimension) => sql`${sql.ref(`click.${CLICK_DIMENSIONS[name]}`)}`;
  const records = (from: Text) => sql`
    select ${keyOf(scope, sql`at`, column)} as key, count(*) as clicks, count(*) filter (where is_unique) as unique_visitors
    from ${from} and account_id = ${accountId} and bot_reason is null ${filtered(scope, column)}
    group by 1`;
  if (rolledUp === null) {
    const all = records(sql`click where ${days(scope.since, scope.until)} and at >= ${start} and at < ${end}`);
    return (await sql<Part>`select ${asText(scope)} as key, clicks, unique_visitors from (${all}) part`.execute(db)).rows;
  }
  const bound = (name: string) => sql`(select ${sql.ref(name)} from bounds)`;
  const hours = (from: Text, until: Text) => sql`
    select ${keyOf(scope, sql`hour`, () => sql`value`)} as key, sum(clicks) as clicks, sum(unique_visitors) as unique_visitors
    from click_rollup
    where account_id = ${accountId} and dimension = ${dimension} and hour >= ${from} and hour < ${until}
      and hour <> all (array(select hour from split)) ${filtered(scope, () => sql`value`)}
    group by 1`;
  const midnights = isByTime
    ? sql`select day::timestamp at time zone ${scope.timeZone} as at from generate_series(${scope.since}::date, ${scope.until}::date + 1, interval '1 day') day`
    : sql`select unnest(array[${start}, ${end}]) as at`;
  // Only of the days after it: each partition costs time, whether or not it has a row.
  const latest = rolledUp.slice(0, 10) > scope.since ? rolledUp.slice(0, 10) : scope.since;
  const parts = [
    hours(start, sql`least(${bound('first_day')}, ${bound('until')})`),
    sql`select ${keyOf(scope, sql`null::timestamptz`, () => sql`value`)}, sum(clicks), sum(unique_visitors)
      from click_rollup_day
      where account_id = ${accountId} and dimension = ${dimension} and day >= ${bound('first_day')}::date and day < ${bound('last_day')}::date
        ${filtered(scope, () => sql`value`)}
      group by 1`,
    hours(bound('last_day'), bound('until')),
    records(sql`click where ${days(latest, scope.until)} and at >= ${bound('until')} and at < ${end}`),
  ];
  if (!beginsWithHours(scope.timeZone, scope.since, scope.until)) {
    parts.push(
      records(sql`split join click on day = (hour at time zone 'utc')::date and at >= hour and at < hour + interval '1 hour'
        where hour < ${bound('until')} and at >= ${start} and at < ${end}`),
    );
  }
  const { rows } = await sql<Part>`
    with split as materialized (
      select date_trunc('hour', at) as hour from (${midnights}) midnight where at <> date_trunc('hour', at)
    ), bounds as materialized (
      select until, first_day, greatest(first_day, date_trunc('day', until)) as last_day
      from (
        select greatest(${start}, least(${end}, ${rolledUp}::timestamptz)) as until,
          case when ${sql.lit(isByTime)} then ${end} else date_trunc('day', ${start} + interval '1 day' - interval '1 ms') end as first_day
      ) bounds
    ), part as (${sql.join(parts, sql` union all `)})
    select ${asText(scope)} as key, sum(clicks) as clicks, sum(unique_visitors) as unique_visitors from part group by part.key`.execute(
    db,
  );
  return rows;
}

/** Days of partitions that may hold clicks of a range, so that others are not read. */
const days = (since: string, until: string) => sql`click.day between ${since}::date - 1 and ${until}::date + 1`;

/** By the counters of days that are rolled up, and by those of links after them. */
async function assertCountable(db: Db, accountId: string, { since, until }: Scope): Promise<void> {
  const { rows } = await sql<{ clicks: number }>`
    with bounds as materialized (
      select coalesce((select (rolled_up_until at time zone 'utc')::date from click_rollup_progress), ${since}::date) as rolled_up_until
    )
    select coalesce((
        select sum(clicks) from click_rollup_day
        where account_id = ${accountId} and dimension = ${ALL_CLICKS} and day between ${since}::date and ${until}::date
          and day < (select rolled_up_until from bounds)
      ), 0) + coalesce((
        select sum(clicks) from link_clicks
        where account_id = ${accountId} and day between ${since}::date and ${until}::date and day >= (select rolled_up_until from bounds)
      ), 0) as clicks`.execute(db);
  if (rows[0]!.clicks > MAX_COUNTED)
    throw invalid('since', `Several dimensions at once can count at most ${MAX_COUNTED} clicks. Shorten the range.`, 'too_big');
}

/**
 * From the copies of days that have not changed since, and from the records of the others, in one statement and so from one state of the
 * database (`refreshFacts`).
 */
async function facts({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  const [start, end] = [startOfRange(scope), endOfRange(scope)];
  const column = (name: ClickDimension) => sql.ref(`fact.${CLICK_DIMENSIONS[name]}`);
  const { rows } = await sql<Part>`
    with stale as materialized (
      select distinct day from analytics_stale_day
      where account_id = ${accountId} and day between ${scope.since}::date - 1 and ${scope.until}::date + 1
    ), stale_from as materialized (
      -- Mostly the latest days are stale: of the others no row needs to be looked up among them.
      select coalesce(min(day)::timestamp at time zone 'utc', 'infinity') as first from stale
    ), ranges as materialized (
      select greatest(day::timestamp at time zone 'utc', ${start}) as since, least((day + 1)::timestamp at time zone 'utc', ${end}) as until from stale
    ), fact as (
      select ${FACT_COLUMNS} from analytics_fact
      where account_id = ${accountId} and at >= ${start} and at < ${end}
        and (at < (select first from stale_from) or (at at time zone 'utc')::date <> all (array(select day from stale)))
      union all
      ${factsOfRecords(accountId)}
    )
    select ${asText(scope)} as key, ${NUMBER_SUMS}, count(customer_id) filter (where sales > 0) as customers
    from (
      select ${keyOf(scope, sql`fact.at`, column)} as key, customer_id, ${NUMBER_SUMS} from fact
      where (currency is null or currency = ${scope.currency}) ${filtered(scope, column)}
      group by 1, 2
    ) fact
    group by fact.key`.execute(db);
  return rows;
}

/** Reports whether payouts count in a scope: they have a day and an affiliate, and no other dimension. */
export function hasPayouts({ groupBy, filters }: Scope): boolean {
  return (groupBy === null || isTime(groupBy) || groupBy === 'affiliate') && filters.every(({ name }) => name === 'affiliate');
}

async function payouts({ db, accountId }: Ctx, scope: Scope): Promise<Part[]> {
  if (!hasPayouts(scope)) return [];
  const column = () => sql`payout.affiliate_id`;
  const { rows } = await sql<Part>`
    select ${asText(scope)} as key, payouts_cents
    from (
      select ${keyOf(scope, sql`payout.paid_at`, column)} as key, sum(payout.amount_cents) as payouts_cents
      from payout
      where payout.account_id = ${accountId} and payout.currency = ${scope.currency} and payout.livemode and payout.status = 'paid'
        and ${within(scope, sql`payout.paid_at`)} ${filtered(scope, column)}
      group by 1
    ) part`.execute(db);
  return rows;
}
