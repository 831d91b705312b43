import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { isErrno } from './errno.ts';
import type { Home } from './home.ts';
import { isProcessAlive, SERVER_ENVIRONMENT } from './process.ts';

export type Settings = Readonly<Record<string, string | number>>;

/** A running server, as described in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Directory of the Unix socket. Empty if the server has none. */
  socketDirectory: string;
  state: 'ready' | 'busy';
}

const POLL_MS = 20;
const FAST_SHUTDOWN_MS = 60_000;

/** Default server parameters: durable, and sized for a machine that also runs the service. */
const DEFAULT_SETTINGS: Settings = {
  max_connections: 100,
  shared_buffers: '128MB',
  // Compiling a query takes longer than executing the short queries of this service.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Rejected statements are not logged here, because the service reports them. Logging them here would only fill the disk and reveal
  // customers' data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // For passwords that people choose. The superuser's password is random, so one iteration is enough for it (init-cluster.ts).
  scram_iterations: 4096,
};

/** Returns the server that runs on the cluster, or undefined. Removes the pid file of a dead server. */
export async function findPostmaster(home: Home): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(home), 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return '';
    throw error;
  });
  const [pid, , , port, socketDirectory = '', , , state] = text.split('\n');
  if (!pid || !port || !isProcessAlive(Number(pid))) return undefined;
  if (!(await servesCluster(Number(pid), home))) {
    removePidFile(home, text);
    return undefined;
  }
  return { pid: Number(pid), port: Number(port), socketDirectory, state: state?.trim() === 'ready' ? 'ready' : 'busy' };
}

/**
 * True if the process is the cluster's server. After a machine or container was killed, an unrelated process may have the pid in `postmaster.pid`,
 * and PostgreSQL would refuse to start while that process lives. On systems other than Linux, which lack /proc, the result is always true, and
 * PostgreSQL's own check decides.
 */
async function servesCluster(pid: number, home: Home): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0').includes(home.cluster);
}

/**
 * Removes the pid file of a dead server, unless a new server has replaced it. Without its file, no process would find the new server. Reading and
 * removing are synchronous, so that this process does nothing in between.
 */
function removePidFile(home: Home, left: string): void {
  try {
    if (readFileSync(pidFile(home), 'utf8') === left) rmSync(pidFile(home));
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

/**
 * Starts the server as a detached process, so that neither Ctrl-C in the terminal nor the death of this process stops it. The last process that
 * uses the server stops it (lease.ts). PostgreSQL allows one server per cluster. A second one exits at once.
 */
export async function startPostmaster(
  home: Home,
  options: { postgres: string; account: Account | undefined; port: number; settings: Settings },
): Promise<ChildProcess> {
  const settings = {
    ...DEFAULT_SETTINGS,
    ...options.settings,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketDirectory(home, options.port),
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await open(home.logFile, 'a', 0o600);
  try {
    const child = spawn(options.postgres, ['-D', home.cluster, '-p', String(options.port), ...parameters], {
      ...options.account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Longest path of a Unix socket on Linux, macOS and the BSDs. */
const MAX_SOCKET_PATH = 103;

/** Returns the directory for the server's Unix socket, or none where a socket is not possible. Connections then use TCP. */
function socketDirectory({ cluster }: Home, port: number): string {
  const isPossible = process.platform !== 'win32' && Buffer.byteLength(join(cluster, `.s.PGSQL.${port}`)) <= MAX_SOCKET_PATH;
  return isPossible ? cluster : '';
}

/** Stops the server: ends every session, flushes all data, and waits until another server may start. */
export async function stopPostmaster(home: Home, { pid }: Postmaster): Promise<void> {
  await shutDown(pid, async () => (await findPostmaster(home))?.pid !== pid);
}

/** Stops a server that this process started and that is not ready yet. No process has a session on such a server. */
export async function abandonStart(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && !hasExited(child)) await shutDown(child.pid, async () => hasExited(child));
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function shutDown(pid: number, isDown: () => Promise<boolean>): Promise<void> {
  signal(pid, 'SIGINT');
  const deadline = Date.now() + FAST_SHUTDOWN_MS;
  while (!(await isDown())) {
    // An immediate stop loses no committed data: it is in the write-ahead log, from which the next start recovers it.
    if (Date.now() > deadline) signal(pid, 'SIGQUIT');
    await delay(POLL_MS);
  }
}

/** Sends a signal to the server. Does nothing if the server has already ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/** Returns the preferred port if it is free, otherwise another free port. */
export async function freePort(preferred: number | undefined): Promise<number> {
  if (preferred) {
    const port = await listenOnce(preferred).catch(() => undefined);
    if (port) return port;
  }
  return listenOnce(0);
}

function listenOnce(port: number): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

export async function logSize(home: Home): Promise<number> {
  return stat(home.logFile).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the server's log from byte `offset` on. */
export async function logSince(home: Home, offset: number): Promise<string> {
  const log = await readFile(home.logFile).catch(() => Buffer.alloc(0));
  return log.subarray(offset).toString('utf8').trim();
}

function pidFile(home: Home): string {
  return join(home.cluster, 'postmaster.pid');
}
