import type { DueEndpoint, Logger } from '@affiliate/core';
import type { PumpResult } from './endpoint-pump.ts';

export interface PumpLimits {
  /** Maximum number of running pumps. Each pump delivers to one endpoint. */
  total: number;
  /** Maximum number of running pumps whose endpoint's last attempts failed, so that hanging receivers never occupy all pumps. */
  failing: number;
  /** Maximum number of running pumps of one account's endpoints. */
  perAccount: number;
}

export const PUMP_LIMITS: PumpLimits = { total: 192, failing: 96, perAccount: 48 };

/** A running pump: it attempts the due deliveries of one endpoint. */
export interface RunningPump {
  ended: Promise<PumpResult>;
  /** Makes the pump look for due deliveries again. Returns false if the pump has finished and will not look. */
  wake(): boolean;
}

interface Pump extends DueEndpoint {
  running: RunningPump;
  /** True if the endpoint was woken after the pump had looked for deliveries for the last time. */
  wokenAgain: boolean;
}

/**
 * Runs the pumps of endpoints, at most one per endpoint, within the limits. Waiting endpoints start in the order in which they were
 * woken. An endpoint whose pump yields waits again, behind the others.
 */
export class DeliveryPumps {
  readonly #startPump: (endpointId: string) => RunningPump;
  readonly #log: Logger;
  readonly #limits: PumpLimits;
  readonly #waiting = new Map<string, DueEndpoint>();
  readonly #running = new Map<string, Pump>();
  #stopped = false;
  #changed = Promise.withResolvers<void>();

  constructor(startPump: (endpointId: string) => RunningPump, log: Logger, limits: PumpLimits = PUMP_LIMITS) {
    this.#startPump = startPump;
    this.#log = log;
    this.#limits = limits;
  }

  wake(endpoints: readonly DueEndpoint[]): void {
    const idle = new Set(this.wakeRunning(endpoints.map(({ id }) => id)));
    for (const endpoint of endpoints) if (idle.has(endpoint.id)) this.#waiting.set(endpoint.id, endpoint);
    this.#startWaiting();
  }

  /**
   * Wakes the running pumps of the endpoints. Returns the ids of endpoints without a running pump. Needs only ids, so callers need not
   * read the endpoints first.
   */
  wakeRunning(endpointIds: readonly string[]): string[] {
    return endpointIds.filter((id) => {
      const running = this.#running.get(id);
      if (running) running.wokenAgain ||= !running.running.wake();
      return !running;
    });
  }

  /** True if a waiting endpoint could start when this endpoint's pump ends. */
  mustYield(endpointId: string): boolean {
    const pump = this.#running.get(endpointId);
    const full = this.#running.size >= this.#limits.total;
    return this.#waiting.values().some(({ account_id }) => full || account_id === pump?.account_id);
  }

  /** Resolves when no pump is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await this.#changed.promise;
  }

  /** Prevents further pumps from starting. Running pumps continue. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    this.#notify();
  }

  #startWaiting(): void {
    if (this.#stopped) return;
    for (const endpoint of this.#waiting.values()) {
      if (this.#running.size >= this.#limits.total) return;
      if (!this.#mayStart(endpoint)) continue;
      this.#waiting.delete(endpoint.id);
      this.#start(endpoint);
    }
  }

  #mayStart(endpoint: DueEndpoint): boolean {
    let ofAccount = 0;
    let failing = 0;
    for (const pump of this.#running.values()) {
      if (pump.account_id === endpoint.account_id) ofAccount += 1;
      if (pump.failing) failing += 1;
    }
    return ofAccount < this.#limits.perAccount && (!endpoint.failing || failing < this.#limits.failing);
  }

  #start(endpoint: DueEndpoint): void {
    const pump: Pump = { ...endpoint, running: this.#startPump(endpoint.id), wokenAgain: false };
    this.#running.set(pump.id, pump);
    void this.#awaitEnd(pump);
  }

  async #awaitEnd(pump: Pump): Promise<void> {
    const { id, account_id } = pump;
    let result: PumpResult = 'failing';
    try {
      result = await pump.running.ended;
    } catch (err) {
      this.#log.error({ err, endpoint_id: id }, 'could not deliver to a webhook endpoint; the next sweep tries again');
    }
    this.#running.delete(id);
    if (!this.#stopped && (result === 'yielded' || (result === 'drained' && pump.wokenAgain))) {
      this.#waiting.set(id, { id, account_id, failing: false });
    }
    this.#notify();
    this.#startWaiting();
  }

  #notify(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}
