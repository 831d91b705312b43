import { JOB_KINDS } from '@affiliate/core';
import type { PgBoss } from 'pg-boss';
import { FAILED_QUEUE } from './job-queues.ts';

/** The number of jobs of a queue, by state. */
export interface QueueFigures {
  queue: string;
  waiting: number;
  /** Jobs that workers are working on; up to a minute old, because pg-boss counts them once a minute. */
  active: number;
  /** Jobs whose last retry failed during the last 14 days, unless they were sent again. */
  failed: number;
  /** Seconds since the oldest waiting job could start. 0 if no job is waiting. */
  oldest_seconds: number;
}

export async function queueFigures(boss: PgBoss): Promise<QueueFigures[]> {
  if (!(await hasQueues(boss))) return [];
  const failed = Map.groupBy(await failedJobs(boss), ({ queue }) => queue);
  const figures: QueueFigures[] = [];
  for (const queue of Object.keys(JOB_KINDS)) {
    const waiting = await boss.findJobs(queue, { queued: true });
    const [stats] = await boss.getQueueStats(queue);
    const ages = waiting.map(({ startAfter }) => (Date.now() - startAfter.getTime()) / 1_000);
    figures.push({
      queue,
      waiting: waiting.length,
      active: stats!.activeCount,
      failed: failed.get(queue)?.length ?? 0,
      oldest_seconds: Math.round(Math.max(0, ...ages)),
    });
  }
  return figures;
}

/** A job whose last retry failed. */
export interface FailedJob {
  queue: string;
  id: string;
  subject: string;
  failed_at: string;
  error: unknown;
}

/** Returns the failed jobs, oldest first. */
export async function failedJobs(boss: PgBoss): Promise<FailedJob[]> {
  if (!(await hasQueues(boss))) return [];
  const jobs = await boss.findJobs<{ subject: string }>(FAILED_QUEUE, { queued: true });
  return jobs
    .map(({ id, sourceName, data, createdOn, sourceOutput }) => ({
      queue: sourceName!,
      id,
      subject: data.subject,
      failed_at: createdOn.toISOString(),
      error: sourceOutput,
    }))
    .toSorted((a, b) => (a.failed_at < b.failed_at ? -1 : 1));
}

/** Sends all failed jobs back to their queues, where workers find them within a minute. Returns their number. */
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
