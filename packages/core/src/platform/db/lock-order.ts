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

/** The locks that a transaction has taken. */
export class LockLedger {
  readonly #order: LockOrder;
  readonly #onWrongOrder: (message: string) => void;
  readonly #taken = new Set<string>();
  readonly #held = new Set<string>();
  #highest: { name: string; rank: number } | null = null;

  /**
   * @param onWrongOrder called if a lock is taken after one that comes later in the order, or a record is changed without a lock. The transaction goes on
   *   nevertheless: at worst, PostgreSQL ends a deadlock
   */
  constructor(order: LockOrder, onWrongOrder: (message: string) => void) {
    this.#order = order;
    this.#onWrongOrder = onWrongOrder;
  }

  /**
   * Works on one of several subjects of a transaction that cannot know their locks in advance. The order of locks begins anew before and after it. At
   * worst this causes a deadlock, and the transaction is repeated.
   *
   * @param _name what the work is about, for readers of the caller
   */
  async subject<T>(_name: string, work: () => Promise<T>): Promise<T> {
    this.#startAnew();
    try {
      return await work();
    } finally {
      this.#startAnew();
    }
  }

  #startAnew(): void {
    this.#taken.clear();
    this.#highest = null;
  }

  /** Notes what a lock is about that the transaction has, or that it has created a row, which nobody else can change. */
  hold(name: string, about: Iterable<string>): void {
    for (const each of about) this.#held.add(`${name} ${each}`);
  }

  /** Checks that the transaction has an advisory lock. */
  assertHeld(name: string, about = ''): void {
    if (!this.#held.has(`${name} ${about}`)) this.#onWrongOrder(`The lock "${name}" is missing.`);
  }

  /** Checks that the transaction has a lock that protects a record, if locks are declared for its table. */
  assertProtected(table: string, row: object): void {
    const locks = this.#order.locksFor(table, row);
    if (locks === null || locks.some(([name, about]) => this.#held.has(`${name} ${about}`))) return;
    this.#onWrongOrder(
      `A record of the table "${table}" is changed without a lock: ${locks.map((lock) => lock.join(' ')).join(', ')}.`,
    );
  }

  /** Notes that the transaction is about to take a lock. */
  note(name: string): void {
    if (this.#taken.has(name)) return;
    const rank = this.#order.rankOf(name);
    if (rank === undefined) this.#onWrongOrder(`The lock "${name}" has no place in the order of locks.`);
    else if (this.#highest && rank < this.#highest.rank)
      this.#onWrongOrder(`The lock "${name}" is taken after the lock "${this.#highest.name}".`);
    else this.#highest = { name, rank };
    this.#taken.add(name);
  }
}
