import {
  advanceImports,
  type JobKind,
  type Services,
  advancePayoutAttempts,
  advancePayoutBatches,
  checkPortalHosts,
  findDueEndpoints,
  type DueRequest,
  findDueOf,
  finishErasures,
  flagCrowdedLeads,
  findEndpoints,
  findLostEvents,
  retryPspEvents,
  screenAffiliates,
  mailRequestedLinks,
  mailRequestedPortalLinks,
  untilMailIsSent,
  wakeMailSender,
  foldCommissionCounts,
  settleDueDecisions,
  sweepDueCommissions,
  takeDueRounds,
  writeBackMetadata,
  writeBackSoon,
} from '@affiliate/core';
import { AttemptRecorder } from './attempt-recorder.ts';
import { Batched } from './batched.ts';
import { DeliveryPumps, type RunningPump } from './delivery-pumps.ts';
import { EndpointConnections } from './endpoint-connections.ts';
import { EndpointLocks } from './endpoint-locks.ts';
import { EndpointPump, type PumpResult, type WorkerMetrics } from './endpoint-pump.ts';
import type { JobQueue } from './job-queue.ts';
import { LOOK_MS, lookInterval } from './look-interval.ts';
import { PostBudget } from './post-budget.ts';
import { type Repeated, repeat } from './repeat.ts';

const SECOND = 1_000;
/** Default time limit for stopping the worker. Longer than one HTTP exchange with a webhook receiver can take. */
const STOP_LIMIT_MS = 18 * SECOND;

/** Work that several workers may do at once. */
type Work = (services: Services, mustStop: () => boolean) => Promise<unknown>;
const MAIL_KINDS = ['urgent_mail', 'mail'] as const satisfies JobKind[];
type StartedKind = Exclude<JobKind, 'webhooks' | 'lost_events' | (typeof MAIL_KINDS)[number]>;

/** Work that is started by a job, and by a slow sweep, which finds the work of lost jobs and attempts that are due again. */
const STARTED_WORK: Readonly<Record<StartedKind, Work>> = {
  payout_batches: advancePayoutBatches,
  payout_attempts: advancePayoutAttempts,
  payout_screenings: screenAffiliates,
  commission_counts: async (services) => {
    const changed = await foldCommissionCounts(services);
    if (changed > 0) await writeBackSoon(services);
  },
  decisions: settleDueDecisions,
  mailed_links: mailRequestedLinks,
  portal_links: mailRequestedPortalLinks,
  portal_hosts: checkPortalHosts,
  erasures: finishErasures,
  imports: advanceImports,
  crowded_leads: flagCrowdedLeads,
  psp_metadata: writeBackMetadata,
  provider_events: retryPspEvents,
};
const STARTED_KINDS = Object.keys(STARTED_WORK) as StartedKind[];
const SWEEP_MS = 60 * SECOND;
/**
 * Kinds whose jobs fail while any part of their work fails. A successful job of such a kind proves that the work of earlier failed jobs is done. In the
 * other kinds, a job succeeds although a part waits after a failure.
 */
const WHOLE_KINDS: ReadonlySet<StartedKind> = new Set<StartedKind>([
  'payout_batches',
  'payout_screenings',
  'commission_counts',
  'decisions',
  'erasures',
  'crowded_leads',
]);
/** Interval at which failed jobs are deleted whose work has been done since. */
const FORGET_MS = 600 * SECOND;
/** Mail is repeated by time, and people wait for it. */
const MAIL_SWEEP_MS = 15 * SECOND;

/** Work that is started by the time alone. */
const TIMED_WORK: Readonly<Record<string, Work>> = {
  'commissions falling due': sweepDueCommissions,
};
const TIMED_MS = 10 * SECOND;

/** Time after which a job leaves the rest of a long look for lost events to another job, so that every worker can get it. */
const LOST_EVENTS_MS = 60 * SECOND;

/**
 * Interval of a worker's heartbeat: a look for other workers, whose time shows that the loop of this worker runs (`endpoint-locks.ts`). Two of them fit
 * into the time after which a worker counts as silent (`job-inspection.ts`).
 */
const HEARTBEAT_MS = 4 * SECOND;
/** Time without a look for due deliveries after which the loop hangs. Looks begin at least every 10 s, and a statement takes at most 30 s. */
const HANGING_MS = 60 * SECOND;
/** Time within which a worker looks for due deliveries after a failed attempt, to learn the time of the next one. */
const LOOK_AFTER_FAILURE_MS = 1 * SECOND;
/** Interval at which a running pump looks for deliveries whose job another worker got. */
const LOOK_WHILE_POSTING_MS = 250;
/** Maximum number of endpoints that one statement handles. */
const ENDPOINTS_AT_ONCE = 100;

export interface WorkerOptions {
  /** Connection string of the service's database. */
  databaseUrl: string;
  queue: JobQueue;
  metrics?: WorkerMetrics;
  /** Time limit of a whole exchange with a receiver. Default: 15 s. */
  exchangeTimeoutMs?: number;
}

export interface Worker {
  /** Runs every sweep once, and resolves when the deliveries that were due have been attempted. */
  sweepNow(): Promise<void>;
  /** True if the loop of the worker hangs, so that only a restart of the process helps. */
  isHanging: () => boolean;
  /** Starts no more work. Resolves when the running posts have ended and their outcomes are recorded, or after `limitMs`. */
  stop(limitMs?: number): Promise<void>;
}

/**
 * Starts a worker, which takes jobs, delivers webhooks and runs sweeps. It may run in the process that serves requests or in another one. Any
 * number of workers share the work.
 */
export async function startWorker(services: Services, options: WorkerOptions): Promise<Worker> {
  const { log } = services;
  const { queue } = options;
  const connections = new EndpointConnections();
  const locks = new EndpointLocks(options.databaseUrl, log);
  let stopping = false;
  let abandoned = false;

  const taking = new Batched((requests: DueRequest[]) => takeDueRounds(services, requests), { size: ENDPOINTS_AT_ONCE });
  const checking = new Batched(
    async (ids: string[]) => {
      const due = new Set((await findDueOf(services, ids)).map(({ id }) => id));
      return ids.map((id) => due.has(id));
    },
    { size: ENDPOINTS_AT_ONCE },
  );
  const budget = new PostBudget();
  const recorder = new AttemptRecorder(services, () => abandoned);

  const startPump = (endpointId: string): RunningPump => {
    let pump: EndpointPump | null = null;
    let isLocking = true;
    const run = async (): Promise<PumpResult> => {
      try {
        const lock = await locks.tryLock(endpointId);
        isLocking = false;
        if (lock === null) return 'drained';
        const running = (pump = new EndpointPump(lock, {
          services,
          transport: { connections, ...services.webhooks, exchangeTimeoutMs: options.exchangeTimeoutMs },
          budget,
          metrics: options.metrics,
          take: async (request) => {
            const round = await taking.add(request);
            if (round instanceof Error) throw round;
            return round;
          },
          record: async (endpoint, outcome) => {
            const health = await recorder.record(endpoint, outcome);
            if (outcome.error_code !== null) deliveries.within(LOOK_AFTER_FAILURE_MS);
            return health;
          },
          mustStop: () => stopping || !locks.holds(lock),
          mustYield: () => pumps.mustYield(endpointId),
        }));
        const looking = setInterval(() => running.wake(), LOOK_WHILE_POSTING_MS);
        let result: PumpResult;
        try {
          result = await running.run();
        } finally {
          clearInterval(looking);
          await locks.unlock(lock);
        }
        // Another worker may have got the job of a new delivery and found the lock taken, after this pump looked for the last time.
        return result === 'drained' && (await checking.add(endpointId)) ? 'yielded' : result;
      } catch (error) {
        // The worker has stopped and closed its connections, so the error is expected.
        if (abandoned) return 'yielded';
        throw error;
      }
    };
    return { ended: run(), wake: () => (pump === null ? isLocking : pump.wake()) };
  };
  const pumps = new DeliveryPumps(startPump, log);

  let lookedAt = performance.now();
  const isHanging = () => !stopping && performance.now() - lookedAt > HANGING_MS;
  let hasPeers = true;
  const beat = async () => {
    if (!isHanging()) hasPeers = await locks.hasPeers();
  };
  let nextLookMs: number = LOOK_MS.withPeers;
  const look = async () => {
    const start = performance.now();
    try {
      const { due, nextInMs } = await findDueEndpoints(services);
      const tookMs = performance.now() - start;
      pumps.wake(due);
      nextLookMs = lookInterval({ nextInMs, tookMs, hasPeers });
    } finally {
      lookedAt = performance.now();
    }
  };
  const heartbeat = repeat('heartbeat', HEARTBEAT_MS, beat, log);
  const deliveries = repeat('due deliveries', () => nextLookMs, look, log);
  // A job of mail ends at once, so that the next job finds a worker while the sender is still sending.
  const wakeMail = () => Promise.resolve(wakeMailSender(services, () => stopping));
  /** The beginning of the last work of a kind, if it succeeded. */
  const succeeded = new Map<StartedKind, Date>();
  const started = async (kind: StartedKind, mustStop: () => boolean) => {
    const begun = new Date();
    succeeded.delete(kind);
    await STARTED_WORK[kind](services, mustStop);
    if (WHOLE_KINDS.has(kind) && !mustStop()) succeeded.set(kind, begun);
  };
  const sweep = (name: string, ms: number, work: Work) => repeat(name, ms, () => work(services, () => stopping), log);
  const sweeps: Repeated[] = [
    ...STARTED_KINDS.map((kind) => repeat(kind, SWEEP_MS, () => started(kind, () => stopping), log)),
    ...Object.entries(TIMED_WORK).map(([name, work]) => sweep(name, TIMED_MS, work)),
    repeat('mail', MAIL_SWEEP_MS, wakeMail, log),
    repeat('failed jobs', FORGET_MS, () => queue.forgetFailed(succeeded), log),
    deliveries,
  ];
  // Does the work that a killed process left, without waiting for the first interval.
  for (const each of [heartbeat, ...sweeps]) void each.now();

  await queue.take('webhooks', async (endpointIds) => {
    const idle = pumps.wakeRunning(endpointIds);
    if (idle.length > 0) pumps.wake(await findEndpoints(services, idle));
  });
  for (const kind of MAIL_KINDS) await queue.take(kind, wakeMail);
  await queue.take('lost_events', async (_subjects, lost) => {
    const end = performance.now() + LOST_EVENTS_MS;
    await findLostEvents(services, () => stopping || lost.aborted || performance.now() > end);
  });
  for (const kind of STARTED_KINDS)
    await queue.take(kind, async (_subjects, lost) => {
      await started(kind, () => stopping || lost.aborted);
      // Leaves the rest of the work to another worker.
      if (stopping) services.jobs.send(kind);
    });

  return {
    isHanging,
    sweepNow: async () => {
      for (const sweep of sweeps) await sweep.now();
      await Promise.all([pumps.idle(), untilMailIsSent(services)]);
    },
    stop: async (limitMs = STOP_LIMIT_MS) => {
      stopping = true;
      pumps.stop();
      const limit = setTimeout(() => finished.resolve(), limitMs);
      const finished = Promise.withResolvers<void>();
      void Promise.all([
        queue.stopTaking(),
        ...[heartbeat, ...sweeps].map((each) => each.stop()),
        pumps.idle(),
        untilMailIsSent(services),
      ])
        .then(() => connections.close())
        .then(finished.resolve);
      await finished.promise;
      clearTimeout(limit);
      abandoned = true;
      await locks.close();
    },
  };
}
