import assert from 'node:assert/strict';
import { Client } from 'pg';
import { vi } from 'vitest';

/** SQL: the key of the advisory lock whose name is the first parameter. */
const KEY = 'hashtextextended($1, 0)';

/**
 * Counts the transactions in the client's database that wait for a lock.
 * `client` should not be in a transaction, because PostgreSQL does not refresh the list of sessions within a transaction.
 */
async function countWaiting(client: Pick<Client, 'query'>): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]!.count;
}

/** Waits until exactly `transactions` transactions in the client's database wait for a lock. */
export function areWaiting(client: Pick<Client, 'query'>, transactions: number): Promise<void> {
  return vi.waitFor(async () => assert.equal(await countWaiting(client), transactions), { interval: 10, timeout: 10_000 });
}

/**
 * Transactions of a test that hold locks in an account, so that concurrent requests wait and proceed in a known order.
 * Disposing rolls back the transactions that are still open.
 */
export class Locks implements AsyncDisposable {
  readonly #databaseUrl: string;
  readonly #accountId: string;
  readonly #clients: Client[] = [];
  readonly #observer: Client;

  private constructor(databaseUrl: string, accountId: string, observer: Client) {
    this.#databaseUrl = databaseUrl;
    this.#accountId = accountId;
    this.#observer = observer;
  }

  static async open(databaseUrl: string, accountId: string): Promise<Locks> {
    const observer = new Client({ connectionString: databaseUrl });
    await observer.connect();
    return new Locks(databaseUrl, accountId, observer);
  }

  /**
   * Begins a transaction that locks the row of an affiliate, after the transactions that already wait for the row. `held` resolves when it has the
   * lock, and `release` commits it.
   */
  affiliate(id: string) {
    return this.#queue('select from affiliate where id = $1 for no key update', id);
  }

  /** Like `affiliate`, for the advisory lock of a customer. */
  customer(id: string) {
    return this.#queue(`select pg_advisory_xact_lock(${KEY})`, this.#nameOf(id));
  }

  /** Like `affiliate`, for the row of the account. `query` executes further statements in the same transaction. */
  account(strength: 'update' | 'no key update') {
    return this.#queue(`select from account where id = $1 for ${strength}`, this.#accountId);
  }

  async #queue(statement: string, value: string) {
    const client = new Client({ connectionString: this.#databaseUrl });
    this.#clients.push(client);
    await client.connect();
    await client.query('begin');
    return {
      held: client.query(statement, [value]),
      query: (text: string, values: unknown[] = []) => client.query(text, values),
      release: () => client.query('commit'),
    };
  }

  /** True if no transaction has locked the row. */
  async isFree(table: 'affiliate' | 'commission', id: string): Promise<boolean> {
    const { rowCount } = await this.#observer.query(`select from ${table} where id = $1 for no key update skip locked`, [id]);
    return rowCount === 1;
  }

  /** Waits until exactly `transactions` transactions wait for a lock. */
  areWaiting(transactions: number): Promise<void> {
    return areWaiting(this.#observer, transactions);
  }

  /** Counts the transactions that wait for a lock. */
  countWaiting(): Promise<number> {
    return countWaiting(this.#observer);
  }

  /** Waits until exactly `transactions` transactions wait for a lock, and none of them for the lock of customer `id`. */
  areWaitingElsewhere(transactions: number, id: string): Promise<void> {
    const waitingFor = `select from pg_locks
      where locktype = 'advisory' and not granted and (classid::bigint << 32 | objid::bigint) = ${KEY}`;
    return vi.waitFor(
      async () => {
        const { rowCount } = await this.#observer.query(waitingFor, [this.#nameOf(id)]);
        assert.deepEqual([await countWaiting(this.#observer), rowCount], [transactions, 0]);
      },
      { interval: 10, timeout: 10_000 },
    );
  }

  #nameOf(customerId: string): string {
    return `${this.#accountId} customer ${customerId}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#observer, ...this.#clients].map((client) => client.end()));
  }
}
