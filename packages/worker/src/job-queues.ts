import { JOB_KINDS, type JobKind } from '@affiliate/core';
import type { ConstructorOptions, PgBoss, Queue } from 'pg-boss';

/** Data of a job. `subject` is the id of a webhook endpoint, or empty for kinds without subjects. */
export interface JobData {
  subject: string;
}

export const SCHEDULED_QUEUE = 'scheduled';

/** Name of a worker's connections to its queues. */
export const WORKER_CONNECTIONS = 'affiliate jobs';

/** The queue of jobs whose last retry failed (pg-boss: dead letters). A person looks at them and may send them back to their queues. */
export const FAILED_QUEUE = 'failed';

/** The schema of pg-boss in the service's database. */
const SCHEMA = 'pgboss';

const DAY_SECONDS = 86_400;

/**
 * Options of the queues of work. With the policy `short`, at most one job per singleton key waits. While it is being worked on, the next one may
 * wait, so work that is created during a job is not missed.
 */
const QUEUE = {
  policy: 'short',
  notify: true,
  // If the worker of a job dies, its missing heartbeats show that, and another worker gets the job.
  heartbeatSeconds: 30,
  expireInSeconds: DAY_SECONDS - 1,
  retryLimit: 5,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  retentionSeconds: DAY_SECONDS,
  // Jobs of some kinds are frequent. Those that fail are kept in another queue (`deadLetter`).
  deleteAfterSeconds: 60,
} as const satisfies Omit<Queue, 'name'>;

/**
 * A job of this kind ends as soon as the worker knows the endpoint, and the deliveries themselves are rows of the database. If it fails, e.g. because
 * its worker is killed, the workers find the deliveries within seconds, so a person has nothing to repair.
 */
const WEBHOOKS = { ...QUEUE, retryLimit: 0, retentionSeconds: 600 } as const;
const OTHERS = { ...QUEUE, deadLetter: FAILED_QUEUE } as const;

/** Creates the queues of work, and sets their options, which another version may have set differently. */
export async function createQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(FAILED_QUEUE, { retentionSeconds: 14 * DAY_SECONDS });
  for (const kind of Object.keys(JOB_KINDS) as JobKind[]) {
    const options = kind === 'webhooks' ? WEBHOOKS : OTHERS;
    await boss.createQueue(kind, options);
    const { policy: _policy, ...changeable } = options;
    await boss.updateQueue(kind, changeable);
  }
}

/**
 * Options of every connection to pg-boss. With these limits, a statement on a lost connection fails, and the connection is replaced. Connections are
 * also replaced by age, because one that was opened while the server was a standby would refuse writes until the process ends.
 */
export const CONNECTION = {
  schema: SCHEMA,
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
  keepAlive: true,
  maxLifetimeSeconds: 30,
} as const satisfies ConstructorOptions & Record<'query_timeout' | 'keepAlive' | 'maxLifetimeSeconds', unknown>;

export const CLOSE_WITHIN_MS = 3_000;

/** Disconnects without waiting for jobs. Waits at most three seconds, because the server cannot confirm the end of a connection that is lost. */
export async function disconnect(boss: PgBoss): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, CLOSE_WITHIN_MS);
  await Promise.race([boss.stop({ graceful: false }), limit.promise]);
  clearTimeout(timer);
}

/** Returns the jobs to insert for the subjects of a kind. */
export function jobsOf(kind: JobKind, subjects: readonly string[]) {
  return subjects.map((subject) => ({ data: { subject } satisfies JobData, singletonKey: subject === '' ? kind : subject }));
}
