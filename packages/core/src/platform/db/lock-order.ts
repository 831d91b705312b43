/** The names of locks, declared by the rooms' order of locks (`packages/core/src/lock-order.ts`). */
export interface Locks {}

/** A lock by its name and by what it is about: the id of the row, or the subject of an advisory lock. */
export type LockOf = readonly [name: string, about: string | null];

/** The locks of which any one protects a record from changes by other transactions, by the table of the record. */
export type WriteLocks = Readonly<Record<string, (row: never) => readonly LockOf[]>>;

/** The order in which transactions take locks, and the locks under which they change records. */
export class LockOrder {
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #writeLocks: WriteLocks;

  /** @param places the locks, first to last. Those in a list of their own need no order among themselves */
  constructor(places: readonly (string | readonly string[])[], writeLocks: WriteLocks = {}) {
    this.#writeLocks = writeLocks;
    this.#ranks = new Map(places.flatMap((place, rank) => [place].flat().map((name) => [name, rank] as const)));
  }

  /** Returns the locks of which any one protects a record. Null if nothing is declared for its table. */
  locksFor(table: string, row: object): readonly LockOf[] | null {
    return this.#writeLocks[table]?.(row as never) ?? null;
  }

  /** Returns the place of a lock in the order, or undefined if it has none. */
  rankOf(name: string): number | undefined {
    return this.#ranks.get(name);
  }
}
