import { Client, DatabaseError } from 'pg';

/**
 * Every process that uses the server holds a lease: a session with a shared advisory lock. Whoever leaves asks for the exclusive lock; it is
 * granted only when nobody else holds a lease, so the last to leave, and nobody before, stops the server. PostgreSQL releases the lock
 * of a process that dies, however it dies: there is no file of ours that could go stale.
 */
export interface Lease {
  /** Settles when the session is over: after `release`, or because the server or its process for this session died. */
  readonly ended: Promise<void>;
  /** Gives the lease up. `stop` runs first if this was the last one; until it has run, nobody can take a new lease. */
  release(stop: () => Promise<void>): Promise<void>;
  /** A session of the superuser, on the maintenance database. */
  readonly session: Client;
}

/** "affi" in ASCII, in the maintenance database `postgres`, which holds nothing else of ours. */
const LEASE_KEY = 0x61_66_66_69;
const CONNECT_TIMEOUT_MS = 10_000;
/** A caller that has waited so long looks around: whether it is still wanted, and whether it has waited long enough. */
const PATIENCE_MS = 1_000;
/** Classes of SQLSTATE that trying again soon does not change: invalid authorization, insufficient resources (too many connections). */
const LASTING_FAILURES = ['28', '53'];
const LOCK_NOT_AVAILABLE = '55P03';

/** Why there is no lease yet: whoever stops the server has not come to the end of it. */
export interface LeaseBarred {
  /** Whoever holds the exclusive lock, by the name of its session. */
  barredBy: string;
}

/**
 * Takes a lease; waits a moment if the last other holder is stopping the server. Undefined: the server went away or does not accept sessions
 * yet. Without a lease, try again.
 *
 * @throws DatabaseError when the server refuses the password or has no connection left.
 */
export async function takeLease(url: string): Promise<Lease | LeaseBarred | undefined> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: `affiliate lease of process ${process.pid}`,
    lock_timeout: PATIENCE_MS,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  // A broken connection is reported by 'end' as well; without a listener 'error' would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [LEASE_KEY]);
    await client.query('SET lock_timeout = 0');
  } catch (error) {
    const isBarred = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
    const barredBy = isBarred ? await exclusiveHolder(client) : undefined;
    await client.end().catch(() => undefined);
    if (barredBy !== undefined) return { barredBy };
    if (error instanceof DatabaseError && LASTING_FAILURES.includes(error.code?.slice(0, 2) ?? '')) throw error;
    return undefined;
  }

  const release = async (stop: () => Promise<void>) => {
    if (await isLast(client)) await stop();
    await client.end().catch(() => undefined);
  };
  return { ended, release, session: client };
}

/** Undefined: it is gone again. */
async function exclusiveHolder(client: Client): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ application_name: string }>(
      `SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND objid = $1 AND mode = 'ExclusiveLock' AND granted`,
      [LEASE_KEY],
    );
    return rows[0]?.application_name;
  } catch {
    return undefined;
  }
}

async function isLast(client: Client): Promise<boolean> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [LEASE_KEY]);
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [LEASE_KEY]);
    return rows[0]?.alone === true;
  } catch {
    // The session is gone, and with it the lock: whoever is left, or the next to come, sees to the server.
    return false;
  }
}
