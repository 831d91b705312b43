import assert from 'node:assert/strict';
import { Client } from 'pg';
import { vi } from 'vitest';

/** SQL: the key of the advisory lock that is named by the first parameter. */
const KEY = 'hashtextextended($1, 0)';

/** Connections that hold locks of an account for a while, so that requests meet in one order, and one that sees who waits. */
export class Locks implements AsyncDisposable {
  readonly #databaseUrl: string;
  readonly #accountId: string;
  readonly #clients: Client[] = [];
  /** In no transaction, which would see the same all the time. */
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

  /** Takes the next place for the lock of an affiliate. `held` resolves once the lock is held. */
  affiliate(id: string) {
    return this.#queue('select from affiliate where id = $1 for no key update', id);
  }

  /** Reports whether no transaction has locked the row. */
  async isFree(table: 'affiliate' | 'commission', id: string): Promise<boolean> {
    const { rowCount } = await this.#observer.query(`select from ${table} where id = $1 for no key update skip locked`, [id]);
    return rowCount === 1;
  }

  /** Takes the next place for the lock of a customer. */
  customer(id: string) {
    return this.#queue(`select pg_advisory_xact_lock(${KEY})`, this.#nameOf(id));
  }

  async #queue(statement: string, value: string) {
    const client = new Client({ connectionString: this.#databaseUrl });
    this.#clients.push(client);
    await client.connect();
    await client.query('begin');
    return { held: client.query(statement, [value]), release: () => client.query('commit') };
  }

  /** Waits until so many transactions wait for a lock, none of them for the lock of the customer `except`. */
  async areWaiting(transactions: number, except = ''): Promise<void> {
    const counted = `select
        (select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as transactions,
        (select count(*)::int from pg_locks
          where locktype = 'advisory' and not granted and (classid::bigint << 32 | objid::bigint) = ${KEY}) as excepted`;
    await vi.waitFor(
      async () => {
        const { rows } = await this.#observer.query(counted, [this.#nameOf(except)]);
        assert.deepEqual(rows, [{ transactions, excepted: 0 }]);
      },
      { interval: 10 },
    );
  }

  #nameOf(customerId: string): string {
    return `${this.#accountId} customer ${customerId}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#observer, ...this.#clients].map((client) => client.end()));
  }
}
