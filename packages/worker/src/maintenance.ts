import {
  type MustStop,
  RETAINED_TABLES,
  type Services,
  bringDeliveriesForward,
  cancelOrphanedDeliveries,
  carryLateDebts,
  maintainClickPartitions,
  purgeDeletedAccounts,
  purgeExpiredVisitors,
  purgeRows,
  purgeUploads,
  findLostEvents,
  repairPspEndpoints,
  refreshFacts,
  remindOfPayoutDetails,
  rollUpClicks,
  tellOfChangedRewards,
  tellOfEndedCampaigns,
  tellOfEndedMemberships,
  tellOfTerms,
  writeDigests,
  writeMemberDigests,
} from '@affiliate/core';
import type { JobQueue } from './job-queue.ts';

export interface MaintenanceJob {
  /** Name of the job and its schedule: letters, digits, `-`, `_`, `.` and `/`. */
  name: string;
  /**
   * Runs the job and returns the number of rows that it deleted or changed. If `mustStop` becomes true, the job ends early, and its next
   * occurrence continues.
   */
  run(services: Services, mustStop: MustStop): Promise<number>;
}

/** Jobs for retention (docs/rules/platform.md#retention), digests, reminders, analytics and repairs. */
const JOBS: readonly MaintenanceJob[] = [
  ...RETAINED_TABLES.map((table) => ({
    name: `purge-${table}`,
    run: (services: Services, mustStop: MustStop) => purgeRows(services, table, mustStop),
  })),
  { name: 'purge-uploads', run: purgeUploads },
  { name: 'write-digests', run: writeDigests },
  { name: 'write-member-digests', run: writeMemberDigests },
  { name: 'remind-of-payout-details', run: remindOfPayoutDetails },
  { name: 'tell-of-terms', run: tellOfTerms },
  { name: 'tell-of-ended-memberships', run: tellOfEndedMemberships },
  { name: 'tell-of-ended-campaigns', run: tellOfEndedCampaigns },
  { name: 'tell-of-changed-rewards', run: tellOfChangedRewards },
  { name: 'repair-psp-endpoints', run: repairPspEndpoints },
  { name: 'find-lost-events', run: findLostEvents },
  { name: 'click-partitions', run: maintainClickPartitions },
  { name: 'roll-up-clicks', run: rollUpClicks },
  { name: 'refresh-analytics-facts', run: refreshFacts },
  { name: 'purge-expired-visitors', run: purgeExpiredVisitors },
  { name: 'purge-deleted-accounts', run: purgeDeletedAccounts },
  { name: 'cancel-orphaned-deliveries', run: cancelOrphanedDeliveries },
  { name: 'bring-deliveries-forward', run: bringDeliveriesForward },
  { name: 'carry-late-debts', run: carryLateDebts },
];

const EVERY_TEN_MINUTES = '*/10 * * * *';
/** Time after which a job ends early. Its next occurrence continues. */
const TIME_LIMIT_SECONDS = 60;

export interface MaintenanceOptions {
  jobs?: readonly MaintenanceJob[];
  /** Cron expression (UTC) of the times at which the jobs run. */
  cron?: string;
}

export interface Maintenance {
  /** Starts no more jobs, and resolves when the running job has stopped. Does not remove the schedules. */
  stop(): Promise<void>;
}

/**
 * Runs the maintenance jobs on schedule, each in one process of the installation at a time. If a job fails, the others still run, and the job
 * is repeated at its next occurrence.
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
    const mustStop = () => stopping.signal.aborted || lost.aborted || elapsed() > TIME_LIMIT_SECONDS * 1_000;
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
    TIME_LIMIT_SECONDS,
  );
  return {
    stop: async () => {
      stopping.abort();
      await queue.offSchedule();
    },
  };
}
