import { Client, DatabaseError } from 'pg';

/**
 * One process's use of the server: a session that holds a shared advisory lock.
 *
 * When a process ends its use, it tries to take the lock exclusively. This succeeds only if no other process holds a lease, so the server is
 * stopped by its last user. PostgreSQL releases the lock of a process that dies, so a lease never outlives its process.
 */
export interface Lease {
  /** Resolves when the session has ended: after `release`, or because the server or its backend for this session died. */
  readonly ended: Promise<void>;
  /** Releases the lease. If it was the last one, calls `stop` first. Other processes can acquire a lease only after `stop` has finished. */
  release(stop: () => Promise<void>): Promise<void>;
  /** The session that holds the lease, as the superuser on the maintenance database. */
  readonly session: Client;
}

/** "affi" in ASCII. The lock is in the maintenance database `postgres`, where the service has no other locks. */
const LEASE_KEY = 0x61_66_66_69;
const CONNECT_TIMEOUT_MS = 10_000;
/** Time limit of one attempt to take the lock. After that, the caller decides whether to try again. */
const LOCK_TIMEOUT_MS = 1_000;
/** SQLSTATE classes for which a retry does not help: invalid authorization, insufficient resources (too many connections). */
const LASTING_FAILURES = ['28', '53'];
const LOCK_NOT_AVAILABLE = '55P03';

/** Result of an attempt to acquire a lease while another process is stopping the server. */
export interface LeaseBlocked {
  /** Application name of the session that holds the lock exclusively. */
  blockedBy: string;
}

/**
 * Acquires a lease. Waits up to LOCK_TIMEOUT_MS while another process is stopping the server.
 *
 * @returns undefined if the server has ended or does not accept sessions yet, so that the caller should try again
 * @throws DatabaseError when the server refuses the password or has no free connection
 */
export async function acquireLease(url: string): Promise<Lease | LeaseBlocked | undefined> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: `affiliate lease of process ${process.pid}`,
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  // The event 'end' reports a broken connection, too. Without a listener for 'error', a broken connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [LEASE_KEY]);
    await client.query('SET lock_timeout = 0');
  } catch (error) {
    const isBlocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
    const blockedBy = isBlocked ? await lockOwner(client) : undefined;
    await client.end().catch(() => undefined);
    if (blockedBy !== undefined) return { blockedBy };
    if (error instanceof DatabaseError && LASTING_FAILURES.includes(error.code?.slice(0, 2) ?? '')) throw error;
    return undefined;
  }

  const release = async (stop: () => Promise<void>) => {
    if (await isLast(client)) await stop();
    await client.end().catch(() => undefined);
  };
  return { ended, release, session: client };
}

/** Returns the application name of the session that holds the lock exclusively, or undefined if none does any more. */
async function lockOwner(client: Client): Promise<string | undefined> {
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
    // The session has ended, which released its lock. A remaining or later user of the server will stop it.
    return false;
  }
}
