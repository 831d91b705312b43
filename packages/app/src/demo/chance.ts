/** A source of choices that can be repeated: the same seed makes the same choices. */
export class Chance {
  #state: number;

  /** `seed` is an integer from 1 to 2,147,483,646. */
  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number in [0, 1) (Lehmer). */
  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state / 2_147_483_647;
  }

  /** Returns one of the items. There must be at least one. */
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }
}
