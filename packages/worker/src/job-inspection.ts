import { JOB_KINDS } from '@affiliate/core';
import type { PgBoss } from 'pg-boss';
import { WORKER_SESSION } from './endpoint-locks.ts';
import { FAILED_QUEUE, SCHEDULED_QUEUE } from './job-queues.ts';

/** Seconds without a heartbeat after which a worker counts as silent. The loop sends one every 4 s (`worker.ts`). */
export const SILENT_SECONDS = 10;

/** The number of jobs of a queue, by state. */
export interface QueueFigures {
  queue: string;
  waiting: number;
  active: number;
  /** Jobs whose last retry failed during the last 14 days, unless they were sent again or their work has been done since. Of the queue `scheduled`, the jobs whose last run failed. */
  failed: number;
  /** Seconds since the oldest waiting job could start. 0 if no job is waiting. */
  oldest_seconds: number;
}

/** SQL: selects the figures of all queues that have jobs. Jobs whose last retry failed count for the queue that they came from. */
const FIGURES = `
  select case name when '${FAILED_QUEUE}' then source_name else name end as queue,
    count(*) filter (where name <> '${FAILED_QUEUE}' and state < 'active')::int as waiting,
    count(*) filter (where name <> '${FAILED_QUEUE}' and state = 'active')::int as active,
    count(*) filter (where name = '${FAILED_QUEUE}' and state < 'active')::int as failed,
    round(coalesce(max(extract(epoch from now() - start_after)) filter (where name <> '${FAILED_QUEUE}' and state < 'active' and start_after < now()), 0))::int
      as oldest_seconds
  from pgboss.job where state <= 'active' group by 1`;

export async function queueFigures(boss: PgBoss): Promise<QueueFigures[]> {
  if (!(await hasQueues(boss))) return [];
  const { rows } = await boss.getDb().executeSql(FIGURES);
  const found = new Map((rows as QueueFigures[]).map((figures) => [figures.queue, figures]));
  const { length } = (await boss.getDb().executeSql(FAILING_SCHEDULED)).rows;
  return [...Object.keys(JOB_KINDS), SCHEDULED_QUEUE].map((queue) => ({
    ...(found.get(queue) ?? { queue, waiting: 0, active: 0, failed: 0, oldest_seconds: 0 }),
    ...(queue === SCHEDULED_QUEUE && { failed: length }),
  }));
}

/** A job whose last retry failed, or a scheduled job whose last run failed. */
export interface FailedJob {
  queue: string;
  id: string;
  /** The record of the job, or the name of a scheduled job. */
  subject: string;
  failed_at: string;
  error: unknown;
}

/** Returns the failed jobs, oldest first. */
export async function failedJobs(boss: PgBoss): Promise<FailedJob[]> {
  if (!(await hasQueues(boss))) return [];
  const jobs = await boss.findJobs<{ subject: string }>(FAILED_QUEUE, { queued: true });
  const retried = jobs.map(({ id, sourceName, data, createdOn, sourceOutput }) => ({
    queue: sourceName!,
    id,
    subject: data.subject,
    failed_at: createdOn.toISOString(),
    error: sourceOutput,
  }));
  const scheduled = (await boss.getDb().executeSql(FAILING_SCHEDULED)).rows as FailingScheduled[];
  return [
    ...retried,
    ...scheduled.map(({ id, name, failed_at, error }) => ({
      queue: SCHEDULED_QUEUE,
      id,
      subject: name,
      failed_at: failed_at.toISOString(),
      error,
    })),
  ].toSorted((a, b) => (a.failed_at < b.failed_at ? -1 : 1));
}

/** A scheduled job whose last run failed. Its next occurrence tries again. */
export interface FailingScheduled {
  id: string;
  name: string;
  failed_at: Date;
  error: unknown;
}

/** SQL: selects `FailingScheduled`. Jobs that are no longer scheduled, e.g. since an upgrade, are left out. */
export const FAILING_SCHEDULED = `
  select id, name, failed_at, error from (
    select distinct on (singleton_key) id, singleton_key as name, state::text as state, completed_on as failed_at, output as error
    from pgboss.job
    where job.name = '${SCHEDULED_QUEUE}' and state in ('completed', 'failed')
      and exists (select from pgboss.schedule where schedule.name = '${SCHEDULED_QUEUE}' and schedule.key = singleton_key)
    order by singleton_key, completed_on desc
  ) latest
  where state = 'failed' order by name`;

/** Number of workers that are connected to the database. */
export interface Workers {
  /** Their loop has sent its heartbeat within the last `SILENT_SECONDS`. */
  working: number;
  /** Connected, but without a heartbeat: the process hangs, is stopped, or its machine is gone. */
  silent: number;
}

/**
 * SQL: selects `Workers`. The heartbeat is the time of the last statement of a worker's session. Another database user cannot see that time, so such a
 * worker counts as working.
 */
export const WORKERS = `
  select count(*) filter (where is_working)::int as working, count(*) filter (where not is_working)::int as silent
  from (
    select coalesce(state_change > clock_timestamp() - interval '${SILENT_SECONDS} seconds', true) as is_working from pg_stat_activity
    where datname = current_database() and application_name = '${WORKER_SESSION}'
  ) worker`;

export async function findWorkers(boss: PgBoss): Promise<Workers> {
  const { rows } = await boss.getDb().executeSql(WORKERS);
  return (rows as Workers[])[0]!;
}

export interface WorkFigures {
  queues: QueueFigures[];
  workers: Workers;
  /** End of the last backup of `affiliate backup`. Null if there is none. */
  backupAt: Date | null;
}

export async function workFigures(boss: PgBoss): Promise<WorkFigures> {
  const { rows } = await boss.getDb().executeSql('select backup_at from installation');
  const backupAt = (rows as { backup_at: Date | null }[])[0]?.backup_at ?? null;
  return { queues: await queueFigures(boss), workers: await findWorkers(boss), backupAt };
}

/** Sends all failed jobs back to their queues, where workers find them within a minute. Returns their number. Scheduled jobs run again by themselves. */
export async function retryFailedJobs(boss: PgBoss): Promise<number> {
  if (!(await hasQueues(boss))) return 0;
  let moved = 0;
  for (let last = -1; last !== 0; moved += last) last = await boss.redrive(FAILED_QUEUE);
  return moved;
}

/** True if this version's queues exist in the schema, which the worker of an earlier version may have created. */
async function hasQueues(boss: PgBoss): Promise<boolean> {
  return (await boss.getQueue(FAILED_QUEUE)) !== null;
}
