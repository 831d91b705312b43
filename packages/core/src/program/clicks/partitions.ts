import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** Days for which clicks are kept (docs/rules/platform.md#retention). */
const KEPT_DAYS = 400;
/** Number of days for which partitions are created in advance, so that none is missing while no worker runs. */
const DAYS_AHEAD = 7;

/** Returns the oldest day (UTC) whose clicks are kept. */
export function oldestDayOfClicks({ clock, clickRetentionDays }: Pick<Services, 'clock' | 'clickRetentionDays'>): string {
  return plusDays(toInstant(clock.now()), -(clickRetentionDays ?? KEPT_DAYS)).slice(0, 10);
}

const PREFIX = 'click_d';
const partitionOf = (day: string) => `${PREFIX}${day.replaceAll('-', '')}`;
/**
 * Storage parameters of a partition. With the statistics of an almost empty partition, PostgreSQL would plan to scan all of it for each click,
 * and would keep that plan until the next analysis, while thousands of clicks arrive. Without statistics, it plans to use the indexes.
 */
const STORAGE = 'with (autovacuum_analyze_threshold = 1000)';
const boundsOf = (day: string) => `for values from ('${day}') to ('${plusDays(`${day}T00:00:00.000Z`, 1).slice(0, 10)}')`;

/** Returns the statement that creates the partition of a day. The default partition must not contain clicks of that day. */
export function createClickPartition(day: string): string {
  return `create table ${partitionOf(day)} partition of click ${boundsOf(day)} ${STORAGE}`;
}

/**
 * Creates the partitions of the coming days, and drops those of days before `oldestDay`. Clicks of a day without a partition are in the
 * default partition until the day gets its own. Returns the number of partitions created and dropped.
 *
 * @throws the first failure, after all other partitions have been tried
 */
export async function divideClicks(services: Services, oldestDay: string, mustStop?: MustStop): Promise<number> {
  const { database, clock } = services;
  const db = database.kysely;
  const failures = new Failures(services, 'partition of clicks neither created nor dropped; will be retried');
  const today = toInstant(clock.now());
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'click'::regclass and relname like ${`${PREFIX}%`}`.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  const oldest = partitionOf(oldestDay);
  let changed = 0;
  for (const name of [...present].filter((name) => name < oldest)) {
    if (mustStop?.()) return changed;
    await failures.attempt({ partition: name }, async () => {
      await sql`drop table ${sql.table(name)}`.execute(db);
      changed += 1;
    });
  }
  for (const day of await daysNeeded(db, today)) {
    if (mustStop?.()) return changed;
    if (present.has(partitionOf(day)) || partitionOf(day) < oldest) continue;
    await failures.attempt({ partition: partitionOf(day) }, async () => {
      await database.transaction((tx) => makePartition(tx, day));
      changed += 1;
    });
  }
  if (oldestDay !== '') await sql`delete from click_default where day < ${oldestDay}::date`.execute(db);
  failures.throwFirst();
  return changed;
}

/** Returns the days that need a partition: the coming days, and all days whose clicks are in the default partition. */
async function daysNeeded(db: Db, today: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`select distinct day from click_default`.execute(db);
  const ahead = Array.from({ length: DAYS_AHEAD + 1 }, (_, i) => plusDays(today, i).slice(0, 10));
  return [...new Set([...ahead, ...rows.map(({ day }) => day)])].toSorted();
}

/**
 * Creates the partition of a day, and moves the clicks of the day from the default partition into it. New clicks wait during the move. The
 * move is short, because the default partition has clicks of the day only if no worker has run for a week.
 */
async function makePartition(db: Db, day: string): Promise<void> {
  const table = sql.table(partitionOf(day));
  await sql`lock table click in share row exclusive mode`.execute(db);
  await sql`create table ${table} (like click including all) ${sql.raw(STORAGE)}`.execute(db);
  await sql`with moved as (delete from click_default where day = ${day}::date returning *) insert into ${table} select * from moved`.execute(
    db,
  );
  await sql`alter table click attach partition ${table} ${sql.raw(boundsOf(day))}`.execute(db);
}
