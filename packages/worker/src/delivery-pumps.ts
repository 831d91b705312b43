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

const PUMP_LIMITS: PumpLimits = { total: 192, failing: 96, perAccount: 48 };

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
  /**
   * Further waiting endpoints of accounts that run as many pumps as they may, by account and health. They are not searched, so that an account with
   * thousands of endpoints does not slow down every start of a pump. While their account may run another pump, the first of them is in `#waiting`.
   */
  readonly #parked = new Map<string, Map<string, DueEndpoint>>();
  readonly #running = new Map<string, Pump>();
  /** Number of running pumps by account, and of those that are failing. */
  readonly #ofAccount = new Map<string, number>();
  #failing = 0;
  #stopped = false;
  #changed = Promise.withResolvers<void>();

  constructor(startPump: (endpointId: string) => RunningPump, log: Logger, limits: PumpLimits = PUMP_LIMITS) {
    this.#startPump = startPump;
    this.#log = log;
    this.#limits = limits;
  }

  wake(endpoints: readonly DueEndpoint[]): void {
    const idle = new Set(this.wakeRunning(endpoints.map(({ id }) => id)));
    for (const endpoint of endpoints) if (idle.has(endpoint.id)) this.#wait(endpoint);
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
    if (this.#running.size >= this.#limits.total) return this.#waiting.size > 0 || this.#parked.size > 0;
    if (pump === undefined) return false;
    const isParked = keysOf(pump.account_id).some((key) => this.#parked.has(key));
    return isParked || this.#waiting.values().some(({ account_id }) => account_id === pump.account_id);
  }

  /** Resolves when no pump is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await this.#changed.promise;
  }

  /** Prevents further pumps from starting. Running pumps continue. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    this.#parked.clear();
    this.#notify();
  }

  /** Makes an endpoint wait behind the others. An endpoint that waits already keeps its place. */
  #wait(endpoint: DueEndpoint): void {
    const { id, account_id, failing } = endpoint;
    if (keysOf(account_id).some((key) => this.#parked.get(key)?.has(id))) return;
    if (this.#parked.has(keyOf(account_id, failing)) && !this.#waiting.has(id)) this.#park(endpoint);
    else this.#waiting.set(id, endpoint);
  }

  #startWaiting(): void {
    if (this.#stopped) return;
    // Endpoints that are added to the end meanwhile are visited too.
    for (const endpoint of this.#waiting.values()) {
      if (this.#running.size >= this.#limits.total) return;
      if (this.#isAccountFull(endpoint.account_id)) this.#park(endpoint);
      else if (!endpoint.failing || this.#failing < this.#limits.failing) {
        this.#waiting.delete(endpoint.id);
        this.#start(endpoint);
        this.#unpark(endpoint.account_id);
      }
    }
  }

  #park(endpoint: DueEndpoint): void {
    this.#waiting.delete(endpoint.id);
    const key = keyOf(endpoint.account_id, endpoint.failing);
    const parked = this.#parked.get(key) ?? new Map<string, DueEndpoint>();
    this.#parked.set(key, parked);
    parked.set(endpoint.id, endpoint);
  }

  /** If the account may run another pump, makes its first parked endpoints wait with those of other accounts: a working and a failing one. */
  #unpark(accountId: string): void {
    if (this.#isAccountFull(accountId)) return;
    for (const key of keysOf(accountId)) {
      const parked = this.#parked.get(key);
      const first = parked?.values().next().value;
      if (parked === undefined || first === undefined) continue;
      parked.delete(first.id);
      if (parked.size === 0) this.#parked.delete(key);
      this.#waiting.set(first.id, first);
    }
  }

  #isAccountFull(accountId: string): boolean {
    return (this.#ofAccount.get(accountId) ?? 0) >= this.#limits.perAccount;
  }

  #start(endpoint: DueEndpoint): void {
    const pump: Pump = { ...endpoint, running: this.#startPump(endpoint.id), wokenAgain: false };
    this.#running.set(pump.id, pump);
    this.#count(pump, 1);
    void this.#awaitEnd(pump);
  }

  #count({ account_id, failing }: Pump, difference: 1 | -1): void {
    const number = (this.#ofAccount.get(account_id) ?? 0) + difference;
    if (number === 0) this.#ofAccount.delete(account_id);
    else this.#ofAccount.set(account_id, number);
    if (failing) this.#failing += difference;
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
    this.#count(pump, -1);
    // Those that are parked have waited longer than this endpoint.
    this.#unpark(account_id);
    if (!this.#stopped && (result === 'yielded' || (result === 'drained' && pump.wokenAgain))) {
      this.#wait({ id, account_id, failing: false });
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

function keyOf(accountId: string, failing: boolean): string {
  return failing ? `${accountId} failing` : accountId;
}

function keysOf(accountId: string): string[] {
  return [keyOf(accountId, false), keyOf(accountId, true)];
}
