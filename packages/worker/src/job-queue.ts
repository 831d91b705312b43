import type { Logger, WakeUps } from '@affiliate/core';
import { PgBoss } from 'pg-boss';

const SCHEMA = 'pgboss';
const PUMP_QUEUE = 'webhook-pump';

/** Wake-ups of one burst are sent together: a NOTIFY in every commit would cost two thirds of the write throughput. */
const BURST_MS = 20;
const FETCHED_AT_ONCE = 100;
/** Without a notification, which is lost now and then. */
const POLLING_SECONDS = 2;

export interface JobQueueOptions {
  /** Connection string of the service's database; the queue has a schema of its own there. */
  url: string;
  log: Logger;
}

/**
 * Jobs that lead from the process where something was committed to one that runs a worker: pg-boss, over LISTEN/NOTIFY. One per
 * process. A job only says "look there"; what is to be done stands in the database, and a sweep finds it when a job is lost.
 */
export class JobQueue {
  /** For `Services`. */
  readonly wakeUps: WakeUps;
  readonly #boss: PgBoss;
  readonly #log: Logger;
  #waiting = new Set<string>();
  #sending: Promise<void> | null = null;

  private constructor(boss: PgBoss, log: Logger) {
    this.#boss = boss;
    this.#log = log;
    this.wakeUps = {
      deliveries: (endpointIds) => {
        for (const id of endpointIds) this.#waiting.add(id);
        this.#sending ??= this.#sendWaiting();
      },
    };
  }

  /** Connects, and creates or migrates the queue's schema. */
  static async open({ url, log }: JobQueueOptions): Promise<JobQueue> {
    const boss = new PgBoss({
      connectionString: url,
      application_name: 'affiliate jobs',
      schema: SCHEMA,
      max: 3,
      schedule: false,
      useListenNotify: true,
    });
    boss.on('error', (err) => log.warn({ err }, 'job queue'));
    boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
    await boss.start();
    // `short`: one job waits per endpoint. Any number may run, or `stately` would leave an endpoint without wake-ups until the job of a
    // worker that died has expired.
    await boss.createQueue(PUMP_QUEUE, {
      policy: 'short',
      notify: true,
      retryLimit: 0,
      expireInSeconds: 60,
      retentionSeconds: 600,
      deleteAfterSeconds: 60,
    });
    return new JobQueue(boss, log);
  }

  /** Calls `wake` with the endpoints that wake-ups name, from now on. It settles when there is room for more. */
  async onDeliveries(wake: (endpointIds: string[]) => Promise<void>): Promise<void> {
    await this.#boss.work<{ endpoint_id: string }>(
      PUMP_QUEUE,
      { batchSize: FETCHED_AT_ONCE, pollingIntervalSeconds: POLLING_SECONDS, notifyPollingIntervalSeconds: POLLING_SECONDS },
      (jobs) => wake(jobs.map(({ data }) => data.endpoint_id)),
    );
  }

  /** Fetches no more jobs; wake-ups are still sent. */
  async offDeliveries(): Promise<void> {
    await this.#boss.offWork(PUMP_QUEUE);
  }

  /** Sends what is waiting, and disconnects. */
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
        this.#log.warn({ err, endpoint_ids: ids }, 'wake-up lost; the next sweep finds the deliveries');
      }
      await new Promise((resolve) => setTimeout(resolve, BURST_MS));
    }
    this.#sending = null;
  }
}
