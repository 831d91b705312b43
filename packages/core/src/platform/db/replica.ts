import { type Kysely, sql } from 'kysely';
import type { LogPosition } from './replica.tables.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** How long a replica is not used after a failure. */
const PAUSE_MS = 5_000;

/** The parts of a database that a replica needs. */
interface ReplicaDatabase {
  readonly kysely: Db;
  giveUpWhenSilent(): void;
  close(): Promise<void>;
}

/**
 * A streaming replica that answers the reads of an account once it has replayed the account's latest change.
 *
 * After each request that changes an account, the position in the write-ahead log is recorded in a table of the primary, for all processes. While
 * the replica has not replayed that position, or while it fails, the primary answers.
 *
 * A read from the replica may miss changes that record no position: visits, changes outside of requests, and the last change of a process that
 * died right after its commit. With `synchronous_commit = off`, a change may come after its recorded position, so a read may miss it, too.
 */
export class Replica {
  readonly #primary: Db;
  readonly #replica: ReplicaDatabase;
  #pausedUntil = 0;

  constructor(primary: Db, replica: ReplicaDatabase) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /**
   * Records the log position after a commit that changed the account. Never throws. If recording fails, this process reads from the primary for
   * five seconds.
   */
  async noteWrite(accountId: string): Promise<void> {
    await sql`
      insert into account_write (account_id, position) values (${accountId}, pg_current_wal_flush_lsn())
      on conflict (account_id) do update set position = greatest(account_write.position, excluded.position)`
      .execute(this.#primary)
      .catch(() => this.pause());
  }

  /** Returns the replica if it has replayed everything that was recorded for the account, otherwise null. */
  async upToDateFor(accountId: string): Promise<Db | null> {
    if (performance.now() < this.#pausedUntil) return null;
    const noted = await this.#primary
      .selectFrom('account_write')
      .select(sql<LogPosition>`position::text`.as('position'))
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (noted === undefined) {
      // The account is new, or the table was emptied by a crash of the primary. Earlier changes are unknown, so the current position is recorded.
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

  /** Directs all reads to the primary for five seconds. */
  pause(): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
  }

  /** For a process that is ending: makes the replica's statements fail once the replica stops answering (see `Database.giveUpWhenSilent`). */
  giveUpWhenSilent(): void {
    this.#replica.giveUpWhenSilent();
  }

  close(): Promise<void> {
    return this.#replica.close();
  }
}
