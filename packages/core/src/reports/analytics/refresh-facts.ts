import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { serviceLock } from '../../platform/call/locks.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { isStatementTimeout } from '../../platform/errors/database-failures.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { copyOfFacts } from './facts.ts';

/** Maximum number of days that are copied in one transaction. */
const MAX_DAYS = 31;

interface StaleDays {
  account_id: string;
  days: string[];
}

/**
 * Copies the facts of stale days that are over (docs/rules/reports.md#analytics). Today is not copied, because it would soon be stale again. Only its
 * duplicate rows in `analytics_stale_day` are deleted. Days that cannot be copied stay stale and do not delay the others. Returns the number of days
 * copied.
 */
export async function refreshFacts({ database, clock, log }: Services, mustStop: MustStop = () => false): Promise<number> {
  const today = toInstant(clock.now()).slice(0, 10);
  const { rows } = await sql<StaleDays>`
    select account_id, array_agg(day::text order by day) as days
    from (
      select account_id, day, (row_number() over (partition by account_id order by day) - 1) / ${MAX_DAYS} as part
      from (select distinct account_id, day from analytics_stale_day where day < ${today}::date) stale
    ) stale
    group by account_id, part
    order by count(*), random()`.execute(database.kysely);
  let copied = 0;
  // Small sets of days come first. A set that takes too long is split in two and moved to the end, so that a large account does not delay the
  // others.
  for (let next = rows.shift(); next; next = rows.shift()) {
    if (mustStop()) return copied;
    const { account_id, days } = next;
    try {
      await database.transaction((db) => refresh(db, { account_id, days }));
      copied += days.length;
    } catch (err) {
      if (isStatementTimeout(err) && days.length > 1) {
        const middle = Math.ceil(days.length / 2);
        rows.push({ account_id, days: days.slice(0, middle) }, { account_id, days: days.slice(middle) });
      } else {
        log.error({ err, account_id, days: days.length }, 'analytics facts of some days not copied; the next run tries again');
      }
    }
  }
  await sql`
    with marked as (
      delete from analytics_stale_day where (account_id, day) in (
        select account_id, day from analytics_stale_day where day >= ${today}::date group by 1, 2 having count(*) > 1)
      returning account_id, day
    )
    insert into analytics_stale_day select distinct account_id, day from marked`.execute(database.kysely);
  return copied;
}

/**
 * Replaces the copied facts of some days and deletes the rows of these days in `analytics_stale_day`. One statement does both, so it sees one state
 * of the database: if it does not see a change, it does not see (and delete) the row for that change either. The lock prevents two processes from
 * copying the same day twice.
 */
async function refresh(db: Db, { account_id, days }: StaleDays): Promise<void> {
  await serviceLock(db, `${account_id} analytics facts`);
  await sql`
    with ranges as materialized (
      select day, day::timestamp at time zone 'utc' as since, (day + 1)::timestamp at time zone 'utc' as until from unnest(${days}::date[]) day
    ), marks as (
      delete from analytics_stale_day where account_id = ${account_id} and day = any (${days}::date[])
    ), former as (
      delete from analytics_fact fact using ranges
      where fact.account_id = ${account_id} and fact.at >= ranges.since and fact.at < ranges.until
    )
    ${copyOfFacts(account_id)}`.execute(db);
}
