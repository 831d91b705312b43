import { type RawBuilder, sql } from 'kysely';
import { invalid } from '../../platform/errors/errors.ts';
import { REPORT_REASONS } from '../reasons.ts';
import { ALL_CLICKS, CLICK_DIMENSIONS, type ClickDimension, type Dimension, isTime } from './dimensions.ts';
import { FACT_COLUMNS, NUMBER_SUMS, factsOfRecords } from './facts.ts';
import { beginsWithHours } from './local-days.ts';

/** Scope of a count: a range of days in a time zone, grouped by one dimension and filtered by values of others. */
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
  converted_visitors: 0,
  sales: 0,
  charges_cents: 0,
  refunds_cents: 0,
  net_revenue_cents: 0,
  commissions_cents: 0,
  payouts_cents: 0,
  customers: 0,
};
export type Counts = typeof EMPTY;

/** The records that are counted: those of an account or, in the portal, the rows that an affiliate may see. */
export interface Counted {
  accountId: string;
  read: <Row>(statement: RawBuilder<Row>) => Promise<Row[]>;
}

type Part = Partial<Counts> & { key: string | null };
type Text = RawBuilder<unknown>;

/** Loads the counts for each value of the dimension. Without a dimension, the only key is null. */
export async function loadCounts(counted: Counted, scope: Scope): Promise<Map<string | null, Counts>> {
  const parts = await Promise.all([clicks(counted, scope), facts(counted, scope), payouts(counted, scope)]);
  const counts = new Map<string | null, Counts>();
  for (const { key, ...part } of parts.flat()) counts.set(key, { ...(counts.get(key) ?? EMPTY), ...part });
  return counts;
}

type Days = Pick<Scope, 'since' | 'until' | 'timeZone'>;

/** SQL expression: the start of a day in a time zone. */
export function startOfDay(timeZone: string, day: unknown): Text {
  return sql`((${day})::date::timestamp at time zone ${timeZone})`;
}

/** SQL expression: the end of a day in a time zone, which is the start of the next one. */
export function endOfDay(timeZone: string, day: unknown): Text {
  return startOfDay(timeZone, sql`${day}::date + 1`);
}

const startOfRange = ({ since, timeZone }: Days) => startOfDay(timeZone, since);
const endOfRange = ({ until, timeZone }: Days) => endOfDay(timeZone, until);

/** SQL condition: a time lies in a range of days. */
export function within(days: Days, at: Text): Text {
  return sql`${at} >= ${startOfRange(days)} and ${at} < ${endOfRange(days)}`;
}

/**
 * SQL expression: the value of the dimension for a row. For a dimension of time, this is the beginning of the day, week or month of `at`,
 * otherwise the result of `column`.
 */
function keyOf({ groupBy, timeZone }: Scope, at: Text, column: (name: ClickDimension) => Text): Text {
  if (groupBy === null) return sql`null::text`;
  if (!isTime(groupBy)) return column(groupBy);
  return sql`date_trunc(${groupBy}, ${at} at time zone ${timeZone})`;
}

/**
 * SQL expression: the key as text, for the result. Formatting a time takes longer than counting a row, so each value is formatted once, after
 * its rows are counted.
 */
function asText({ groupBy }: Scope): Text {
  return groupBy !== null && isTime(groupBy) ? sql`to_char(key, 'YYYY-MM-DD')` : sql`key`;
}

function filtered({ filters }: Scope, column: (name: ClickDimension) => Text): Text {
  return sql.join(
    [sql``, ...filters.map(({ name, value }) => sql`and ${column(name)} is not distinct from ${value}::text`)],
    sql` `,
  );
}

/** Maximum number of clicks in a range that are counted one by one. */
const MAX_COUNTED = 500_000;

/**
 * Counts clicks. Hours that are rolled up are read from the roll-ups, later clicks from the records. An earlier statement reads which hours are
 * rolled up. Still, no click is missed or counted twice, because a rolled-up hour stays rolled up: late clicks only cause its roll-up to be replaced,
 * in one transaction. Whole days (UTC) are read from the roll-ups of days, unless the dimension is a day, week or month in the account's time zone.
 * Only the records are used for combinations of several dimensions, and for an hour in the middle of which a day of the time zone begins.
 *
 * @throws VALIDATION_ERROR for several dimensions with more than `MAX_COUNTED` clicks
 */
async function clicks({ read, accountId }: Counted, scope: Scope): Promise<Part[]> {
  const isByTime = scope.groupBy !== null && isTime(scope.groupBy);
  const used = new Set<string>(scope.filters.map(({ name }) => name));
  if (scope.groupBy !== null && !isTime(scope.groupBy)) used.add(scope.groupBy);
  const [dimension = ALL_CLICKS, ...others] = used;
  const [start, end] = [startOfRange(scope), endOfRange(scope)];
  const [progress] = await read(sql<{ rolled_up_until: string }>`select rolled_up_until from click_rollup_progress`);
  const rolledUp = others.length === 0 ? (progress?.rolled_up_until ?? null) : null;
  if (others.length > 0) await assertCountable({ read, accountId }, scope);
  const column = (name: ClickDimension) => sql`${sql.ref(`click.${CLICK_DIMENSIONS[name]}`)}`;
  const records = (from: Text) => sql`
    select ${keyOf(scope, sql`at`, column)} as key, count(*) as clicks, count(*) filter (where is_unique) as unique_visitors
    from ${from} and account_id = ${accountId} and bot_reason is null ${filtered(scope, column)}
    group by 1`;
  if (rolledUp === null) {
    const all = records(sql`click where ${days(scope.since, scope.until)} and at >= ${start} and at < ${end}`);
    return read(sql<Part>`select ${asText(scope)} as key, clicks, unique_visitors from (${all}) part`);
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
  // First day whose partitions are read. Reading a partition takes time even if it has no matching rows.
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
  return read(sql<Part>`
    with split as materialized (
      select date_trunc('hour', at) as hour from (${midnights}) midnight where at <> date_trunc('hour', at)
    ), bounds as materialized (
      select until, first_day, greatest(first_day, date_trunc('day', until)) as last_day
      from (
        select greatest(${start}, least(${end}, ${rolledUp}::timestamptz)) as until,
          case when ${sql.lit(isByTime)} then ${end} else date_trunc('day', ${start} + interval '1 day' - interval '1 ms') end as first_day
      ) bounds
    ), part as (${sql.join(parts, sql` union all `)})
    select ${asText(scope)} as key, sum(clicks) as clicks, sum(unique_visitors) as unique_visitors from part group by part.key`);
}

/** SQL condition: the partition may contain clicks of the range. Other partitions are not read. */
const days = (since: string, until: string) => sql`click.day between ${since}::date - 1 and ${until}::date + 1`;

/**
 * Throws VALIDATION_ERROR if the range has more than `MAX_COUNTED` clicks. Their number comes from the roll-ups of days and, for later days,
 * from the click counters of links.
 */
async function assertCountable({ read, accountId }: Counted, { since, until, filters }: Scope): Promise<void> {
  const affiliate = filters.find(({ name }) => name === 'affiliate');
  const [counted] = await read(sql<{ clicks: number }>`
    with bounds as materialized (
      select coalesce((select (rolled_up_until at time zone 'utc')::date from click_rollup_progress), ${since}::date) as rolled_up_until
    )
    select coalesce((
        select sum(clicks) from click_rollup_day
        where account_id = ${accountId} and dimension = ${affiliate?.name ?? ALL_CLICKS} and value is not distinct from ${affiliate?.value ?? null}::text
          and day between ${since}::date and ${until}::date
          and day < (select rolled_up_until from bounds)
      ), 0) + coalesce((
        select sum(clicks) from link_clicks
        where account_id = ${accountId} and day between ${since}::date and ${until}::date and day >= (select rolled_up_until from bounds)
          and (${affiliate === undefined} or link_id in (select id from link where link.affiliate_id = ${affiliate?.value ?? null}::text))
      ), 0) as clicks`);
  if (counted!.clicks > MAX_COUNTED) throw invalid('since', REPORT_REASONS.too_many_clicks({ max: MAX_COUNTED }), 'too_big');
}

/**
 * Sums up facts. Days that have not changed since they were copied are read from the copies, other days from the records. One statement reads both,
 * so that the copies and the records come from the same snapshot (`refreshFacts`).
 */
async function facts({ read, accountId }: Counted, scope: Scope): Promise<Part[]> {
  const [start, end] = [startOfRange(scope), endOfRange(scope)];
  const column = (name: ClickDimension) => sql.ref(`fact.${CLICK_DIMENSIONS[name]}`);
  return read(sql<Part>`
    with stale as materialized (
      select distinct day from analytics_stale_day
      where account_id = ${accountId} and day between ${scope.since}::date - 1 and ${scope.until}::date + 1
    ), stale_from as materialized (
      -- Usually only the latest days are stale. Rows before the first stale day need not be looked up among the stale days.
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
    group by fact.key`);
}

/** True if payouts can be counted in a scope. Payouts have only a day and an affiliate, and no other dimension. */
export function hasPayouts({ groupBy, filters }: Scope): boolean {
  return (groupBy === null || isTime(groupBy) || groupBy === 'affiliate') && filters.every(({ name }) => name === 'affiliate');
}

async function payouts({ read, accountId }: Counted, scope: Scope): Promise<Part[]> {
  if (!hasPayouts(scope)) return [];
  const column = () => sql`payout.affiliate_id`;
  return read(sql<Part>`
    select ${asText(scope)} as key, payouts_cents
    from (
      select ${keyOf(scope, sql`payout.paid_at`, column)} as key, sum(payout.amount_cents) as payouts_cents
      from payout
      where payout.account_id = ${accountId} and payout.currency = ${scope.currency} and payout.livemode and payout.status = 'paid'
        and ${within(scope, sql`payout.paid_at`)} ${filtered(scope, column)}
      group by 1
    ) part`);
}
