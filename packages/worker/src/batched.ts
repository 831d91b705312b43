import { setImmediate, setTimeout } from 'node:timers/promises';

export interface BatchLimits {
  size: number;
  /** How long a batch that is not full waits for more items. Default: until the end of the current turn of the event loop. */
  collectMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  done: PromiseWithResolvers<Result>;
}

/**
 * Combines many calls into few. At most one call runs at a time. Items that are added during a call are handled by the next one, up to the
 * size limit. Without load, an item hardly waits.
 */
export class Batched<Item, Result> {
  readonly #run: (items: Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  #waiting: Waiting<Item, Result>[] = [];
  #isDraining = false;
  #full = Promise.withResolvers<void>();

  /** @param run returns one result per item, in the same order. If it rejects, all items of the batch reject. */
  constructor(run: (items: Item[]) => Promise<readonly Result[]>, limits: BatchLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ item, done });
    if (this.#waiting.length >= this.#limits.size) this.#full.resolve();
    if (!this.#isDraining) void this.#drain();
    return done.promise;
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#waiting.length > 0) {
      await this.#collect();
      const batch = this.#waiting.splice(0, this.#limits.size);
      try {
        const results = await this.#run(batch.map(({ item }) => item));
        for (const [index, { done }] of batch.entries()) done.resolve(results[index]!);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.#isDraining = false;
  }

  async #collect(): Promise<void> {
    const { size, collectMs } = this.#limits;
    if (this.#waiting.length >= size) return;
    if (collectMs === undefined) return setImmediate();
    this.#full = Promise.withResolvers();
    await Promise.race([this.#full.promise, setTimeout(collectMs)]);
  }
}
