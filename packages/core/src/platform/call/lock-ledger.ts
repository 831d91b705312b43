import type { LockOrder } from '../db/lock-order.ts';

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
