/** What goes wrong with one request. */
export interface Fault {
  method: string;
  path: RegExp;
  /**
   * `timeout` keeps the caller waiting, `drip` sends a byte now and then for ever, `reset` breaks the connection, `garbage` answers
   * with a page that is not JSON, a number with that status.
   */
  kind: 'timeout' | 'drip' | 'reset' | 'garbage' | number;
  /** Whether the request did its work before things went wrong. */
  effect: 'none' | 'applied';
  /** Whether the idempotency key remembers the bad answer and replays it, as it does once a request has begun to execute. */
  remembered?: boolean;
  /** How many requests it hits; without end when absent. */
  times?: number;
}

/** A planted fault, to wait for and to take away. */
export interface PlantedFault {
  /** Resolves when the first request has met the fault. */
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

  /** The fault that hits this request, if any; it counts as one of its times. */
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
