import {
  type Services,
  advancePayoutExports,
  advancePayoutRuns,
  checkPortalHosts,
  findDueEndpoints,
  type DueRequest,
  findEndpoints,
  retryPspEvents,
  mailRequestedLinks,
  mailRequestedPortalLinks,
  sendDueMail,
  foldCommissionCounts,
  sweepDueCommissions,
  takeDueRounds,
} from '@affiliate/core';
import { AttemptRecorder } from './attempt-recorder.ts';
import { Batched } from './batched.ts';
import { DeliveryPumps, type RunningPump } from './delivery-pumps.ts';
import { EndpointConnections } from './endpoint-connections.ts';
import { EndpointLocks } from './endpoint-locks.ts';
import type { WorkerMetrics } from './metrics.ts';
import { EndpointPump, type PumpResult } from './endpoint-pump.ts';
import { PostBudget } from './post-budget.ts';
import { type Repeated, repeat } from './repeat.ts';
import type { WakeUpChannel } from './wake-up-channel.ts';

const SECOND = 1_000;
/** Default time limit for stopping the worker. Longer than one HTTP exchange with a webhook receiver can take. */
const STOP_LIMIT_MS = 18 * SECOND;

/** Work that is repeated every few seconds. All worker processes do it, and several may run the same sweep at once. */
const SWEEPS: readonly {
  name: string;
  intervalMs: number;
  run: (services: Services, mustStop: () => boolean) => Promise<unknown>;
}[] = [
  { name: 'payout runs', intervalMs: 1 * SECOND, run: advancePayoutRuns },
  { name: 'payout exports', intervalMs: 1 * SECOND, run: advancePayoutExports },
  { name: 'commissions falling due', intervalMs: 5 * SECOND, run: sweepDueCommissions },
  { name: 'numbers of commissions', intervalMs: 2 * SECOND, run: foldCommissionCounts },
  { name: 'password resets', intervalMs: 10 * SECOND, run: mailRequestedLinks },
  { name: 'links to portals', intervalMs: 10 * SECOND, run: mailRequestedPortalLinks },
  { name: 'outgoing mail', intervalMs: 10 * SECOND, run: sendDueMail },
  { name: 'portal hosts', intervalMs: 10 * SECOND, run: checkPortalHosts },
  { name: 'provider events', intervalMs: 10 * SECOND, run: retryPspEvents },
];
/** Interval of the sweep for due deliveries: retries, and deliveries whose wake-up was lost. */
const DELIVERY_SWEEP_MS = 1 * SECOND;
/** Maximum number of endpoints that one statement handles. */
const ENDPOINTS_AT_ONCE = 100;

export interface WorkerOptions {
  /** Connection string of the service's database. */
  databaseUrl: string;
  /** The channel that wake-ups arrive on. */
  wakeUps: WakeUpChannel;
  metrics?: WorkerMetrics;
  /** Time limit of a whole exchange with a receiver. Default: 15 s. */
  exchangeTimeoutMs?: number;
}

export interface Worker {
  /** Runs every sweep once, and resolves when the deliveries that were due have been attempted. */
  sweepNow(): Promise<void>;
  /** Starts no more work. Resolves when the running posts have ended and their outcomes are recorded, or after `limitMs`. */
  stop(limitMs?: number): Promise<void>;
}

/**
 * Starts a worker, which delivers webhooks and runs sweeps. It may run in the process that serves requests or in another one. Any
 * number of workers share the work.
 */
export async function startWorker(services: Services, options: WorkerOptions): Promise<Worker> {
  const { log } = services;
  const connections = new EndpointConnections();
  const locks = new EndpointLocks(options.databaseUrl, log);
  let stopping = false;
  let abandoned = false;

  const taking = new Batched((requests: DueRequest[]) => takeDueRounds(services, requests), { size: ENDPOINTS_AT_ONCE });
  const budget = new PostBudget();
  const recorder = new AttemptRecorder(services, () => abandoned);

  const startPump = (endpointId: string): RunningPump => {
    const pump = new EndpointPump(endpointId, {
      services,
      transport: { connections, ...services.webhooks, exchangeTimeoutMs: options.exchangeTimeoutMs },
      budget,
      metrics: options.metrics,
      take: (request) => taking.add(request),
      record: (endpoint, outcome) => recorder.record(endpoint, outcome),
      mustStop: () => stopping || !locks.holds(endpointId),
      mustYield: () => pumps.mustYield(endpointId),
    });
    const run = async (): Promise<PumpResult> => {
      try {
        if (!(await locks.tryLock(endpointId))) return 'drained';
        try {
          return await pump.run();
        } finally {
          await locks.unlock(endpointId);
        }
      } catch (error) {
        // The worker has stopped and closed its connections, so the error is expected.
        if (abandoned) return 'yielded';
        throw error;
      }
    };
    return { ended: run(), wake: () => pump.wake() };
  };
  const pumps = new DeliveryPumps(startPump, log);

  const waking = new Batched(
    async (endpointIds: string[]) => {
      pumps.wake(await findEndpoints(services, endpointIds));
      return endpointIds;
    },
    { size: ENDPOINTS_AT_ONCE },
  );
  const wake = async (endpointIds: readonly string[]) => {
    try {
      await Promise.all(pumps.wakeRunning(endpointIds).map((id) => waking.add(id)));
    } catch (err) {
      log.warn({ err, endpoint_ids: endpointIds }, 'could not handle a wake-up; the next sweep will find the deliveries');
    }
  };

  const deliveries = repeat('due deliveries', DELIVERY_SWEEP_MS, async () => pumps.wake(await findDueEndpoints(services)), log);
  const sweeps: Repeated[] = [
    ...SWEEPS.map(({ name, intervalMs, run }) => repeat(name, intervalMs, () => run(services, () => stopping), log)),
    deliveries,
  ];
  // Attempts deliveries that a killed process left, without waiting for the first interval.
  void deliveries.now();
  await options.wakeUps.listen((endpointIds) => void wake(endpointIds));

  return {
    sweepNow: async () => {
      for (const sweep of sweeps) await sweep.now();
      await pumps.idle();
    },
    stop: async (limitMs = STOP_LIMIT_MS) => {
      stopping = true;
      options.wakeUps.unlisten();
      pumps.stop();
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      const limit = setTimeout(() => finished.resolve(), limitMs);
      const finished = Promise.withResolvers<void>();
      void pumps
        .idle()
        .then(() => connections.close())
        .then(finished.resolve);
      await finished.promise;
      clearTimeout(limit);
      abandoned = true;
      await locks.close();
    },
  };
}
