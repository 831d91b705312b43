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
   * Starts the order anew, for a transaction that works on several subjects one after the other and cannot know their locks in advance. At worst
   * this causes a deadlock, and the transaction is repeated.
   */
  startRound(): void {
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
