import type { DueEndpoint, Logger } from '@affiliate/core';
import type { PumpResult } from './endpoint-pump.ts';

export interface PumpLimits {
  /** Endpoints attempted at the same time. */
  total: number;
  /** Slots that endpoints may have whose last attempts failed, so that receivers that hang never occupy every slot. */
  failing: number;
  /** Slots that the endpoints of one account may have. */
  perAccount: number;
}

export const PUMP_LIMITS: PumpLimits = { total: 192, failing: 96, perAccount: 48 };

/** The attempts to one endpoint, while they run. */
export interface RunningPump {
  ended: Promise<PumpResult>;
  /** Tells that deliveries may have fallen due. Returns false when the pump will take no more. */
  wake(): boolean;
}

interface Pump extends DueEndpoint {
  running: RunningPump;
  /** Woken after it had taken its last deliveries. */
  wokenAgain: boolean;
}

/**
 * Schedules the pumps of endpoints, at most one per endpoint. Waiting endpoints start in the order in which they were woken, within the
 * limits. One that yields goes to the end of the line.
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

  /** Wakes those of the endpoints that are being attempted, about which nothing need be known. Returns the others. */
  wakeRunning(endpointIds: readonly string[]): string[] {
    return endpointIds.filter((id) => {
      const running = this.#running.get(id);
      if (running) running.wokenAgain ||= !running.running.wake();
      return !running;
    });
  }

  /** True while another endpoint waits for this one's slot. */
  mustYield(endpointId: string): boolean {
    const pump = this.#running.get(endpointId);
    const full = this.#running.size >= this.#limits.total;
    return this.#waiting.values().some(({ account_id }) => full || account_id === pump?.account_id);
  }

  /** Settles when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await this.#changed.promise;
  }

  /** Starts no more pumps. */
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
      this.#log.error({ err, endpoint_id: id }, 'webhook pump failed; the next sweep tries again');
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
