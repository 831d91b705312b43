import { oldestDayOfClicks, systemClock } from '@affiliate/core';
import type { PgClient } from '@affiliate/postgres';
import { type Finding, failed, ok, warning } from './findings.ts';

const DAY_MS = 86_400_000;
/** Clicks in the default partition are counted up to this number only, because counting all of them can take a long time in a large installation. */
const COUNTED = 1_000;
/**
 * Age from which a click must be in the partition of its day. A worker creates partitions every ten minutes, and before its first run all
 * clicks are in the default partition.
 */
const MOVED = "interval '1 hour'";

/** Checks that a worker rolls up clicks, deletes them after their retention, and moves them to the partition of their day. */
export async function checkClicks(client: PgClient, clickRetentionDays: number): Promise<Finding[]> {
  const { rows } = await client.query<{ until: Date }>('select rolled_up_until as until from click_rollup_progress');
  const now = systemClock.now().getTime();
  const waiting = await firstClick(client, rows[0]?.until ?? null, new Date(now - DAY_MS));
  return [rollUp(waiting), await retention(client, clickRetentionDays, waiting), await partitions(client)];
}

function rollUp(waiting: string | null): Finding {
  if (waiting === null) return ok('clicks', 'all clicks that are older than a day are rolled up');
  return warning(
    'clicks',
    `clicks since ${waiting} UTC are not rolled up`,
    'Check that a worker is running. It rolls up clicks every ten minutes. Look for "maintenance job failed" in its log.',
  );
}

async function retention(client: PgClient, clickRetentionDays: number, waiting: string | null): Promise<Finding> {
  const oldest = new Date(oldestDayOfClicks({ clock: systemClock, clickRetentionDays }));
  // A worker deletes the clicks of a day some minutes after midnight, so one more day is allowed.
  const kept = await firstClick(client, null, new Date(oldest.getTime() - DAY_MS));
  const limit = `${clickRetentionDays} days (CLICK_RETENTION_DAYS)`;
  if (kept === null) return ok('click retention', `no click is kept for longer than ${limit}`);
  return failed(
    'click retention',
    `clicks since ${kept} UTC are still kept, although clicks must be deleted after ${limit}`,
    kept === waiting
      ? 'A worker deletes clicks only after it has rolled them up. Follow the advice for "clicks".'
      : 'Check that a worker is running. It deletes old clicks every ten minutes. Look for "maintenance job failed" in its log.',
  );
}

async function partitions(client: PgClient): Promise<Finding> {
  const { rows } = await client.query<{ count: number; size: string }>(
    `select count(*)::int as count, pg_size_pretty(pg_total_relation_size('click_default')) as size
    from (select from click_default where at < now() - ${MOVED} limit ${COUNTED}) held`,
  );
  const { count, size } = rows[0]!;
  if (count === 0) return ok('click partitions', 'clicks are in the partition of their day');
  return warning(
    'click partitions',
    `clicks are in the default partition instead of the partition of their day: ${count < COUNTED ? count : '1,000 or more'} (${size})`,
    'Check that a worker is running. It moves clicks to their partitions, one day at a time. If its log says that "click-partitions" failed, see docs/troubleshooting.md.',
  );
}

/**
 * Returns the minute (UTC) of the first click at or after `since` (if given) and before `until`, or null if there is none. Looks up each
 * account's first click in the index, which begins with the account, because a partition may have millions of clicks.
 */
async function firstClick(client: PgClient, since: Date | null, until: Date): Promise<string | null> {
  const { rows } = await client.query<{ at: string | null }>(
    `select to_char(min(first.at) at time zone 'utc', 'YYYY-MM-DD HH24:MI') as at
    from account cross join lateral (
      select at from click where account_id = account.id and at >= $1::timestamptz and at < $2::timestamptz
        and day between ($1::timestamptz at time zone 'utc')::date and ($2::timestamptz at time zone 'utc')::date
      order by at limit 1
    ) first`,
    [since?.toISOString() ?? '-infinity', until.toISOString()],
  );
  return rows[0]!.at;
}
