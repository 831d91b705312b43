import { setTimeout as delay } from 'node:timers/promises';
import type { HookReceiver } from '../../support/hook-receiver.ts';

/** The webhooks that have arrived at a receiver, over all faults: an endpoint repeats deliveries of earlier faults, too. */
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
   * @param expected number of deliveries, those of earlier calls included
   * @param limitMs longest wait
   * @returns deliveries that have not arrived until then, and arrivals of known deliveries since the last call
   * @throws when a repetition differs from the first arrival
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

  /** Number of arrivals not seen before that repeat a known delivery. */
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
