import type { LockOrder } from '../db/lock-order.ts';

/** The locks that a transaction has taken. */
export class LockLedger {
  readonly #order: LockOrder;
  readonly #onWrongOrder: (message: string) => void;
  readonly #taken = new Set<string>();
  #highest: { name: string; rank: number } | null = null;

  /** @param onWrongOrder called if a lock is taken after one that comes later in the order. The lock is taken nevertheless: at worst, PostgreSQL ends a deadlock. */
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
