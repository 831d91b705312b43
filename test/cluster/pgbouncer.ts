import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../support/free-port.ts';

const run = promisify(execFile);
const START_MS = 10_000;
const POLL_MS = 50;
/** First version of PgBouncer that supports clients' prepared statements in transaction mode. */
const PREPARES_FROM = [1, 21] as const;

/** An installed PgBouncer, and an environment in which its libraries are found. */
export interface PgBouncerProgram {
  path: string;
  env: Record<string, string>;
  version: string;
  /** True if this version supports prepared statements in transaction mode. */
  prepares: boolean;
}

/**
 * Finds PgBouncer: the one that the variable PGBOUNCER names, otherwise the one on the PATH. Without either, downloads the Debian package and unpacks
 * it into a temporary directory. Returns null if that fails, too.
 */
export async function findPgBouncer(): Promise<PgBouncerProgram | null> {
  for (const path of [process.env['PGBOUNCER'], 'pgbouncer', '/usr/sbin/pgbouncer']) {
    if (path === undefined) continue;
    const found = await asProgram(path, {});
    if (found) return found;
  }
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-pgbouncer-'));
  try {
    await run('apt-get', ['download', 'pgbouncer', 'libc-ares2', 'libevent-2.1-7'], { cwd: directory });
    for (const name of await readdir(directory)) await run('dpkg', ['-x', name, 'unpacked'], { cwd: directory });
  } catch {
    return null;
  }
  await chmod(directory, 0o755);
  const libraries = join(directory, 'unpacked/usr/lib/x86_64-linux-gnu');
  return asProgram(join(directory, 'unpacked/usr/sbin/pgbouncer'), { LD_LIBRARY_PATH: libraries });
}

async function asProgram(path: string, env: Record<string, string>): Promise<PgBouncerProgram | null> {
  const answer = await run(path, ['--version'], { env: { PATH: process.env['PATH'], ...env } }).catch(() => null);
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(answer?.stdout ?? '') ?? [];
  if (major === undefined) return null;
  const [wantedMajor, wantedMinor] = PREPARES_FROM;
  const prepares = Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
  return { path, env, version: `${major}.${minor}`, prepares };
}

export interface PgBouncer {
  url: string;
  /** URL of the same database, without the service's session settings. */
  bareUrl: string;
  /** Kills PgBouncer and starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode in front of a database.
 *
 * @param poolSize largest number of connections to PostgreSQL
 */
export async function startPgBouncer(program: PgBouncerProgram, databaseUrl: string, poolSize: number): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-pgbouncer-'));
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const ownPort = await freePort();
  const target = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  const settings = [
    "set timezone = 'UTC'",
    "set plan_cache_mode = 'force_generic_plan'",
    "set statement_timeout = '30s'",
    "set lock_timeout = '1500ms'",
    "set idle_in_transaction_session_timeout = '30s'",
  ].map((statement) => statement.replaceAll("'", "''"));
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
affiliate = ${target} connect_query='${settings.join('; ')}'
bare = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
server_login_retry = 1
${program.prepares ? 'max_prepared_statements = 300' : ''}
`,
  );
  await chmod(directory, 0o755);
  const url = `postgres://${username}:${password}@127.0.0.1:${ownPort}/affiliate`;
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const start = async () => {
    const child = spawn(program.path, [...asNobody, file], {
      env: { PATH: process.env['PATH'], ...program.env },
      stdio: 'ignore',
    });
    for (const begin = performance.now(); performance.now() - begin < START_MS; await delay(POLL_MS)) {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      const isUp = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (isUp) return child;
    }
    throw new Error('PgBouncer did not start.');
  };
  let child = await start();
  const end = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url,
    bareUrl: url.replace(/affiliate$/, 'bare'),
    restart: async () => {
      await end();
      child = await start();
    },
    stop: async () => {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
