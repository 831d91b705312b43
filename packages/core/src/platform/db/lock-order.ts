/** The names of locks, declared by the rooms' order of locks (`packages/core/src/lock-order.ts`). */
export interface Locks {}

/** The order in which transactions take locks. */
export class LockOrder {
  readonly #ranks: ReadonlyMap<string, number>;

  /** @param places the locks, first to last. Those in a list of their own need no order among themselves */
  constructor(places: readonly (string | readonly string[])[]) {
    this.#ranks = new Map(places.flatMap((place, rank) => [place].flat().map((name) => [name, rank] as const)));
  }

  /** Returns the place of a lock in the order, or undefined if it has none. */
  rankOf(name: string): number | undefined {
    return this.#ranks.get(name);
  }
}
