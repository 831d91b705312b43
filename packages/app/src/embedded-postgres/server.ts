import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresAccount, type Account } from './account.ts';
import { locateBinaries, type Binaries } from './binaries.ts';
import { openHome, readConnection, writeConnection, type Home } from './home.ts';
import { initCluster, SUPERUSER } from './init-cluster.ts';
import { takeLease, type Lease } from './lease.ts';
import { findPostmaster, freePort, logSince, logSize, startPostmaster, type Postmaster, type Settings } from './postmaster.ts';

/** A cluster that exists, and all it takes to run a server on it. */
export interface Server {
  home: Home;
  binaries: Binaries;
  account: Account | undefined;
  password: string;
  settings: Settings;
}

export interface JoinedServer {
  postmaster: Postmaster;
  lease: Lease;
  /** Whether this call started it, rather than finding it running. */
  started: boolean;
}

const POLL_MS = 20;
const RETRY_MS = 300;
const START_ATTEMPTS = 5;
/** Recovery after a crash replays at most a gigabyte of log (`max_wal_size`). */
const START_TIMEOUT_MS = 120_000;

export async function prepareServer(dataDir: string, sharedDirectory: string, settings: Settings): Promise<Server> {
  const home = await openHome(dataDir, sharedDirectory);
  const account = await postgresAccount(home.cluster);
  const binaries = await locateBinaries(account, sharedDirectory);
  const { password } = await readConnection(home);
  await initCluster(home, { initdb: binaries.initdb, account, password, durable: settings['fsync'] !== 'off' });
  return { home, binaries, account, password, settings };
}

/**
 * Takes a lease on the running server, starting it first if none runs. Any number of processes may do this at once.
 *
 * @throws Error with the server's own log when it does not come up.
 */
export async function joinServer(server: Server): Promise<JoinedServer> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  const logStart = await logSize(server.home);
  let child: ChildProcess | undefined;
  let attempts = 0;
  while (Date.now() < deadline) {
    const postmaster = await findPostmaster(server.home);
    const lease = postmaster?.state === 'ready' ? await takeLease(serverUrl(server, postmaster, 'postgres')) : undefined;
    if (postmaster && lease) {
      if (await isStillReady(server, postmaster)) {
        await rememberPort(server, postmaster.port);
        return { postmaster, lease, started: postmaster.pid === child?.pid };
      }
      await lease.release(async () => undefined);
    }
    if (!postmaster && (!child || hasExited(child))) {
      if (attempts === START_ATTEMPTS) break;
      if (attempts > 0) await delay(RETRY_MS);
      attempts += 1;
      child = await start(server);
    }
    await delay(POLL_MS);
  }
  const log = await logSince(server.home, logStart);
  throw new Error(`The embedded PostgreSQL in ${server.home.directory} does not start:\n${log || 'its log is empty'}`);
}

/**
 * A server that is stopping may end the session that holds the exclusive lock before ours, and so grant us a lease on what is about to be gone.
 * By then postmaster.pid says so: PostgreSQL writes that down before it ends the first session.
 */
async function isStillReady({ home }: Server, { pid }: Postmaster): Promise<boolean> {
  const now = await findPostmaster(home);
  return now?.pid === pid && now.state === 'ready';
}

export function serverUrl({ password }: Server, { port }: Postmaster, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

async function start({ home, binaries, account, settings }: Server): Promise<ChildProcess> {
  const { port } = await readConnection(home);
  return startPostmaster(home, { postgres: binaries.postgres, account, settings, port: await freePort(port) });
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function rememberPort({ home }: Server, port: number): Promise<void> {
  const connection = await readConnection(home);
  if (connection.port !== port) await writeConnection(home, { ...connection, port });
}
