import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../support/free-port.ts';

const NAME = 'standby';
const START_MS = 60_000;
const POLL_MS = 50;

/** A streaming replica of a PostgreSQL on this machine. */
export interface Standby {
  url: string;
  /** Settles when the standby has replayed everything that the primary had written before the call. */
  caughtUp(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Stops replaying changes until `resumeReplay`. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A copy of the files of a cluster, from which a server can start. */
export interface Base {
  /** Starts a server that continues as the signal file says: `standby.signal` or `recovery.signal`. */
  start(signal: string, settings: Readonly<Record<string, string>>): Promise<StartedServer>;
  remove(): Promise<void>;
}

export interface StartedServer {
  url: string;
  client: Client;
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Copies the files of a running primary. Takes the place of pg_basebackup, which the embedded PostgreSQL lacks.
 *
 * @param url connection string of the primary's superuser
 */
export async function takeBase(url: string): Promise<Base> {
  const primary = await connected(url);
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-base-'));
  const cluster = join(directory, 'cluster');
  const { rows } = await primary.query<{ source: string; pid: string }>(
    `select current_setting('data_directory') as source, (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1] as pid`,
  );
  const { source, pid } = rows[0]!;
  const program = await readlink(`/proc/${pid}/exe`);
  const owner = await stat(source);
  await chmod(directory, 0o711);
  await chown(directory, owner.uid, owner.gid);
  await primary.query(`select pg_backup_start('base', true)`);
  await command('cp', ['-a', source, cluster]);
  const backup = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await primary.end();
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  const own = async (name: string, text: string) => {
    await writeFile(join(cluster, name), text);
    await chown(join(cluster, name), owner.uid, owner.gid);
  };
  await own('backup_label', backup.rows[0]!.labelfile);
  return {
    start: async (signal, recovery) => {
      await own(signal, '');
      const port = await freePort();
      const settings = {
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        fsync: 'off',
        timezone: 'UTC',
        max_connections: '120',
        hot_standby: 'on',
        ...recovery,
      };
      const server = spawn(
        program,
        ['-D', cluster, '-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        { uid: owner.uid, gid: owner.gid, cwd: '/', env: { LC_ALL: 'C', PATH: process.env['PATH'] }, stdio: 'ignore' },
      );
      const { username, password, pathname } = new URL(url);
      const there = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
      return {
        url: there,
        client: await startedServer(there, server),
        end: async (how) => {
          if (server.exitCode !== null || server.signalCode !== null) return;
          const exited = once(server, 'exit');
          server.kill(how);
          await exited;
        },
      };
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/**
 * Copies the files of a running primary and starts a standby with them.
 *
 * @param url connection string of the primary's superuser
 */
export async function startStandby(url: string): Promise<Standby> {
  const primary = await connected(url);
  const base = await takeBase(url);
  const { hostname, port, username, password } = new URL(url);
  const server = await base.start('standby.signal', {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password} application_name=${NAME}`,
  });
  const { client: standby } = server;
  const ask = (client: Client, text: string) => client.query<{ value: string }>(text).then(({ rows: [row] }) => row?.value ?? '');
  return {
    url: server.url,
    caughtUp: async () => {
      const written = await ask(primary, 'select pg_current_wal_lsn()::text as value');
      while ((await ask(standby, `select (pg_last_wal_replay_lsn() >= '${written}'::pg_lsn)::text as value`)) !== 'true')
        await delay(POLL_MS);
    },
    promote: async () => void (await standby.query('select pg_promote()')),
    pauseReplay: async () => void (await standby.query('select pg_wal_replay_pause()')),
    resumeReplay: async () => void (await standby.query('select pg_wal_replay_resume()')),
    kill: () => server.end('SIGKILL'),
    stop: async () => {
      await primary.end().catch(() => undefined);
      await standby.end().catch(() => undefined);
      await server.end('SIGINT');
      await base.remove();
    },
  };
}

/** Makes every commit wait until it is on the standby's disk, too. */
export async function replicateSynchronously(url: string): Promise<void> {
  const client = await connected(url);
  await client.query(`alter system set synchronous_standby_names = '${NAME}'`);
  await client.query('select pg_reload_conf()');
  while ((await client.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount === 0) await delay(POLL_MS);
  await client.end();
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function startedServer(url: string, server: ChildProcess): Promise<Client> {
  for (const start = performance.now(); performance.now() - start < START_MS && server.exitCode === null;) {
    const client = await connected(url).catch(() => null);
    if (client) return client;
    await delay(POLL_MS);
  }
  throw new Error('The standby did not start.');
}

async function command(name: string, parameters: string[]): Promise<void> {
  const [code] = (await once(spawn(name, parameters, { stdio: 'inherit' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`${name} failed with exit code ${code}`);
}
