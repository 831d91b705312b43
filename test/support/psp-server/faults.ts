/** A fault that affects the requests with this method and path. */
export interface Fault {
  method: string;
  path: RegExp;
  /**
   * `timeout` does not respond, `drip` sends single bytes without end, `reset` breaks the connection, `garbage` responds with a page that is not
   * JSON, and a number responds with that status.
   */
  kind: 'timeout' | 'drip' | 'reset' | 'garbage' | number;
  /** `applied` if the request takes effect before the fault. */
  effect: 'none' | 'applied';
  /** True if the idempotency key stores the bad response and replays it, as Stripe does once a request has begun to execute. */
  remembered?: boolean;
  /** Number of requests that are affected. Default: all. */
  times?: number;
}

/** A planted fault. A test can wait until the fault affects a request, and can remove the fault. */
export interface PlantedFault {
  /** Resolves when the fault affects its first request. */
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

  /** Returns the fault for this request, if any, and counts the request. */
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
