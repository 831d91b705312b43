/** Rows that change under the lock of their affiliate. Their own locks therefore need no order among themselves. */
const ROWS_OF_AN_AFFILIATE = ['referral', 'sale', 'payout', 'commission'] as const;

/**
 * The order in which a transaction takes locks, so that transactions never wait for each other in a circle. A lock is an advisory lock of the
 * account or the locks on rows of a table, named after the table. A transaction may take a lock again, and may skip locks, but may not go back
 * (`LockLedger`).
 *
 * Advisory locks are for decisions that depend on rows which do not exist yet and therefore cannot be locked. PostgreSQL has one space of 64-bit
 * keys per database. The key of a lock in `locks.ts` is the hash of the account id, the lock's name and what it is about. If two keys are equal,
 * the transactions that have them only wait for each other. Migrations (`platform/db/migrate.ts`) and the worker's endpoints use the same space, with locks that
 * belong to a session instead of a transaction.
 *
 * Release: at the end of the transaction, by commit, by rollback, or because the process or its connection died.
 */
const LOCK_ORDER = [
  'idempotency key',
  'psp operation key',
  'psp operation subject',
  'psp events',
  'psp_operation',
  'account',
  'payout run',
  'payout_run',
  'payout_export',
  'charge',
  'customer of sale',
  'leads of network',
  'customer identity',
  'customer',
  'claims on referral',
  'affiliate',
  'invitation',
  'campaign',
  'reward_rule',
  'tier',
  ...ROWS_OF_AN_AFFILIATE,
  'affiliate_coupon',
  'promo_code',
  'psp_connection',
  'api_key',
  'connector',
  'webhook endpoints',
  'webhook_endpoint',
  'webhook_delivery',
  'campaign slug',
  'link token',
  'link',
] as const;

export type LockName = (typeof LOCK_ORDER)[number];

const RANKS = new Map<string, number>(
  LOCK_ORDER.map((name, rank) => [name, isOfAffiliate(name) ? LOCK_ORDER.indexOf(ROWS_OF_AN_AFFILIATE[0]) : rank]),
);

function isOfAffiliate(name: LockName): boolean {
  return (ROWS_OF_AN_AFFILIATE as readonly LockName[]).includes(name);
}

/** The locks that a transaction has taken. */
export class LockLedger {
  readonly #onWrongOrder: (message: string) => void;
  readonly #taken = new Set<string>();
  #highest: { name: string; rank: number } | null = null;

  /** @param onWrongOrder called if a lock is taken after one that comes later in the order. The lock is taken nevertheless: at worst, PostgreSQL ends a deadlock. */
  constructor(onWrongOrder: (message: string) => void) {
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
    const rank = RANKS.get(name);
    if (rank === undefined) this.#onWrongOrder(`The lock "${name}" has no place in the order of locks.`);
    else if (this.#highest && rank < this.#highest.rank)
      this.#onWrongOrder(`The lock "${name}" is taken after the lock "${this.#highest.name}".`);
    else this.#highest = { name, rank };
    this.#taken.add(name);
  }
}
