/** A fault of one request. */
export interface Fault {
  method: string;
  path: RegExp;
  /**
   * `timeout` does not respond, `drip` sends a byte now and then without end, `reset` breaks the connection, `garbage` responds with a page
   * that is not JSON, a number responds with that status.
   */
  kind: 'timeout' | 'drip' | 'reset' | 'garbage' | number;
  /** `applied` when the request takes effect before the fault. */
  effect: 'none' | 'applied';
  /** True when the idempotency key stores and replays the bad response, as it does once a request has begun to execute. */
  remembered?: boolean;
  /** Number of requests that it affects; all when absent. */
  times?: number;
}

/** A planted fault, to wait for and to remove. */
export interface PlantedFault {
  /** Resolves when the fault affects the first request. */
  met: Promise<void>;
  lift(): void;
}

export class Faults {
  readonly #planted = new Set<{ fault: Fault; left: number; meet: () => void }>();

  plant(fault: Fault): PlantedFault {
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry = { fault, left: fault.times ?? Infinity, meet: resolve };
    this.#planted.add(entry);
    return { met: promise, lift: () => void this.#planted.delete(entry) };
  }

  liftAll(): void {
    this.#planted.clear();
  }

  /** Returns the fault for this request, if any, and counts it. */
  take(method: string, path: string): { fault: Fault; meet: () => void } | undefined {
    for (const entry of this.#planted) {
      if (entry.fault.method !== method || !entry.fault.path.test(path)) continue;
      entry.left -= 1;
      if (entry.left <= 0) this.#planted.delete(entry);
      return entry;
    }
    return undefined;
  }
}
