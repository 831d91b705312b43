import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { ALL_CLICKS, CLICK_DIMENSIONS } from './dimensions.ts';

const HOUR_MS = 3_600_000;
/**
 * A click becomes visible when its transaction commits, at most a minute and a half after its time: limits of statements and open
 * transactions see to that. Five minutes leave room for clocks of several machines.
 */
const LATE_MS = 300_000;

const columns = Object.values(CLICK_DIMENSIONS).map((column) => sql.ref(`click.${column}`));
const sets = sql.join(columns.map((column) => sql`(account_id, ${column})`));
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
 * Rolls up the clicks of hours that are over, hour by hour, each with the progress in one transaction. Returns the number of hours.
 * Several workers may run it: the row of the progress is locked.
 */
export async function rollUpClicks({ database, clock }: Services, mustStop: MustStop = () => false): Promise<number> {
  const latest = hourOf(plusMilliseconds(toInstant(clock.now()), -LATE_MS));
  let hours = 0;
  while (!mustStop() && (await database.transaction((_em, db) => rollUpNext(db, latest)))) hours += 1;
  return hours;
}

/** False when there is no hour left. */
async function rollUpNext(db: Db, latest: string): Promise<boolean> {
  await sql`
    insert into click_rollup_progress (rolled_up_until)
    select date_trunc('hour', coalesce((select min(at) from click), ${latest}::timestamptz))
    where not exists (select from click_rollup_progress) on conflict do nothing`.execute(db);
  const { rolled_up_until: start } = await db
    .selectFrom('click_rollup_progress')
    .select('rolled_up_until')
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (start >= latest) return false;
  const end = plusMilliseconds(start, HOUR_MS);
  await sql`
    insert into click_rollup (account_id, dimension, hour, value, clicks, unique_visitors)
    select account_id, case ${cases((name) => sql`${sql.lit(name)}`)} else ${sql.lit(ALL_CLICKS)} end, ${start}::timestamptz,
      case ${cases((_, column) => sql`${sql.ref(`click.${column}`)}`)} end,
      count(*), count(*) filter (where is_unique)
    from click
    where at >= ${start}::timestamptz and at < ${end}::timestamptz
      and day between (${start}::timestamptz at time zone 'utc')::date and (${end}::timestamptz at time zone 'utc')::date
      and bot_reason is null
    group by grouping sets ((account_id), ${sets})`.execute(db);
  await sql`update click_rollup_progress set rolled_up_until = ${end}::timestamptz`.execute(db);
  return true;
}

function hourOf(at: string): string {
  return `${at.slice(0, 13)}:00:00.000Z`;
}
