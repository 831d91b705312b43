import type { Logger } from '@affiliate/core';
import { type Job, type JobResult, PgBoss } from 'pg-boss';

const SCHEMA = 'pgboss';
const SCHEDULED_QUEUE = 'scheduled';

const FETCHED_AT_ONCE = 100;
/** So that a lost connection fails its statement and is replaced. The queue's own statements are short. */
const CONNECTION = { connectionTimeoutMillis: 5_000, query_timeout: 10_000, keepAlive: true };
const CLOSE_WITHIN_MS = 3_000;

/** Time after which a job whose worker was killed counts as failed, so that its next occurrence can run: up to a minute more. */
const HEARTBEAT_SECONDS = 30;
/** A job that still runs then is given up. */
const SCHEDULED_JOB_LIMIT_SECONDS = 900;
const SCHEDULED_POLLING_SECONDS = 30;

export interface JobQueueOptions {
  /** Connection string of the service's database; the queue has a schema of its own there. */
  url: string;
  log: Logger;
  /** Interval in which this process looks for due schedules: 1 to 45 seconds. */
  scheduleCheckSeconds: number;
}

export interface ScheduledJob {
  /** Unique among the jobs; letters, digits, `-`, `_`, `.` and `/`. */
  name: string;
  /** `lost` is aborted when the job no longer belongs to this process. A rejection marks the job as failed. */
  run(lost: AbortSignal): Promise<void>;
}

/** A worker's connection to pg-boss, which carries the jobs that run on a schedule, in one worker of the installation. */
export class JobQueue {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Connects, and creates or migrates the queue's schema. */
  static async open({ url, log, scheduleCheckSeconds }: JobQueueOptions): Promise<JobQueue> {
    const boss = new PgBoss({
      connectionString: url,
      application_name: 'affiliate jobs',
      ...CONNECTION,
      schema: SCHEMA,
      max: 3,
      schedule: true,
      cronMonitorIntervalSeconds: scheduleCheckSeconds,
      cronWorkerIntervalSeconds: scheduleCheckSeconds,
      useListenNotify: true,
    });
    boss.on('error', (err) => log.warn({ err }, 'job queue'));
    boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
    await boss.start();
    return new JobQueue(boss);
  }

  /**
   * Runs each job whenever `cron` (UTC, minutes) says so, in one process of the installation and never twice at the same time. The schedules are
   * rows of the database: they outlive processes, and replace those of a former version.
   *
   * An occurrence that no process was there to see runs once, later.
   */
  async schedule(cron: string, jobs: readonly ScheduledJob[]): Promise<void> {
    const byName = new Map(jobs.map((job) => [job.name, job]));
    // `exclusive`: at most one job per name is queued or active, in all processes together.
    await this.#boss.createQueue(SCHEDULED_QUEUE, {
      policy: 'exclusive',
      notify: true,
      retryLimit: 0,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: SCHEDULED_JOB_LIMIT_SECONDS,
      retentionSeconds: 3_600,
      deleteAfterSeconds: 86_400,
    });
    for (const { key } of await this.#boss.getSchedules(SCHEDULED_QUEUE))
      if (!byName.has(key)) await this.#boss.unschedule(SCHEDULED_QUEUE, key);
    for (const name of byName.keys())
      await this.#boss.schedule(SCHEDULED_QUEUE, cron, { name }, { key: name, singletonKey: name, missed: 'once' });
    await this.#boss.work(
      SCHEDULED_QUEUE,
      {
        batchSize: FETCHED_AT_ONCE,
        perJobResults: true,
        pollingIntervalSeconds: SCHEDULED_POLLING_SECONDS,
        notifyPollingIntervalSeconds: SCHEDULED_POLLING_SECONDS,
      },
      async (batch: Job<{ name: string }>[]) => {
        const results: JobResult[] = [];
        for (const { id, data, signal } of batch) {
          try {
            // A worker of another version may know the job: its next occurrence is for that one.
            await byName.get(data.name)?.run(signal);
            results.push({ id, status: 'completed' });
          } catch (error) {
            results.push({ id, status: 'failed', output: { message: String(error) } });
          }
        }
        return results;
      },
    );
  }

  /** Fetches no more scheduled jobs in this process, and settles when none runs. The schedules stay. */
  async offSchedule(): Promise<void> {
    await this.#boss.offWork(SCHEDULED_QUEUE);
  }

  /** Disconnects, within three seconds. */
  async close(): Promise<void> {
    const limit = Promise.withResolvers<void>();
    // A connection that no longer answers never confirms its end.
    const timer = setTimeout(limit.resolve, CLOSE_WITHIN_MS);
    await Promise.race([this.#boss.stop({ graceful: false }), limit.promise]);
    clearTimeout(timer);
  }
}
