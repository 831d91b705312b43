import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { ALL_CLICKS, CLICK_DIMENSIONS } from './dimensions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_HOURS = 24;
const FEW_SECONDS_MS = 4_000;
/**
 * A click becomes visible when its transaction commits, at most a minute and a half after its time: limits of statements and open
 * transactions see to that. Five minutes leave room for clocks of several machines.
 */
const LATE_MS = 300_000;

const columns = Object.values(CLICK_DIMENSIONS).map((column) => sql.ref(`click.${column}`));
const sets = sql.join(columns.map((column) => sql`(account_id, hour, ${column})`));
/** The one column of a grouping set that is grouped by: its bit of `grouping` is 0. */
const ALL_BITS = 2 ** columns.length - 1;
const bitOf = (index: number) => ALL_BITS - 2 ** (columns.length - 1 - index);
const cases = (result: (name: string, column: string) => ReturnType<typeof sql>) =>
  sql.join(
    Object.entries(CLICK_DIMENSIONS).map(
      ([name, column], index) => sql`when grouping(${sql.join(columns)}) = ${sql.lit(bitOf(index))} then ${result(name, column)}`,
    ),
    sql` `,
  );

/**
 * Rolls up the clicks of hours that are over, up to a day at once, each time with the progress in one transaction. Returns the number of hours.
 * Several workers may run it: the row of the progress is locked.
 */
export async function rollUpClicks({ database, clock }: Services, mustStop: MustStop = () => false): Promise<number> {
  const latest = hourOf(plusMilliseconds(toInstant(clock.now()), -LATE_MS));
  let hours = 0;
  let atOnce = 1;
  while (!mustStop()) {
    const since = performance.now();
    const done = await database.transaction((_em, db) => rollUpNext(db, latest, atOnce));
    if (done === 0) break;
    hours += done;
    // Long histories need few statements, and a statement must end in time however many clicks a day has.
    atOnce = performance.now() - since < FEW_SECONDS_MS ? Math.min(atOnce * 2, MAX_HOURS) : Math.max(1, Math.floor(atOnce / 2));
  }
  return hours;
}

/** Returns the number of hours; 0 when none is left. */
async function rollUpNext(db: Db, latest: string, atOnce: number): Promise<number> {
  await sql`
    insert into click_rollup_progress (rolled_up_until)
    select date_trunc('hour', coalesce((select min(at) from click), ${latest}::timestamptz))
    where not exists (select from click_rollup_progress) on conflict do nothing`.execute(db);
  const { rolled_up_until: start } = await db
    .selectFrom('click_rollup_progress')
    .select('rolled_up_until')
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (start >= latest) return 0;
  const midnight = `${plusMilliseconds(start, DAY_MS).slice(0, 10)}T00:00:00.000Z`;
  const end = [plusMilliseconds(start, atOnce * HOUR_MS), midnight, latest].toSorted()[0]!;
  // One table per dimension, in memory.
  await sql`set local work_mem = '64MB'`.execute(db);
  await sql`
    insert into click_rollup (account_id, dimension, hour, value, clicks, unique_visitors)
    select account_id, case ${cases((name) => sql`${sql.lit(name)}`)} else ${sql.lit(ALL_CLICKS)} end, hour,
      case ${cases((_, column) => sql`${sql.ref(`click.${column}`)}`)} end,
      count(*), count(*) filter (where is_unique)
    from (
      select *, date_trunc('hour', at) as hour from click
      where at >= ${start}::timestamptz and at < ${end}::timestamptz and day = (${start}::timestamptz at time zone 'utc')::date
        and bot_reason is null
    ) click
    group by grouping sets ((account_id, hour), ${sets})`.execute(db);
  if (end === midnight) {
    const day = start.slice(0, 10);
    await sql`
      insert into click_rollup_day (account_id, dimension, day, value, clicks, unique_visitors)
      select account_id, dimension, ${day}::date, value, sum(clicks), sum(unique_visitors) from click_rollup
      where hour >= ${day}::date and hour < ${end}::timestamptz
      group by account_id, dimension, value`.execute(db);
  }
  await sql`update click_rollup_progress set rolled_up_until = ${end}::timestamptz`.execute(db);
  return Math.round((Date.parse(end) - Date.parse(start)) / HOUR_MS);
}

function hourOf(at: string): string {
  return `${at.slice(0, 13)}:00:00.000Z`;
}
