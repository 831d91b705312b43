import type { Logger, WakeUps } from '@affiliate/core';
import { type Job, type JobResult, PgBoss } from 'pg-boss';

const SCHEMA = 'pgboss';
const PUMP_QUEUE = 'webhook-pump';
const SCHEDULED_QUEUE = 'scheduled';

/** Wake-ups of one burst are sent together: a NOTIFY per commit would cost two thirds of the write throughput. */
const BURST_MS = 20;
const FETCHED_AT_ONCE = 100;
/** For lost notifications. */
const POLLING_SECONDS = 2;

/** How soon a job whose worker was killed counts as failed, so that its next occurrence can run: this time plus up to a minute. */
const HEARTBEAT_SECONDS = 30;
/** A job that still runs then is given up. */
const SCHEDULED_JOB_LIMIT_SECONDS = 900;
const SCHEDULED_POLLING_SECONDS = 30;

export interface JobQueueOptions {
  /** Connection string of the service's database; the queue has a schema of its own there. */
  url: string;
  log: Logger;
  /** Given, this process looks for due schedules this often (1 to 45 seconds); needed for `schedule`. */
  scheduleCheckSeconds?: number;
}

export interface ScheduledJob {
  /** Unique among the jobs; letters, digits, `-`, `_`, `.` and `/`. */
  name: string;
  /** `lost` is aborted when the job no longer belongs to this process. A rejection marks the job as failed. */
  run(lost: AbortSignal): Promise<void>;
}

/**
 * The process's connection to pg-boss. It carries two kinds of jobs:
 * - Wake-ups, from the process that committed deliveries to one that runs a worker. The work itself stands in the database, so a sweep finds
 *   it when a wake-up is lost.
 * - Scheduled jobs, which run in one worker of the installation.
 */
export class JobQueue {
  /** For `Services`. */
  readonly wakeUps: WakeUps;
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #keepsSchedules: boolean;
  #waiting = new Set<string>();
  #sending: Promise<void> | null = null;

  private constructor(boss: PgBoss, log: Logger, keepsSchedules: boolean) {
    this.#boss = boss;
    this.#log = log;
    this.#keepsSchedules = keepsSchedules;
    this.wakeUps = {
      deliveries: (endpointIds) => {
        for (const id of endpointIds) this.#waiting.add(id);
        this.#sending ??= this.#sendWaiting();
      },
    };
  }

  /** Connects, and creates or migrates the queue's schema. */
  static async open({ url, log, scheduleCheckSeconds }: JobQueueOptions): Promise<JobQueue> {
    const boss = new PgBoss({
      connectionString: url,
      application_name: 'affiliate jobs',
      schema: SCHEMA,
      max: 3,
      schedule: scheduleCheckSeconds !== undefined,
      ...(scheduleCheckSeconds !== undefined && {
        cronMonitorIntervalSeconds: scheduleCheckSeconds,
        cronWorkerIntervalSeconds: scheduleCheckSeconds,
      }),
      useListenNotify: true,
    });
    boss.on('error', (err) => log.warn({ err }, 'job queue'));
    boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
    await boss.start();
    // `short`: at most one queued job per endpoint, and any number of active ones. `stately`, with one active job, would leave an endpoint
    // without wake-ups until the job of a killed worker has expired.
    await boss.createQueue(PUMP_QUEUE, {
      policy: 'short',
      notify: true,
      retryLimit: 0,
      expireInSeconds: 60,
      retentionSeconds: 600,
      deleteAfterSeconds: 60,
    });
    return new JobQueue(boss, log, scheduleCheckSeconds !== undefined);
  }

  /** Calls `wake` with the endpoints of incoming wake-ups. The next ones are fetched when its promise settles. */
  async onDeliveries(wake: (endpointIds: string[]) => Promise<void>): Promise<void> {
    await this.#boss.work<{ endpoint_id: string }>(
      PUMP_QUEUE,
      { batchSize: FETCHED_AT_ONCE, pollingIntervalSeconds: POLLING_SECONDS, notifyPollingIntervalSeconds: POLLING_SECONDS },
      (jobs) => wake(jobs.map(({ data }) => data.endpoint_id)),
    );
  }

  /** Fetches no more wake-ups; they are still sent. */
  async offDeliveries(): Promise<void> {
    await this.#boss.offWork(PUMP_QUEUE);
  }

  /**
   * Runs each job whenever `cron` (UTC, minutes) says so, in one process of the installation and never twice at the same time. The schedules are
   * rows of the database: they outlive processes, and replace those of a former version.
   *
   * An occurrence that no process was there to see runs once, later.
   */
  async schedule(cron: string, jobs: readonly ScheduledJob[]): Promise<void> {
    if (!this.#keepsSchedules)
      throw new Error('This queue was opened without scheduleCheckSeconds: its schedules would never run');
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

  /** Sends the waiting wake-ups and disconnects. */
  async close(): Promise<void> {
    while (this.#sending) await this.#sending;
    await this.#boss.stop({ graceful: false });
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting];
      this.#waiting = new Set();
      try {
        await this.#boss.insert(
          PUMP_QUEUE,
          ids.map((id) => ({ singletonKey: id, data: { endpoint_id: id } })),
        );
      } catch (err) {
        this.#log.warn({ err, endpoint_ids: ids }, 'wake-up not sent; the next sweep finds the deliveries');
      }
      await new Promise((resolve) => setTimeout(resolve, BURST_MS));
    }
    this.#sending = null;
  }
}
