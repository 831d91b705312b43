import { type Kysely, sql } from 'kysely';
import type { LogPosition } from './replica.tables.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** Time for which a replica that failed is left alone. */
const PAUSE_MS = 5_000;

/** The parts of a database that a replica needs. */
interface ReplicaDatabase {
  readonly kysely: Db;
  giveUpWhenSilent(): void;
  close(): Promise<void>;
}

/**
 * A streaming replica that answers reads. It lags behind, but not behind the changes of requests: each change of an account notes its position in
 * the write-ahead log, and the replica answers reads of the account only when it has replayed that much. Otherwise, and when it fails, the
 * primary answers. The positions are in a table of the primary, so this holds over all processes.
 *
 * Changes outside requests note nothing, nor do visits, and a process that dies between a commit and its note leaves none: after these a read
 * may be behind. With `synchronous_commit = off`, a commit may lie after the position that is noted for it.
 */
export class Replica {
  readonly #primary: Db;
  readonly #replica: ReplicaDatabase;
  #pausedUntil = 0;

  constructor(primary: Db, replica: ReplicaDatabase) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /** Notes a change of the account that has just been committed. Never throws: if it fails, this process reads from the primary for a while. */
  async noteWrite(accountId: string): Promise<void> {
    await sql`
      insert into account_write (account_id, position) values (${accountId}, pg_current_wal_flush_lsn())
      on conflict (account_id) do update set position = greatest(account_write.position, excluded.position)`
      .execute(this.#primary)
      .catch(() => this.pause());
  }

  /** The replica, if it has everything that the account has written. */
  async upToDateFor(accountId: string): Promise<Db | null> {
    if (performance.now() < this.#pausedUntil) return null;
    const noted = await this.#primary
      .selectFrom('account_write')
      .select(sql<LogPosition>`position::text`.as('position'))
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (noted === undefined) {
      // A new account, or the primary has crashed: nothing is known about earlier changes.
      await this.noteWrite(accountId);
      return null;
    }
    try {
      const { rows } = await sql<{ has_it: boolean }>`
        select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${noted.position}::pg_lsn as has_it`.execute(
        this.#replica.kysely,
      );
      return rows[0]?.has_it === true ? this.#replica.kysely : null;
    } catch {
      this.pause();
      return null;
    }
  }

  /** Leaves reads to the primary for a few seconds. */
  pause(): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
  }

  /** For a process that ends: fails its statements when it is silent, like `Database.giveUpWhenSilent`. */
  giveUpWhenSilent(): void {
    this.#replica.giveUpWhenSilent();
  }

  close(): Promise<void> {
    return this.#replica.close();
  }
}
