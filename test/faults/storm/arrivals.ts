import { setTimeout as delay } from 'node:timers/promises';
import type { HookReceiver } from '../../support/hook-receiver.ts';

/**
 * The webhooks that have arrived at a receiver during all faults so far. Kept across faults, because a delivery of an earlier fault may be repeated.
 */
export class Arrivals {
  readonly #receiver: HookReceiver;
  /** Raw body by delivery. */
  readonly #bodies = new Map<string, string>();
  #seen = 0;

  constructor(receiver: HookReceiver) {
    this.#receiver = receiver;
  }

  /**
   * Waits until `expected` different deliveries have arrived since the beginning.
   *
   * @param expected number of deliveries, including those of earlier calls
   * @param limitMs longest wait
   * @returns the number of deliveries still missing, and of repeated arrivals since the last call
   * @throws if a repeated delivery differs from its first arrival
   */
  async until(expected: number, limitMs: number): Promise<{ undelivered: number; repeated: number }> {
    const late = delay(limitMs, null, { ref: false });
    let repeated = 0;
    while (this.#bodies.size < expected) {
      const arrived = await Promise.race([this.#receiver.first(this.#seen + 1), late]);
      if (arrived === null) break;
      repeated += this.#take(this.#receiver.received);
    }
    return { undelivered: expected - this.#bodies.size, repeated: repeated + this.#take(this.#receiver.received) };
  }

  /** Reads the new arrivals. Returns how many of them repeat a delivery that had arrived before. */
  #take(received: readonly { hookId: string; raw: string }[]): number {
    let repeated = 0;
    for (const { hookId, raw } of received.slice(this.#seen)) {
      const first = this.#bodies.get(hookId);
      if (first !== undefined && first !== raw) throw new Error(`${hookId} arrived with two bodies`);
      if (first === undefined) this.#bodies.set(hookId, raw);
      else repeated += 1;
    }
    this.#seen = received.length;
    return repeated;
  }
}
