import { type RawBuilder, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { Leftovers, mayLieInOne } from '../../platform/sweeps/failures.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { COMMISSION_STATES, type CommissionState } from '../../platform/wire/states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission_count: CommissionCountTable;
    commission_count_change: CommissionCountTable;
  }
}

/**
 * Number of an account's commissions by state, mode and the UTC day of their last change. The exact number is the sum of `n` in
 * `commission_count` and `commission_count_change`. Triggers record every change of a commission in `commission_count_change`, in the same
 * transaction. They only insert rows, so that transactions do not wait for each other.
 */
interface CommissionCountTable {
  account_id: string;
  day: string;
  state: CommissionState;
  livemode: boolean;
  n: number;
}

/** Filters with which `numberOfCommissions` can count commissions from stored daily counts. */
export interface CountedFilters extends DaysOfRange {
  accountId: string;
  state?: readonly CommissionState[] | undefined;
  livemode?: boolean | undefined;
  updated_since?: Instant | undefined;
  updated_until?: Instant | undefined;
}

/** The whole UTC days within a time range. Both fields are undefined if the range begins and ends on the same day. */
interface DaysOfRange {
  /** Start of the first whole day after `updated_since`. */
  next_day?: Instant | undefined;
  /** Start of the day of `updated_until`. */
  last_day?: Instant | undefined;
}

export function daysOfRange({
  updated_since: since,
  updated_until: until,
}: Partial<Record<'updated_since' | 'updated_until', Instant>>): DaysOfRange {
  const next_day = since === undefined ? undefined : plusDays(startOfDay(since), 1);
  const last_day = until === undefined ? undefined : startOfDay(until);
  return next_day !== undefined && until !== undefined && until < next_day ? {} : { next_day, last_day };
}

/**
 * SQL expression: the exact number of an account's commissions that match the filters. Adds up the stored counts of whole days, and counts
 * the commissions of the days in which the time range begins and ends. One statement reads all of this from one snapshot. The SQL text
 * depends only on which filters are set, not on their values.
 */
export function numberOfCommissions(filters: CountedFilters): RawBuilder<number> {
  const { updated_since: since, updated_until: until, next_day: nextDay, last_day: lastDay } = filters;
  const mode = filters.livemode === undefined ? sql`true` : sql`livemode = ${filters.livemode}`;
  const states = filters.state === undefined ? oneOf('state', COMMISSION_STATES) : oneOf('state', filters.state);
  const some = sql`account_id = ${filters.accountId} and ${states} and ${mode}`;
  const counted = (times: RawBuilder<unknown>) => sql`(select count(*) from commission where ${some} and ${times})`;
  if (since !== undefined && until !== undefined && nextDay === undefined)
    return sql`${counted(sql`updated_at >= ${since} and updated_at <= ${until}`)}`;
  const days = [
    some,
    ...(nextDay === undefined ? [] : [sql`day >= ${nextDay}`]),
    ...(lastDay === undefined ? [] : [sql`day < ${lastDay}`]),
  ];
  const kept = (table: 'commission_count' | 'commission_count_change') =>
    sql`(select coalesce(sum(n), 0) from ${sql.table(table)} where ${sql.join(days, sql` and `)})`;
  const parts = [
    kept('commission_count'),
    kept('commission_count_change'),
    ...(since === undefined ? [] : [counted(sql`updated_at >= ${since} and updated_at < ${nextDay}`)]),
    ...(until === undefined ? [] : [counted(sql`updated_at >= ${lastDay} and updated_at <= ${until}`)]),
  ];
  return sql`(${sql.join(parts, sql` + `)})`;
}

function startOfDay(at: Instant): Instant {
  return `${at.slice(0, 10)}T00:00:00.000Z`;
}

/** Rows of `commission_count_change` per transaction. */
const BATCH = 10_000;

/**
 * Moves rows of `commission_count_change` into `commission_count`, so that lists have few rows to add up. Several processes may do this at
 * the same time. Returns the number of rows moved.
 *
 * @throws the error of an account whose rows cannot be moved, after those of all others have been moved
 */
export async function foldCommissionCounts({ database }: Pick<Services, 'database'>): Promise<number> {
  const db = database.kysely;
  try {
    return await fold(db, sql`true`);
  } catch (err) {
    if (!mayLieInOne(err)) throw err;
  }
  const { rows } = await sql<{ account_id: string }>`select distinct account_id from commission_count_change`.execute(db);
  const left = new Leftovers();
  let total = 0;
  for (const { account_id } of rows) {
    try {
      total += await fold(db, sql`account_id = ${account_id}`);
    } catch (err) {
      left.add(account_id, err);
    }
  }
  left.throwCause();
  return total;
}

async function fold(db: Db, which: RawBuilder<boolean>): Promise<number> {
  let total = 0;
  for (let folded = BATCH; folded === BATCH; total += folded) {
    const { rows } = await sql<{ folded: number }>`
      with taken as (
        delete from commission_count_change where ctid = any (array(
          select ctid from commission_count_change where ${which} limit ${BATCH} for update skip locked))
        returning *
      ), added as (
        insert into commission_count (account_id, day, state, livemode, n)
        select account_id, day, state, livemode, sum(n) from taken
        group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 3, 4, 2
        on conflict (account_id, state, livemode, day) do update set n = commission_count.n + excluded.n
      )
      select count(*) as folded from taken`.execute(db);
    folded = rows[0]!.folded;
  }
  return total;
}
