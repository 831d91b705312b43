import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises';
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

/**
 * Copies the files of a running primary and starts a standby with them. Takes the place of pg_basebackup, which the embedded PostgreSQL lacks.
 *
 * @param url connection string of the primary's superuser
 */
export async function startStandby(url: string): Promise<Standby> {
  const primary = await connected(url);
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-standby-'));
  const cluster = join(directory, 'cluster');
  const { rows } = await primary.query<{ source: string; pid: string }>(
    `select current_setting('data_directory') as source, (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1] as pid`,
  );
  const { source, pid } = rows[0]!;
  const owner = await stat(source);
  await chmod(directory, 0o711);
  await chown(directory, owner.uid, owner.gid);
  await primary.query(`select pg_backup_start('standby', true)`);
  await command('cp', ['-a', source, cluster]);
  const backup = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  const own = async (name: string, text: string) => {
    await writeFile(join(cluster, name), text);
    await chown(join(cluster, name), owner.uid, owner.gid);
  };
  await own('backup_label', backup.rows[0]!.labelfile);
  await own('standby.signal', '');
  const { hostname, port, username, password } = new URL(url);
  const source_of = `host=${hostname} port=${port} user=${username} password=${password} application_name=${NAME}`;
  await appendFile(join(cluster, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source_of}'\n`);

  const ownPort = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'timezone=UTC',
    'max_connections=120',
    'hot_standby=on',
  ];
  const server = spawn(
    await readlink(`/proc/${pid}/exe`),
    ['-D', cluster, '-p', String(ownPort), ...settings.flatMap((setting) => ['-c', setting])],
    { uid: owner.uid, gid: owner.gid, cwd: '/', env: { LC_ALL: 'C' }, stdio: 'ignore' },
  );
  const own_url = new URL(url);
  own_url.port = String(ownPort);
  const standby = await startedServer(own_url.href, server);
  const ended = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  const ask = (client: Client, text: string) => client.query<{ value: string }>(text).then(({ rows: [row] }) => row?.value ?? '');
  return {
    url: own_url.href,
    caughtUp: async () => {
      const written = await ask(primary, 'select pg_current_wal_lsn()::text as value');
      while ((await ask(standby, `select (pg_last_wal_replay_lsn() >= '${written}'::pg_lsn)::text as value`)) !== 'true')
        await delay(POLL_MS);
    },
    promote: async () => void (await standby.query('select pg_promote()')),
    pauseReplay: async () => void (await standby.query('select pg_wal_replay_pause()')),
    resumeReplay: async () => void (await standby.query('select pg_wal_replay_resume()')),
    kill: () => ended('SIGKILL'),
    stop: async () => {
      await primary.end().catch(() => undefined);
      await standby.end().catch(() => undefined);
      await ended('SIGINT');
      await rm(directory, { recursive: true, force: true });
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
