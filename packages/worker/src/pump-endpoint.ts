import { type AttemptOutcome, type DueRound, type Services, recordAttempts, takeDueRound } from '@affiliate/core';
import { attemptDelivery } from './attempt-delivery.ts';
import type { WebhookTransport } from './http-request.ts';
import type { WorkerMetrics } from './metrics.ts';

/** Concurrent posts to one endpoint. */
const IN_FLIGHT = 8;
/** A successful round is followed by one twice as large, up to this. Posts that are not recorded when a worker dies are made again. */
const LARGEST_ROUND = 64;
/** A round starts no more posts after this time, so that it is recorded soon after a receiver becomes slow. */
const ROUND_MS = 2_000;
/** Consecutive failed rounds before the pump ends until the next sweep: a receiver may refuse one event and accept others. */
const FAILED_ROUNDS = 5;

export interface PumpEnvironment {
  services: Services;
  transport: WebhookTransport;
  metrics?: WorkerMetrics | undefined;
  /** Whether to stop after this round: the worker stops, another endpoint waits for the slot, or the endpoint's lock is lost. */
  mustYield: () => boolean;
  /** Whether the worker stopped without waiting for running posts: nothing may be recorded any more. */
  isAbandoned: () => boolean;
}

/** `drained`: nothing is due now. `failing`: nothing succeeds; the next sweep tries again. `yielded`: there is more. */
export type PumpResult = 'drained' | 'failing' | 'yielded';

/** Attempts the due deliveries of an endpoint, round by round. The caller holds the endpoint's lock. */
export async function pumpEndpoint(endpointId: string, environment: PumpEnvironment): Promise<PumpResult> {
  const { services, mustYield, isAbandoned } = environment;
  const start = performance.now();
  let size = IN_FLIGHT;
  let failedRounds = 0;
  for (;;) {
    const round = await takeDueRound(services, endpointId, size);
    if (!round || round.deliveries.length === 0) return 'drained';
    const outcomes = await attemptAll(round, environment);
    if (isAbandoned()) return 'yielded';
    await recordAttempts(services, round.endpoint, outcomes);
    for (const outcome of outcomes) report(endpointId, outcome, environment);
    if (outcomes.every(({ error_code }) => error_code !== null)) {
      failedRounds += 1;
      size = IN_FLIGHT;
      if (failedRounds === FAILED_ROUNDS || performance.now() - start > ROUND_MS) return 'failing';
    } else {
      failedRounds = 0;
      size = Math.min(size * 2, LARGEST_ROUND);
    }
    if (mustYield()) return 'yielded';
  }
}

async function attemptAll(
  { endpoint, deliveries }: DueRound,
  { services, transport }: PumpEnvironment,
): Promise<AttemptOutcome[]> {
  const outcomes: AttemptOutcome[] = [];
  const waiting = deliveries.values();
  const lastStart = performance.now() + ROUND_MS;
  const slot = async () => {
    for (const delivery of waiting) {
      outcomes.push(await attemptDelivery(services, transport, endpoint, delivery));
      if (performance.now() > lastStart) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, deliveries.length) }, slot));
  return outcomes;
}

function report(endpointId: string, { delivery, ...outcome }: AttemptOutcome, { services, metrics }: PumpEnvironment): void {
  services.log.info(
    {
      delivery_id: delivery.id,
      endpoint_id: endpointId,
      event_type: delivery.event_type,
      trigger: delivery.trigger,
      attempt: delivery.attempts + 1,
      response_status: outcome.response_status,
      error_code: outcome.error_code,
      duration_ms: outcome.duration_ms,
    },
    outcome.error_code === null ? 'webhook delivered' : 'webhook attempt failed',
  );
  metrics?.attempted({ eventType: delivery.event_type, errorCode: outcome.error_code, durationMs: outcome.duration_ms });
}
