import { hash } from 'node:crypto';

/** Where a party stands after a request. */
export interface Count {
  name: string;
  remaining: number;
  /** Seconds until the window ends. */
  seconds: number;
  isExceeded: boolean;
  /** Value of the header `RateLimit-Policy`. */
  policy: string;
}

interface Window {
  count: number;
  endsAt: number;
  policy: string;
}

/**
 * Counts the requests of each party in windows of its own, which begin with a request. Forgets a party after one to two windows without a
 * request, so memory follows the number of those that call.
 */
export class RateWindows {
  readonly #name: string;
  readonly #limit: number;
  readonly #seconds: number;
  #current = new Map<string, Window>();
  #previous = new Map<string, Window>();
  #turnsAt = 0;

  /** @param name of the policy, as the headers show it */
  constructor(name: string, limit: number, seconds: number) {
    this.#name = name;
    this.#limit = limit;
    this.#seconds = seconds;
  }

  count(party: string): Count {
    const now = Date.now();
    const window = this.#windowOf(party, now);
    window.count += 1;
    return {
      name: this.#name,
      remaining: Math.max(0, this.#limit - window.count),
      seconds: Math.ceil((window.endsAt - now) / 1000),
      isExceeded: window.count > this.#limit,
      policy: window.policy,
    };
  }

  #windowOf(party: string, now: number): Window {
    if (now >= this.#turnsAt) {
      this.#previous = this.#current;
      this.#current = new Map();
      this.#turnsAt = now + this.#seconds * 1000;
    }
    let window = this.#current.get(party);
    if (!window) {
      window = this.#previous.get(party) ?? { count: 0, endsAt: 0, policy: this.#policyOf(party) };
      this.#current.set(party, window);
    }
    if (window.endsAt <= now) {
      window.count = 0;
      window.endsAt = now + this.#seconds * 1000;
    }
    return window;
  }

  /** The partition key tells windows apart without revealing the party. */
  #policyOf(party: string): string {
    const partition = Buffer.from(hash('sha256', party).slice(0, 12)).toString('base64');
    return `"${this.#name}"; q=${this.#limit}; w=${this.#seconds}; pk=:${partition}:`;
  }
}
