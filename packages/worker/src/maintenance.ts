import {
  type MustStop,
  type Services,
  cancelOrphanedDeliveries,
  maintainClickPartitions,
  purgeAuditEntries,
  purgeApplications,
  purgeEmailChanges,
  purgePortalAccess,
  purgeDeletedAccounts,
  purgeEvents,
  purgeExpiredVisitors,
  purgeIdempotencyKeys,
  purgeOauthTokens,
  purgePspEvents,
  purgePspOperations,
  purgePspPayments,
  purgeSessions,
  purgeUnusedOauthClients,
  purgeNotices,
  purgeWebhookAttempts,
  refreshFacts,
  remindOfPayoutDetails,
  rollUpClicks,
  tellOfTerms,
  writeDigests,
  writeMemberDigests,
} from '@affiliate/core';
import type { JobQueue } from './job-queue.ts';

export interface MaintenanceJob {
  /** Identifies the schedule: letters, digits, `-`, `_`, `.` and `/`. */
  name: string;
  /** Returns the number of rows it deleted or changed. A job that stops early continues at its next occurrence. */
  run(services: Services, mustStop: MustStop): Promise<number>;
}

/** Retention (docs/domain-rules.md#retention) and repairs. */
const JOBS: readonly MaintenanceJob[] = [
  { name: 'purge-idempotency-keys', run: purgeIdempotencyKeys },
  { name: 'purge-sessions', run: purgeSessions },
  { name: 'purge-oauth-tokens', run: purgeOauthTokens },
  { name: 'purge-unused-oauth-clients', run: purgeUnusedOauthClients },
  { name: 'purge-webhook-attempts', run: purgeWebhookAttempts },
  { name: 'purge-events', run: purgeEvents },
  { name: 'purge-audit-entries', run: purgeAuditEntries },
  { name: 'purge-applications', run: purgeApplications },
  { name: 'purge-email-changes', run: purgeEmailChanges },
  { name: 'purge-portal-access', run: purgePortalAccess },
  { name: 'purge-notices', run: purgeNotices },
  { name: 'write-digests', run: writeDigests },
  { name: 'write-member-digests', run: writeMemberDigests },
  { name: 'remind-of-payout-details', run: remindOfPayoutDetails },
  { name: 'tell-of-terms', run: tellOfTerms },
  { name: 'purge-psp-events', run: purgePspEvents },
  { name: 'purge-psp-payments', run: purgePspPayments },
  { name: 'purge-psp-operations', run: purgePspOperations },
  { name: 'click-partitions', run: maintainClickPartitions },
  { name: 'roll-up-clicks', run: rollUpClicks },
  { name: 'refresh-analytics-facts', run: refreshFacts },
  { name: 'purge-expired-visitors', run: purgeExpiredVisitors },
  { name: 'purge-deleted-accounts', run: purgeDeletedAccounts },
  { name: 'cancel-orphaned-deliveries', run: cancelOrphanedDeliveries },
];

const EVERY_TEN_MINUTES = '*/10 * * * *';
/** All jobs together stay well below the time after which the queue gives a job up (job-queue.ts). */
const TIME_LIMIT_MS = 60_000;

export interface MaintenanceOptions {
  jobs?: readonly MaintenanceJob[];
  /** The times at which the jobs run, in UTC. */
  cron?: string;
}

export interface Maintenance {
  /** Starts no more jobs and settles when the one that runs has stopped. The schedules stay. */
  stop(): Promise<void>;
}

/**
 * Runs the maintenance jobs on schedule, each in one process of the installation at a time. A job that fails leaves the others alone and runs
 * again at its next occurrence.
 */
export async function startMaintenance(
  services: Services,
  queue: JobQueue,
  { jobs = JOBS, cron = EVERY_TEN_MINUTES }: MaintenanceOptions = {},
): Promise<Maintenance> {
  const { log } = services;
  const stopping = new AbortController();

  const run = async (job: MaintenanceJob, lost: AbortSignal) => {
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    const mustStop = () => stopping.signal.aborted || lost.aborted || elapsed() > TIME_LIMIT_MS;
    if (mustStop()) return;
    try {
      const rows = await job.run(services, mustStop);
      log[rows > 0 ? 'info' : 'debug']({ job: job.name, rows, duration_ms: elapsed() }, 'maintenance job done');
    } catch (err) {
      log.error({ err, job: job.name, duration_ms: elapsed() }, 'maintenance job failed; its next occurrence tries again');
      throw err;
    }
  };
  await queue.schedule(
    cron,
    jobs.map((job) => ({ name: job.name, run: (lost) => run(job, lost) })),
  );
  return {
    stop: async () => {
      stopping.abort();
      await queue.offSchedule();
    },
  };
}
