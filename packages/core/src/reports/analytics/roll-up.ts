import { type RawBuilder, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { Leftovers, mayLieInOne, workApart } from '../../platform/sweeps/failures.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { divideClicks, oldestDayOfClicks } from '../../program/clicks/partitions.ts';
import { ALL_CLICKS, CLICK_DIMENSIONS } from './dimensions.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    click_rollup: ClickRollupTable;
    click_rollup_day: ClickRollupDayTable;
    click_rollup_progress: {
      id: boolean;
      /** Start of the first hour that is not rolled up yet. */
      rolled_up_until: string;
    };
  }
}

/**
 * Clicks and unique visitors of an account in one hour, counted for one value of a dimension. Written when the hour is over, and again if
 * clicks of the hour are written late.
 */
interface ClickRollupTable {
  account_id: string;
  dimension: string;
  hour: string;
  value: string | null;
  clicks: number;
  unique_visitors: number;
}

/** Sums of the hours of one day (UTC). Written together with the last hour of the day, and again whenever an hour of the day is rolled up again. */
interface ClickRollupDayTable extends Omit<ClickRollupTable, 'hour'> {
  day: string;
}

/**
 * Creates the click partitions of the coming days and drops those whose retention is over. A partition is kept, however old it is, until its
 * clicks are rolled up, because otherwise the counts of these clicks would be lost (docs/rules/platform.md#retention). Returns the number of
 * partitions created and dropped.
 */
export async function maintainClickPartitions(services: Services, mustStop?: MustStop): Promise<number> {
  const oldest = oldestDayOfClicks(services);
  const progress = await services.database.kysely
    .selectFrom('click_rollup_progress')
    .select('rolled_up_until')
    .executeTakeFirst();
  // Before the first roll-up, this is an empty string, so that no partition is dropped.
  const counted = progress?.rolled_up_until.slice(0, 10) ?? '';
  if (counted >= oldest) return divideClicks(services, oldest, mustStop);
  services.log.warn({ rolled_up_until: progress?.rolled_up_until ?? null }, 'old clicks kept: they are not rolled up yet');
  return divideClicks(services, counted, mustStop);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_HOURS = 24;
const FEW_SECONDS_MS = 4_000;
/**
 * Delay before an hour that is over is rolled up. A click that is not late (`late_click_hour`) becomes visible within three minutes after its time,
 * because the statement that writes it begins within one minute, and the timeouts for statements and open transactions limit how long its transaction
 * takes. Five minutes leave room for differences between the clocks of machines.
 */
const LATE_MS = 300_000;

const columns = Object.values(CLICK_DIMENSIONS).map((column) => sql.ref(`click.${column}`));
const sets = sql.join(columns.map((column) => sql`(account_id, hour, ${column})`));
/** Value of SQL's `grouping` with all bits set. It has one bit per column, and the bit is 0 if the row is grouped by the column. */
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
 * Rolls up clicks. First repeats the hours that got late clicks. Then rolls up the hours that are over and not rolled up yet, at most a day
 * per transaction, which also records the progress. Returns the number of hours. Several workers may run this at once, because the progress
 * row is locked.
 *
 * An hour that fails is treated like an hour with late clicks of all its accounts, and is repeated in halves of the accounts. An account whose
 * clicks cannot be rolled up thus holds up no other. Its hours are tried again by the next call.
 *
 * @throws the failure of an account, after all others have been rolled up
 */
export async function rollUpClicks(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const { database, clock } = services;
  const latest = `${plusMilliseconds(toInstant(clock.now()), -LATE_MS).slice(0, 13)}:00:00.000Z`;
  const left = new Leftovers();
  let hours = await rollUpLateHours(services, left, mustStop);
  let atOnce = 1;
  while (!mustStop()) {
    const since = performance.now();
    let done: number;
    try {
      done = await database.transaction((db) => rollUpNext(db, latest, atOnce));
    } catch (err) {
      if (!mayLieInOne(err)) throw err;
      if (atOnce === 1) {
        await database.transaction((db) => leaveToLate(db, latest));
        hours += await rollUpLateHours(services, left, mustStop);
      }
      atOnce = 1;
      continue;
    }
    if (done === 0) break;
    hours += done;
    // Adapts the number of hours per statement: a long history should take few statements, but each statement must end in time even if a day
    // has very many clicks.
    atOnce = performance.now() - since < FEW_SECONDS_MS ? Math.min(atOnce * 2, MAX_HOURS) : Math.max(1, Math.floor(atOnce / 2));
  }
  left.throwCause();
  return hours;
}

/** Hours of one day (UTC). */
interface Hours {
  start: string;
  end: string;
  endsDay: boolean;
}

/** Locks the progress, and returns the next hours, at most `atOnce`. Returns null if no hour is left. */
async function lockNextHours(db: Db, latest: string, atOnce: number): Promise<Hours | null> {
  const start = await lockProgress(db);
  if (start === null || start >= latest) return null;
  const midnight = `${plusMilliseconds(start, DAY_MS).slice(0, 10)}T00:00:00.000Z`;
  const end = [plusMilliseconds(start, atOnce * HOUR_MS), midnight, latest].toSorted()[0]!;
  return { start, end, endsDay: end === midnight };
}

/** Rolls up the next hours, at most `atOnce`. Returns the number of hours rolled up, which is 0 if no hour is left. */
async function rollUpNext(db: Db, latest: string, atOnce: number): Promise<number> {
  await sql`
    insert into click_rollup_progress (rolled_up_until)
    select date_trunc('hour', coalesce((select min(at) from click), ${latest}::timestamptz))
    where not exists (select from click_rollup_progress) on conflict do nothing`.execute(db);
  const next = await lockNextHours(db, latest, atOnce);
  if (next === null) return 0;
  const { start, end, endsDay } = next;
  await insertHours(db, start, end, null);
  if (endsDay) await insertDay(db, start.slice(0, 10), null);
  await recordProgress(db, end);
  return Math.round((Date.parse(end) - Date.parse(start)) / HOUR_MS);
}

/** Records progress over the next hour without rolling it up, and marks it as an hour with late clicks of all accounts that it concerns. */
async function leaveToLate(db: Db, latest: string): Promise<void> {
  const next = await lockNextHours(db, latest, 1);
  if (next === null) return;
  const { start, end, endsDay } = next;
  // The last hour of a day also concerns the accounts with clicks in the hours before, because their day is not rolled up yet.
  await sql`
    insert into late_click_hour (account_id, hour)
    select account_id, ${start}::timestamptz from (
      select account_id from click where ${isClickIn(start, end)}
      union select account_id from click_rollup where ${endsDay}::boolean and hour >= ${start.slice(0, 10)}::date and hour < ${start}::timestamptz
    ) concerned`.execute(db);
  await recordProgress(db, end);
}

async function recordProgress(db: Db, end: string): Promise<void> {
  await sql`update click_rollup_progress set rolled_up_until = ${end}::timestamptz`.execute(db);
}

/**
 * Repeats the hours that got late clicks, each in one transaction. Returns their number.
 *
 * @param left gets the hours of accounts that failed, and names those to leave out
 */
async function rollUpLateHours(services: Services, left: Leftovers, mustStop: MustStop): Promise<number> {
  const { database } = services;
  const oldest = oldestDayOfClicks(services);
  let hours = 0;
  for (; !mustStop(); hours += 1) {
    const isNew = sql<boolean>`${MARK} <> all (${left.ids}::text[])`;
    const isNext = sql<boolean>`${isNew} and hour = (select min(hour) from late_click_hour where ${isNew})`;
    try {
      if (!(await database.transaction((db) => rollUpLate(db, oldest, isNext)))) break;
    } catch (err) {
      if (!mayLieInOne(err)) throw err;
      const { rows } = await sql<{ mark: string }>`
        select distinct ${MARK} as mark from late_click_hour where ${isNext}`.execute(database.kysely);
      if (rows.length === 0) continue;
      await workApart(
        rows.map(({ mark }) => mark),
        err,
        {
          work: (marks) => database.transaction((db) => rollUpLate(db, oldest, sql`${MARK} = any (${marks}::text[])`)),
          giveUp: async (mark, cause) => left.add(mark, cause),
        },
      );
    }
  }
  return hours;
}

/** SQL: name of an account’s hour with late clicks. */
const MARK = sql<string>`account_id || ' ' || hour::text`;

/**
 * Rolls up an hour with late clicks again, and its day. Returns false if there is no such hour. An hour that is not rolled up yet
 * is left out, because its first roll-up will include the late clicks. Hours of the oldest kept day or before are left out, because some of
 * their clicks may already be deleted.
 *
 * @param which condition on the rows of `late_click_hour`, which selects accounts of one hour
 */
async function rollUpLate(db: Db, oldest: string, which: RawBuilder<boolean>): Promise<boolean> {
  const until = await lockProgress(db);
  if (until === null) return false;
  const { rows } = await sql<{ account_id: string; hour: string }>`
    with marks as (delete from late_click_hour where ${which} returning account_id, hour)
    select distinct account_id, hour from marks`.execute(db);
  const hour = rows[0]?.hour;
  if (hour === undefined) return false;
  const day = hour.slice(0, 10);
  if (hour >= until || day <= oldest) return true;
  const accounts = rows.map(({ account_id }) => account_id);
  const ofAccounts = sql`account_id = any (${accounts}) and dimension = any (${[ALL_CLICKS, ...Object.keys(CLICK_DIMENSIONS)]})`;
  await sql`delete from click_rollup where ${ofAccounts} and hour = ${hour}::timestamptz`.execute(db);
  await insertHours(db, hour, plusMilliseconds(hour, HOUR_MS), accounts);
  if (day < until.slice(0, 10)) {
    await sql`delete from click_rollup_day where ${ofAccounts} and day = ${day}::date`.execute(db);
    await insertDay(db, day, accounts);
  }
  return true;
}

/** Locks the row with the progress of the roll-up. Returns the end of the last hour that is rolled up, or null before the first roll-up. */
async function lockProgress(db: Db): Promise<string | null> {
  const progress = await db.selectFrom('click_rollup_progress').select('rolled_up_until').forUpdate().executeTakeFirst();
  return progress?.rolled_up_until ?? null;
}

/** SQL condition: true for the clicks of hours of one day (UTC) that are rolled up. */
function isClickIn(start: string, end: string): RawBuilder<boolean> {
  // Clicks have no foreign keys, so a click may have been written while its account was being removed.
  return sql`at >= ${start}::timestamptz and at < ${end}::timestamptz and day = (${start}::timestamptz at time zone 'utc')::date
    and bot_reason is null and account_id in (select id from account)`;
}

const among = (accounts: readonly string[] | null) => (accounts ? sql`and account_id = any (${accounts})` : sql``);

/** Rolls up hours of one day (UTC), for all accounts if `accounts` is null. */
async function insertHours(db: Db, start: string, end: string, accounts: readonly string[] | null): Promise<void> {
  // Enough memory for PostgreSQL to keep one hash table per dimension.
  await sql`set local work_mem = '64MB'`.execute(db);
  await sql`
    insert into click_rollup (account_id, dimension, hour, value, clicks, unique_visitors)
    select account_id, case ${cases((name) => sql`${sql.lit(name)}`)} else ${sql.lit(ALL_CLICKS)} end, hour,
      case ${cases((_, column) => sql`${sql.ref(`click.${column}`)}`)} end,
      count(*), count(*) filter (where is_unique)
    from (
      select *, date_trunc('hour', at) as hour from click where ${isClickIn(start, end)} ${among(accounts)}
    ) click
    group by grouping sets ((account_id, hour), ${sets})`.execute(db);
}

/** Writes the sums of a day from the roll-ups of its hours. */
async function insertDay(db: Db, day: string, accounts: readonly string[] | null): Promise<void> {
  await sql`
    insert into click_rollup_day (account_id, dimension, day, value, clicks, unique_visitors)
    select account_id, dimension, ${day}::date, value, sum(clicks), sum(unique_visitors) from click_rollup
    where hour >= ${day}::date and hour < ${day}::date + 1 ${among(accounts)}
    group by account_id, dimension, value`.execute(db);
}
