import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresAccount, type Account } from './account.ts';
import { locateBinaries, type Binaries } from './binaries.ts';
import { assertUndamaged } from './damage.ts';
import { EmbeddedPostgresError } from './error.ts';
import { openHome, readConnection, writeConnection, type Home } from './home.ts';
import { initCluster, SUPERUSER } from './init-cluster.ts';
import { acquireLease, type Lease } from './lease.ts';
import {
  abandonStart,
  findPostmaster,
  freePort,
  hasExited,
  logSince,
  logSize,
  startPostmaster,
  type Postmaster,
  type Settings,
} from './postmaster.ts';

/** An existing cluster, and everything needed to run a server on it. */
export interface Server {
  home: Home;
  binaries: Binaries;
  account: Account | undefined;
  password: string;
  settings: Settings;
  /** Time limit for the server to start, whichever process starts it. */
  startTimeoutMs: number;
}

export interface JoinedServer {
  postmaster: Postmaster;
  lease: Lease;
  /** True if this call started the server. */
  started: boolean;
}

const POLL_MS = 20;
const RETRY_MS = 300;
const START_ATTEMPTS = 5;

interface PrepareOptions {
  sharedDirectory: string;
  settings: Settings;
  startTimeoutMs: number;
}

export async function prepareServer(
  dataDir: string,
  { sharedDirectory, settings, startTimeoutMs }: PrepareOptions,
): Promise<Server> {
  const home = await openHome(dataDir, sharedDirectory);
  await assertUndamaged(home);
  const account = await postgresAccount(home.cluster);
  const binaries = await locateBinaries(account, sharedDirectory);
  const { password } = await readConnection(home);
  await initCluster(home, { initdb: binaries.initdb, account, password, durable: settings['fsync'] !== 'off' });
  return { home, binaries, account, password, settings, startTimeoutMs };
}

interface JoinOptions {
  /** Port for a server that this call starts. Default: the port of the last start if it is free, otherwise any free port. */
  port?: number;
  /**
   * Aborted when the server is no longer needed. If the server is ready by that time, the call still returns a lease, so that the caller can
   * stop it.
   */
  stopping?: AbortSignal;
}

/**
 * Acquires a lease on the running server, after starting a server if none runs. Any number of processes may do this at once.
 *
 * @throws EmbeddedPostgresError that names the process that blocks the server, or the reason of a server that did not start; if `stopping` is
 *   aborted, its reason
 */
export async function joinServer(server: Server, { port, stopping }: JoinOptions = {}): Promise<JoinedServer> {
  const deadline = Date.now() + server.startTimeoutMs;
  const logStart = await logSize(server.home);
  let child: ChildProcess | undefined;
  let attempts = 0;
  let blockedBy: string | undefined;
  while (Date.now() < deadline) {
    const postmaster = await findPostmaster(server.home);
    const lease = postmaster?.state === 'ready' ? await acquireLease(serverUrl(server, postmaster, 'postgres')) : undefined;
    if (postmaster && lease && 'session' in lease) {
      if (await isStillReady(server, postmaster)) {
        await rememberPort(server, postmaster.port);
        return { postmaster, lease, started: postmaster.pid === child?.pid };
      }
      await lease.release(async () => undefined);
    }
    blockedBy = lease && 'blockedBy' in lease ? lease.blockedBy : undefined;
    if (stopping?.aborted) {
      // A ready server is not stopped, because other processes may already use it. The last of them stops it.
      if (child && postmaster?.state !== 'ready') await abandonStart(child);
      stopping.throwIfAborted();
    }
    if (!postmaster && (!child || hasExited(child))) {
      if (attempts === START_ATTEMPTS) break;
      if (attempts > 0) await delay(RETRY_MS);
      attempts += 1;
      child = await start(server, port);
    }
    await delay(POLL_MS);
  }
  const { directory } = server.home;
  if (blockedBy !== undefined) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${directory} refuses connections: the process "${blockedBy}" began to stop PostgreSQL and hangs. End this process, then try again.`,
    );
  }
  const reason = fatalReason(await logSince(server.home, logStart));
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${directory} did not start${reason}. Its log is ${server.home.logFile}.`,
  );
}

/** The last reason that the server wrote into its log before it ended. */
function fatalReason(log: string): string {
  const reason = [...log.matchAll(/(?:FATAL|PANIC): +(.*)/g)].at(-1)?.[1];
  return reason === undefined ? '' : ` (${reason})`;
}

/**
 * True if the server is still ready after a lease was acquired. A server that is shutting down may first end the session that holds the lock
 * exclusively, and thus grant a lease that is about to end. PostgreSQL updates postmaster.pid before it ends the first session, so the file
 * shows the shutdown.
 */
async function isStillReady({ home }: Server, { pid }: Postmaster): Promise<boolean> {
  const now = await findPostmaster(home);
  return now?.pid === pid && now.state === 'ready';
}

/** Returns the URL of a database. It names the Unix socket, if the server has one, because writing to it takes a third of the time of TCP. */
export function serverUrl({ password }: Server, { port, socketDirectory }: Postmaster, database: string): string {
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  return socketDirectory === '' ? url : `${url}?host=${encodeURIComponent(socketDirectory)}`;
}

async function start({ home, binaries, account, settings }: Server, port: number | undefined): Promise<ChildProcess> {
  const listenAt = port ?? (await freePort((await readConnection(home)).port));
  return startPostmaster(home, { postgres: binaries.postgres, account, settings, port: listenAt });
}

async function rememberPort({ home }: Server, port: number): Promise<void> {
  const connection = await readConnection(home);
  if (connection.port !== port) await writeConnection(home, { ...connection, port });
}
