import {
  type Services,
  advancePayoutRuns,
  findDueEndpoints,
  findEndpoints,
  retryPspEvents,
  sendDueMail,
  sweepDueCommissions,
} from '@affiliate/core';
import { DeliveryPumps } from './delivery-pumps.ts';
import { EndpointConnections } from './endpoint-connections.ts';
import { EndpointLocks } from './endpoint-locks.ts';
import type { JobQueue } from './job-queue.ts';
import type { WorkerMetrics } from './metrics.ts';
import { pumpEndpoint, type PumpResult } from './pump-endpoint.ts';
import { type Repeated, repeat } from './repeat.ts';

const SECOND = 1_000;
/** Longer than the limit of an exchange with a receiver. */
const STOP_LIMIT_MS = 20 * SECOND;

/** Recurring work that cannot wait a minute. Every worker process does it; several may run the same sweep at once. */
const SWEEPS: readonly {
  name: string;
  intervalMs: number;
  run: (services: Services, mustStop: () => boolean) => Promise<unknown>;
}[] = [
  { name: 'payout runs', intervalMs: 1 * SECOND, run: advancePayoutRuns },
  { name: 'commissions falling due', intervalMs: 5 * SECOND, run: sweepDueCommissions },
  { name: 'outgoing mail', intervalMs: 10 * SECOND, run: sendDueMail },
  { name: 'provider events', intervalMs: 10 * SECOND, run: retryPspEvents },
];
/** Finds retries that fell due, and deliveries whose wake-up was lost. */
const DELIVERY_SWEEP_MS = 1 * SECOND;

export interface WorkerOptions {
  /** Connection string of the service's database. */
  databaseUrl: string;
  /** This process's queue, which brings the wake-ups. */
  queue: JobQueue;
  metrics?: WorkerMetrics;
  /** Limit of a whole exchange with a receiver; 15 s when missing. */
  exchangeTimeoutMs?: number;
}

export interface Worker {
  /** Runs every sweep once, and settles when the deliveries that were due have been attempted. */
  sweepNow(): Promise<void>;
  /** Starts no more work and settles when running posts have been recorded, or after `limitMs`. */
  stop(limitMs?: number): Promise<void>;
}

/**
 * Starts a worker: delivers webhooks and runs sweeps, in the process that serves requests or in others. Any number of workers share the
 * work.
 */
export async function startWorker(services: Services, options: WorkerOptions): Promise<Worker> {
  const { log } = services;
  const connections = new EndpointConnections();
  const locks = new EndpointLocks(options.databaseUrl, log);
  let stopping = false;
  let abandoned = false;

  const pump = async (endpointId: string): Promise<PumpResult> => {
    if (!(await locks.tryLock(endpointId))) return 'drained';
    try {
      return await pumpEndpoint(endpointId, {
        services,
        transport: { connections, ...services.webhooks, exchangeTimeoutMs: options.exchangeTimeoutMs },
        metrics: options.metrics,
        mustYield: () => stopping || pumps.mustYield(endpointId) || !locks.holds(endpointId),
        isAbandoned: () => abandoned,
      });
    } finally {
      await locks.unlock(endpointId);
    }
  };
  const pumps = new DeliveryPumps(async (endpointId) => {
    try {
      return await pump(endpointId);
    } catch (error) {
      // The connections it needs are already closed.
      if (abandoned) return 'yielded';
      throw error;
    }
  }, log);

  const deliveries = repeat('due deliveries', DELIVERY_SWEEP_MS, async () => pumps.wake(await findDueEndpoints(services)), log);
  const sweeps: Repeated[] = [
    ...SWEEPS.map(({ name, intervalMs, run }) => repeat(name, intervalMs, () => run(services, () => stopping), log)),
    deliveries,
  ];
  // Deliveries that a killed process left do not wait for the first interval.
  void deliveries.now();
  await options.queue.onDeliveries(async (endpointIds) => {
    pumps.wake(await findEndpoints(services, endpointIds));
    await pumps.capacity();
  });

  return {
    sweepNow: async () => {
      for (const sweep of sweeps) await sweep.now();
      await pumps.idle();
    },
    stop: async (limitMs = STOP_LIMIT_MS) => {
      stopping = true;
      pumps.stop();
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      await options.queue.offDeliveries();
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
