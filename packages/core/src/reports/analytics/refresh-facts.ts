import { sql } from 'kysely';
import { advisoryLocks } from '../../platform/call/advisory-lock.ts';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { copyOfFacts } from './facts.ts';

/** Days that are copied in one transaction. */
const MAX_DAYS = 31;

interface StaleDays {
  account_id: string;
  days: string[];
}

/**
 * Copies the facts of days that have changed and are over (docs/domain-rules.md#analytics). A day that is not over would change again at
 * once: of its marks one is kept. Returns the number of days copied.
 */
export async function refreshFacts({ database, clock }: Services, mustStop: MustStop = () => false): Promise<number> {
  const today = toInstant(clock.now()).slice(0, 10);
  const { rows } = await sql<StaleDays>`
    select account_id, array_agg(day::text order by day) as days
    from (
      select account_id, day, (row_number() over (partition by account_id order by day) - 1) / ${MAX_DAYS} as part
      from (select distinct account_id, day from analytics_stale_day where day < ${today}::date) stale
    ) stale
    group by account_id, part`.execute(database.kysely);
  let copied = 0;
  for (const stale of rows) {
    if (mustStop()) return copied;
    await database.transaction((_em, db) => refresh(db, stale));
    copied += stale.days.length;
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
 * In one statement, and so from one state of the database: a change that is not in this state has its mark not in it either, and the mark
 * stays. The lock keeps two processes from copying the same day twice.
 */
async function refresh(db: Db, { account_id, days }: StaleDays): Promise<void> {
  await advisoryLocks({ db, accountId: account_id }, ['analytics facts']);
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
