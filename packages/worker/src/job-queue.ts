import type { JobKind, Logger } from '@affiliate/core';
import { type Job, type JobResult, PgBoss } from 'pg-boss';
import {
  CONNECTION,
  FAILED_QUEUE,
  type JobData,
  SCHEDULED_QUEUE,
  WORKER_CONNECTIONS,
  createQueues,
  disconnect,
} from './job-queues.ts';

const FETCHED_AT_ONCE = 100;
/**
 * Interval at which a worker looks for jobs of a kind whose notification was lost, and for failed jobs that are tried again. Long, because the workers'
 * sweeps find the work of both within a minute.
 */
const POLLING_SECONDS = 300;
/** Intervals at which pg-boss checks its own listening connection, and the time limit of a check. */
const LISTENER = { notifyHeartbeatIntervalMs: 5_000, notifyHeartbeatTimeoutMs: 5_000 };

/** Interval at which pg-boss looks for jobs that wait for other jobs. Long, because no job does. */
const FLOW_SECONDS = 86_400;

/**
 * Time without a heartbeat after which a job counts as failed, e.g. because its worker was killed, so that the next occurrence can run. The
 * queue may need another minute to notice.
 */
const HEARTBEAT_SECONDS = 30;
/**
 * Number of scheduled jobs in a batch, which a worker runs one after the other before it takes the next batch. pg-boss fetches the next batch without a
 * delay only if a batch has at least two jobs.
 */
const SCHEDULED_AT_ONCE = 2;
const SCHEDULED_POLLING_SECONDS = 30;

/** SQL: deletes the failed jobs of kinds (first parameter) whose work succeeded later (second parameter). The clocks of machines may differ by a minute. */
const FORGET = `
  delete from pgboss.job using unnest($1::text[], $2::timestamptz[]) as done (kind, at)
  where job.name = '${FAILED_QUEUE}' and job.state = 'created' and job.source_name = done.kind and job.created_on < done.at - interval '1 minute'`;

export interface JobQueueOptions {
  /** Connection string of the service's database. The queue has its own schema there. */
  url: string;
  log: Logger;
  /** Interval at which this process looks for due schedules: 1 to 45 seconds. */
  scheduleCheckSeconds: number;
}

export interface ScheduledJob {
  /** Unique name of the job: letters, digits, `-`, `_`, `.` and `/`. */
  name: string;
  /**
   * Runs the job. A rejection marks the job as failed.
   *
   * @param lost aborted when the queue has taken the job away from this process
   */
  run(lost: AbortSignal): Promise<void>;
}

/** A worker's connection to pg-boss: takes the jobs that changes send, and runs jobs on a schedule. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #kinds = new Set<JobKind>();

  private constructor(boss: PgBoss, log: Logger) {
    this.#boss = boss;
    this.#log = log;
  }

  /** Connects, and creates or migrates the schema and the queues. */
  static async open({ url, log, scheduleCheckSeconds }: JobQueueOptions): Promise<JobQueue> {
    const boss = new PgBoss({
      ...CONNECTION,
      ...LISTENER,
      connectionString: url,
      application_name: WORKER_CONNECTIONS,
      max: 3,
      schedule: true,
      cronMonitorIntervalSeconds: scheduleCheckSeconds,
      cronWorkerIntervalSeconds: scheduleCheckSeconds,
      flowIntervalSeconds: FLOW_SECONDS,
      useListenNotify: true,
    });
    boss.on('error', (err) => log.warn({ err }, 'job queue error'));
    boss.on('warning', (warning) => log.warn({ warning }, 'job queue warning'));
    await boss.start();
    await createQueues(boss);
    return new JobQueue(boss, log);
  }

  /**
   * Takes jobs of a kind in this process, several at once. A rejection of `work` marks the jobs as failed, and they are tried again later.
   *
   * @param work gets the subjects of the jobs, and a signal that is aborted when the queue has taken the jobs away from this process
   */
  async take(kind: JobKind, work: (subjects: string[], lost: AbortSignal) => Promise<void>): Promise<void> {
    this.#kinds.add(kind);
    const log = this.#log;
    await this.#boss.work(
      kind,
      {
        batchSize: FETCHED_AT_ONCE,
        // Otherwise the jobs beyond one batch wait for the next notification, because a burst of jobs sends only one.
        burstWhenBatchFull: true,
        pollingIntervalSeconds: POLLING_SECONDS,
        notifyPollingIntervalSeconds: POLLING_SECONDS,
      },
      async (batch: Job<JobData>[]) => {
        const subjects = batch.map(({ data }) => data.subject);
        try {
          await work(subjects, AbortSignal.any(batch.map(({ signal }) => signal)));
        } catch (err) {
          log.error({ err, kind, subjects }, 'job failed; will be retried');
          throw err;
        }
      },
    );
  }

  /**
   * Deletes failed jobs without subjects whose work has been done since, e.g. by a sweep.
   *
   * @param done beginning of the last work of a kind that succeeded, by the clock of this process
   */
  async forgetFailed(done: ReadonlyMap<JobKind, Date>): Promise<void> {
    if (done.size === 0) return;
    await this.#boss.getDb().executeSql(FORGET, [[...done.keys()], [...done.values()].map((at) => at.toISOString())]);
  }

  /** Stops taking the jobs that changes send, and resolves when the jobs of this process have ended. */
  async stopTaking(): Promise<void> {
    await Promise.all([...this.#kinds].map((kind) => this.#boss.offWork(kind)));
    this.#kinds.clear();
  }

  /**
   * Runs each job at the times given by `cron` (UTC, with minute resolution), in one process of the installation and never twice at the same
   * time.
   *
   * A killed worker is noticed by its missing heartbeat. A job that hangs counts as failed after twice the time that the jobs of its batch may take.
   *
   * The schedules are rows of the database. They stay when the process ends, and replace the schedules of previous versions. If no process was
   * running when a job was due, the job runs once, later.
   *
   * @param limitSeconds time after which each job ends by itself
   */
  async schedule(cron: string, jobs: readonly ScheduledJob[], limitSeconds: number): Promise<void> {
    const byName = new Map(jobs.map((job) => [job.name, job]));
    const expireInSeconds = 2 * SCHEDULED_AT_ONCE * limitSeconds;
    // With the policy `exclusive`, at most one job per name is queued or active, in all processes together.
    await this.#boss.createQueue(SCHEDULED_QUEUE, {
      policy: 'exclusive',
      notify: true,
      retryLimit: 0,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds,
      retentionSeconds: 3_600,
      deleteAfterSeconds: 86_400,
    });
    for (const { key } of await this.#boss.getSchedules(SCHEDULED_QUEUE))
      if (!byName.has(key)) await this.#boss.unschedule(SCHEDULED_QUEUE, key);
    for (const name of byName.keys())
      await this.#boss.schedule(
        SCHEDULED_QUEUE,
        cron,
        { name },
        // The limit is also set for each job, because a queue that an earlier version created keeps the limit of that version.
        { key: name, singletonKey: name, missed: 'once', expireInSeconds },
      );
    await this.#boss.work(
      SCHEDULED_QUEUE,
      {
        batchSize: SCHEDULED_AT_ONCE,
        burstWhenBatchFull: true,
        perJobResults: true,
        pollingIntervalSeconds: SCHEDULED_POLLING_SECONDS,
        notifyPollingIntervalSeconds: SCHEDULED_POLLING_SECONDS,
      },
      async (batch: Job<{ name: string }>[]) => {
        const results: JobResult[] = [];
        for (const { id, data, signal } of batch) {
          try {
            // A job that this version does not know counts as completed. A worker of another version may know it and run its next occurrence.
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

  /** Stops taking scheduled jobs in this process, and resolves when no job is running. Does not remove the schedules. */
  async offSchedule(): Promise<void> {
    await this.#boss.offWork(SCHEDULED_QUEUE);
  }

  /** Disconnects, waiting at most three seconds. */
  close(): Promise<void> {
    return disconnect(this.#boss);
  }
}
