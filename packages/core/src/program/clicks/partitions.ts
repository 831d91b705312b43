import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** Days for which clicks are kept (docs/domain-rules.md#retention). */
const KEPT_DAYS = 400;
/** Partitions are made this far ahead, so that none is missing while no worker runs. */
const DAYS_AHEAD = 7;

/** The oldest day (UTC) whose clicks are kept. */
export function oldestDayOfClicks({ clock, clickRetentionDays }: Pick<Services, 'clock' | 'clickRetentionDays'>): string {
  return plusDays(toInstant(clock.now()), -(clickRetentionDays ?? KEPT_DAYS)).slice(0, 10);
}

const PREFIX = 'click_d';
const partitionOf = (day: string) => `${PREFIX}${day.replaceAll('-', '')}`;
const boundsOf = (day: string) => `for values from ('${day}') to ('${nextDay(day)}')`;

/** The statement that creates the partition of a day of which the default partition has no clicks. */
export function createClickPartition(day: string): string {
  return `create table ${partitionOf(day)} partition of click ${boundsOf(day)}`;
}

/**
 * Makes the partitions of the coming days, and drops those of days before `oldestDay`. Clicks of a day without a partition are in the default
 * one, until the day gets its own. Returns the number of partitions made and dropped.
 */
export async function divideClicks({ database, clock }: Services, oldestDay: string, mustStop?: MustStop): Promise<number> {
  const db = database.kysely;
  const today = toInstant(clock.now());
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'click'::regclass and relname like ${`${PREFIX}%`}`.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  const oldest = partitionOf(oldestDay);
  let changed = 0;
  for (const name of [...present].filter((name) => name < oldest)) {
    if (mustStop?.()) return changed;
    await sql`drop table ${sql.table(name)}`.execute(db);
    changed += 1;
  }
  for (const day of await daysNeeded(db, today)) {
    if (mustStop?.()) return changed;
    if (present.has(partitionOf(day)) || partitionOf(day) < oldest) continue;
    await database.transaction((_em, tx) => makePartition(tx, day));
    changed += 1;
  }
  if (oldestDay !== '') await sql`delete from click_default where day < ${oldestDay}::date`.execute(db);
  return changed;
}

/** The coming days, and those whose clicks are in the default partition. */
async function daysNeeded(db: Db, today: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`select distinct day from click_default`.execute(db);
  const ahead = Array.from({ length: DAYS_AHEAD + 1 }, (_, i) => plusDays(today, i).slice(0, 10));
  return [...new Set([...ahead, ...rows.map(({ day }) => day)])].toSorted();
}

/** Clicks wait while the rows of the day move: that is short, because there are rows only when no worker had run for a week. */
async function makePartition(db: Db, day: string): Promise<void> {
  const table = sql.table(partitionOf(day));
  await sql`lock table click in share row exclusive mode`.execute(db);
  await sql`create table ${table} (like click including all)`.execute(db);
  await sql`with moved as (delete from click_default where day = ${day}::date returning *) insert into ${table} select * from moved`.execute(
    db,
  );
  await sql`alter table click attach partition ${table} ${sql.raw(boundsOf(day))}`.execute(db);
}

function nextDay(day: string): string {
  return plusDays(`${day}T00:00:00.000Z`, 1).slice(0, 10);
}
