import { type Kysely, type RawBuilder, sql } from 'kysely';

/** How long a replica is not used after a failure. */
const PAUSE_MS = 5_000;

/** The parts of a database that a replica needs. */
interface ReplicaDatabase<Tables> {
  readonly kysely: Kysely<Tables>;
  giveUpWhenSilent(): void;
  close(): Promise<void>;
}

/** The table of the primary with the log position of each tenant's latest change. `position` is its other column, of type `pg_lsn`. */
export interface PositionTable {
  table: string;
  /** The column with the tenant, its primary key. */
  tenant: string;
}

/**
 * A streaming replica that answers the reads of a tenant once it has replayed the tenant's latest change.
 *
 * After each request that changes a tenant's rows, the position in the write-ahead log is recorded in a table of the primary, for all processes.
 * While the replica has not replayed that position, or while it fails, the primary answers.
 *
 * A read from the replica may miss changes that record no position: visits, changes outside of requests, and the last change of a process that
 * died right after its commit. With `synchronous_commit = off`, a change may come after its recorded position, so a read may miss it, too.
 */
export class Replica<Tables> {
  readonly #primary: Kysely<Tables>;
  readonly #replica: ReplicaDatabase<Tables>;
  readonly #table: RawBuilder<unknown>;
  readonly #tenant: RawBuilder<unknown>;
  #pausedUntil = 0;

  constructor(primary: Kysely<Tables>, replica: ReplicaDatabase<Tables>, { table, tenant }: PositionTable) {
    this.#primary = primary;
    this.#replica = replica;
    this.#table = sql.table(table);
    this.#tenant = sql.ref(tenant);
  }

  /**
   * Records the log position after a commit that changed the tenant's rows. Never throws. If recording fails, this process reads from the primary for
   * five seconds.
   */
  async noteWrite(tenant: string): Promise<void> {
    await sql`
      insert into ${this.#table} as known (${this.#tenant}, position) values (${tenant}, pg_current_wal_flush_lsn())
      on conflict (${this.#tenant}) do update set position = greatest(known.position, excluded.position)`
      .execute(this.#primary)
      .catch(() => this.pause());
  }

  /** Returns the replica if it has replayed everything that was recorded for the tenant, otherwise null. */
  async upToDateFor(tenant: string): Promise<Kysely<Tables> | null> {
    if (performance.now() < this.#pausedUntil) return null;
    const { rows: recorded } = await sql<{ position: string }>`
      select position::text as position from ${this.#table} where ${this.#tenant} = ${tenant}`.execute(this.#primary);
    const position = recorded[0]?.position;
    if (position === undefined) {
      // The tenant is new, or the table was emptied by a crash of the primary. Earlier changes are unknown, so the current position is recorded.
      await this.noteWrite(tenant);
      return null;
    }
    try {
      const { rows } = await sql<{ has_it: boolean }>`
        select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn as has_it`.execute(this.#replica.kysely);
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
