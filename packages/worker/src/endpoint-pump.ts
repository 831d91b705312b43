import {
  type AttemptOutcome,
  type DueDelivery,
  type DueRequest,
  type DueRound,
  type EndpointLock,
  type KnownHealth,
  type Services,
  signatureHeaders,
  toInstant,
} from '@affiliate/core';
import { type WebhookTransport, postWebhook } from './http-request.ts';
import type { PostBudget, PostSlot } from './post-budget.ts';

const USER_AGENT = 'Affiliate-Webhooks/1.0';

/** Posts a delivery once, signed with the current time, and returns the outcome (docs/rules/webhooks.md#deliveries). */
async function attemptDelivery(
  { clock }: Services,
  transport: WebhookTransport,
  { id, url, signing_secrets, secret_headers }: DueRound['endpoint'],
  delivery: DueDelivery,
): Promise<AttemptOutcome> {
  const startedAt = clock.now();
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const { requestHeaders, durationMs, response, errorCode } = await postWebhook(
    {
      endpointId: id,
      url,
      headers: {
        ...secret_headers,
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders(signing_secrets, { deliveryId: delivery.id, timestamp, body: delivery.body }),
      },
      body: delivery.body,
    },
    transport,
  );
  return {
    delivery,
    started_at: toInstant(startedAt),
    duration_ms: durationMs,
    request_headers: { ...requestHeaders, ...Object.fromEntries(Object.keys(secret_headers).map((name) => [name, '…'])) },
    response_status: response?.status ?? null,
    response_headers: response?.headers ?? null,
    response_excerpt: response?.bodyExcerpt ?? null,
    error_code: errorCode ?? null,
  };
}

/** Maximum number of concurrent posts to one endpoint. */
const IN_FLIGHT = 8;
/** Number of deliveries that are taken at once. While other endpoints wait, a turn ends after this number of attempts. */
const ROUND = 64;
/**
 * Number of deliveries that are taken at once while other endpoints wait: about as many as one turn has time for. Deliveries that are left at the end
 * of the turn are taken again later.
 */
const SHORT_ROUND = 32;
/** Maximum number of deliveries that are taken and not yet recorded. If the worker dies, at most this many posts are repeated. */
const MOST_UNRECORDED = 2 * ROUND;
/** Time after which a turn ends if other endpoints wait, or if the latest attempts have failed. */
const TURN_MS = 2_000;
/** Consecutive failures after which the pump ends until the next sweep. More than one, because a receiver may refuse one event and accept others. */
const MOST_FAILURES = 5 * IN_FLIGHT;

export interface PumpEnvironment {
  services: Services;
  transport: WebhookTransport;
  budget: PostBudget;
  metrics?: WorkerMetrics | undefined;
  /** Takes due deliveries of an endpoint. Returns null if the endpoint does not exist. */
  take: (request: DueRequest) => Promise<DueRound | null>;
  record: (endpoint: KnownHealth, outcome: AttemptOutcome) => Promise<KnownHealth>;
  /** True if the pump must not post any more, because the worker is stopping or has lost the endpoint's lock. */
  mustStop: () => boolean;
  /** True while another endpoint waits for this pump to end. */
  mustYield: () => boolean;
}

/**
 * `drained`: nothing is due now. `failing`: too many attempts failed in a row, so the next sweep tries again. `yielded`: the pump ended early, and
 * more deliveries may be due.
 */
export type PumpResult = 'drained' | 'failing' | 'yielded';

/**
 * Attempts the due deliveries of an endpoint, up to 8 at once while the process has room. Each outcome is recorded when it is known, so a slow post
 * does not delay other posts or their records.
 */
export class EndpointPump {
  readonly #lock: EndpointLock;
  readonly #environment: PumpEnvironment;
  readonly #start = performance.now();
  #endpoint: DueRound['endpoint'] | null = null;
  /** Deliveries that the pump has taken, but not posted yet. The database does not mark them as taken, so the pump may simply drop them. */
  #taken: DueDelivery[] = [];
  /** Ids of deliveries that the pump has taken, and whose outcome is not recorded yet. */
  readonly #unrecorded = new Set<string>();
  #mayHaveMore = true;
  #taking: Promise<void> | null = null;
  #attempts = 0;
  #consecutiveFailures = 0;
  readonly #slots = new Set<PostSlot>();
  #hasEnded = false;
  #changed = Promise.withResolvers<void>();
  #error: { reason: unknown } | null = null;

  /** @param lock held until `run` settles */
  constructor(lock: EndpointLock, environment: PumpEnvironment) {
    this.#lock = lock;
    this.#environment = environment;
  }

  /** Makes the pump look for due deliveries again. Returns false if the pump has finished and will not look. */
  wake(): boolean {
    if (this.#hasEnded) return false;
    this.#mayHaveMore = true;
    this.#fillSlots();
    return true;
  }

  /** Runs the pump until nothing is due or its turn is over. Then waits until every outcome is recorded. */
  async run(): Promise<PumpResult> {
    this.#fillSlots();
    while (this.#slots.size > 0 || this.#unrecorded.size > 0) await this.#changed.promise;
    this.#hasEnded = true;
    if (this.#error) throw this.#error.reason;
    if (this.#isFailing()) return 'failing';
    return this.#mayHaveMore ? 'yielded' : 'drained';
  }

  #fillSlots(): void {
    while (this.#mayOpenSlot() && !this.#isOver() && (this.#taken.length > 0 || this.#mayHaveMore)) {
      const slot = this.#environment.budget.open(() => this.#fillSlots());
      this.#slots.add(slot);
      void this.#attemptNext(slot);
    }
  }

  #mayOpenSlot(): boolean {
    return this.#slots.size < IN_FLIGHT && (this.#busySlots() === 0 || this.#environment.budget.hasRoom);
  }

  #busySlots(): number {
    let busy = 0;
    for (const { isSlow } of this.#slots) if (!isSlow) busy += 1;
    return busy;
  }

  async #attemptNext(slot: PostSlot): Promise<void> {
    const { budget } = this.#environment;
    try {
      for (let delivery = await this.#next(); delivery; delivery = await this.#next()) {
        budget.renew(slot);
        await this.#attempt(delivery);
        if (budget.isExceeded && this.#busySlots() > 1) break;
        this.#fillSlots();
      }
    } catch (reason) {
      this.#error ??= { reason };
    }
    budget.close(slot);
    this.#slots.delete(slot);
    if (this.#slots.size === 0) this.#dropTaken();
    this.#notify();
  }

  async #next(): Promise<DueDelivery | undefined> {
    while (!this.#isOver()) {
      const delivery = this.#taken.shift();
      if (delivery || !this.#mayHaveMore) return delivery;
      if (this.#unrecorded.size >= MOST_UNRECORDED) await this.#changed.promise;
      else await (this.#taking ??= this.#take().finally(() => (this.#taking = null)));
    }
    return undefined;
  }

  async #take(): Promise<void> {
    this.#mayHaveMore = false;
    const { take, mustYield } = this.#environment;
    const limit = mustYield() ? SHORT_ROUND : ROUND;
    const round = await take({ lock: this.#lock, limit, except: [...this.#unrecorded] });
    if (!round) return;
    this.#endpoint = round.endpoint;
    this.#taken = round.deliveries;
    for (const { id } of round.deliveries) this.#unrecorded.add(id);
    if (round.deliveries.length === limit) this.#mayHaveMore = true;
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { services, transport } = this.#environment;
    let outcome: AttemptOutcome;
    try {
      outcome = await attemptDelivery(services, transport, this.#endpoint!, delivery);
    } catch (error) {
      this.#unrecorded.delete(delivery.id);
      throw error;
    }
    this.#attempts += 1;
    this.#consecutiveFailures = outcome.error_code === null ? 0 : this.#consecutiveFailures + 1;
    // Not awaited, so that the slot makes its next post while the outcome is recorded.
    void this.#record(outcome);
  }

  async #record(outcome: AttemptOutcome): Promise<void> {
    try {
      const health = await this.#environment.record(this.#endpoint!, outcome);
      this.#endpoint = { ...this.#endpoint!, ...health };
      this.#report(outcome);
    } catch (reason) {
      this.#error ??= { reason };
    }
    this.#unrecorded.delete(outcome.delivery.id);
    this.#notify();
  }

  #isOver(): boolean {
    const { mustStop, mustYield } = this.#environment;
    if (this.#error || mustStop() || this.#isFailing()) return true;
    return (this.#attempts >= ROUND || this.#isLate()) && mustYield();
  }

  #isFailing(): boolean {
    const failures = this.#consecutiveFailures;
    return failures >= MOST_FAILURES || (failures >= IN_FLIGHT && this.#isLate());
  }

  #isLate(): boolean {
    return performance.now() - this.#start > TURN_MS;
  }

  #dropTaken(): void {
    if (this.#taken.length > 0) this.#mayHaveMore = true;
    for (const { id } of this.#taken) this.#unrecorded.delete(id);
    this.#taken = [];
  }

  #notify(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }

  #report({ delivery, ...outcome }: AttemptOutcome): void {
    const { services, metrics } = this.#environment;
    services.log.info(
      {
        delivery_id: delivery.id,
        endpoint_id: this.#lock.endpointId,
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
}

/** Receives the worker's counts. Implemented by the exporter of metrics. */
export interface WorkerMetrics {
  /** Called after each recorded attempt. `errorCode` is null if the attempt succeeded. */
  attempted(attempt: { eventType: string; errorCode: string | null; durationMs: number }): void;
}
