import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, lstat, mkdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { USER_PROGRAM, leave, query, useDataDirectory } from './data-directory.ts';

const isRoot = process.getuid?.() === 0;
const ordinary = { uid: 65_534, gid: 65_534 };
const directory = useDataDirectory();

describe('restart', () => {
  beforeEach(() => directory.beginWithUsed());

  it('keeps the data and the URL', async () => {
    const first = await directory.open();
    expect(first.started).toBe(true);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(await query(first.url, 'SELECT inet_server_addr() AS address')).toEqual([{ address: null }]);
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toMatchObject({ syscall: 'connect' });

    const second = await directory.open();
    expect(second).toMatchObject({ url: first.url, started: true });
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('uses TCP if the path of the directory is too long for a Unix socket', async () => {
    const long = join(directory.path, 'x'.repeat(100));
    await rename(directory.path, `${directory.path}-used`);
    await mkdir(directory.path);
    await rename(`${directory.path}-used`, long);
    directory.path = long;
    const { url } = await directory.open();
    expect(await query(url, 'SELECT host(inet_server_addr()) AS address')).toEqual([{ address: '127.0.0.1' }]);
  });

  it.runIf(THOROUGH)('moves to another port when its own is taken', async () => {
    const first = await directory.open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const occupant = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${new URL(first.url).port}, '127.0.0.1', () => console.log('up'))`,
    ]);
    await once(occupant.stdout, 'data');
    try {
      const second = await directory.open();
      expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
      expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    } finally {
      occupant.kill();
    }
  });

  it.runIf(THOROUGH)('ignores a postmaster.pid that contains the id of an unrelated process', async () => {
    const first = await directory.open();
    const pidFile = join(await directory.home(), 'cluster', 'postmaster.pid');
    const left = await readFile(pidFile, 'utf8');
    await first.stop();
    await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)), { mode: 0o644 });
    expect((await directory.open()).started).toBe(true);
  });
});

describe('several processes on one data directory', () => {
  it('start one server, and the last process stops it', async () => {
    const users = await Promise.all([directory.startUser(), directory.startUser(), directory.startUser()]);
    expect(users.filter(({ started }) => started)).toHaveLength(1);
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);

    const [starter, ...others] = users.toSorted((a, b) => Number(b.started) - Number(a.started));
    const { child, url } = starter!;
    await leave(child);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await Promise.all(others.map(({ child }) => leave(child)));
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ syscall: 'connect' });
  });

  it.runIf(THOROUGH)('keep the server while other processes start and stop', async () => {
    await directory.beginWithUsed();
    const rounds = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 4; round += 1) {
        const postgres = await directory.open();
        expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
        await postgres.stop();
      }
    });
    await Promise.all(rounds);
  });

  it('are shown which process blocks them when the last process hangs before it has stopped the server', async () => {
    await directory.beginWithUsed();
    const first = await directory.open();
    const leaving = new URL(first.url);
    leaving.pathname = '/postgres';
    const last = new Client({ connectionString: leaving.href, application_name: 'the last to leave' });
    await last.connect();
    const lease = Buffer.from('affi').readInt32BE();
    await last.query('SELECT pg_advisory_lock_shared($1)', [lease]);
    await first.stop();
    await last.query('SELECT pg_advisory_lock($1)', [lease]);
    await expect(directory.open({ startTimeoutMs: 1_000 })).rejects.toThrow(
      /"the last to leave" began to stop PostgreSQL and hangs/,
    );

    const newcomer = directory.open();
    await last.end();
    expect(await newcomer).toMatchObject({ url: first.url, started: false });
  });

  it('refuse connections without the password', async () => {
    await directory.beginWithUsed();
    const { url } = await directory.open();
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(query(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(await directory.home(), 'connection.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('kill -9', () => {
  it('of the process that started the server lets the next process take over the server and stop it', async () => {
    await directory.beginWithUsed();
    const { child, url } = await directory.startUser();
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    // The server notices a moment later that the process has ended.
    const leases = () => query(url, `SELECT FROM pg_stat_activity WHERE application_name LIKE 'affiliate lease of process %'`);
    await expect.poll(leases).toEqual([]);

    const successor = await directory.open();
    expect(successor).toMatchObject({ url, started: false });
    await successor.stop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ syscall: 'connect' });
  });

  it('of the server is followed by a restart under the same URL with all committed data', async () => {
    await directory.beginWithUsed();
    const { url } = await directory.open();
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await directory.killServer();
    await expect
      .poll(() => query(url, 'SELECT answer FROM kept').catch(() => 'down'), { timeout: 20_000 })
      .toEqual([{ answer: 42 }]);
  });

  it('of the server during a query is followed by a restart after the query, unless all processes have stopped by then', async () => {
    await directory.beginWithUsed();
    const log: string[] = [];
    const postgres = await directory.open({ log: (line) => log.push(line) });
    const other = await directory.open();
    const session = new Client({ connectionString: postgres.url });
    session.on('error', () => undefined);
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]!.pid;
    // Suspends a backend, so that it does not notice that the server is gone. A backend that executes a long query would not notice either.
    process.kill(backend, 'SIGSTOP');
    try {
      await directory.killServer();
      await expect.poll(() => log.join('\n'), { timeout: 20_000 }).toMatch(/still in use[^]*Trying again/);
      await other.stop();
      await expect(query(postgres.url, 'SELECT 1')).rejects.toMatchObject({ syscall: 'connect' });
    } finally {
      process.kill(backend, 'SIGKILL');
    }
    await expect
      .poll(() => query(postgres.url, 'SELECT 1 AS one').catch(() => 'down'), { timeout: 20_000, interval: 200 })
      .toEqual([{ one: 1 }]);
    await postgres.stop();
    await expect(query(postgres.url, 'SELECT 1')).rejects.toMatchObject({ syscall: 'connect' });
  });

  it('during the first start lets the next start complete the initialization', async () => {
    const child = directory.spawnUser();
    await expect
      .poll(
        () =>
          stat(join(directory.path, 'postgresql', 'connection.json')).then(
            () => true,
            () => false,
          ),
        { interval: 5 },
      )
      .toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await query((await directory.open()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)('the server, as root in a directory that only root can enter,', () => {
  beforeEach(() => mkdir(directory.path, { mode: 0o700 }));

  it('keeps the data elsewhere behind a symbolic link, and starts empty when the data directory was deleted', async () => {
    const first = await directory.open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const link = join(directory.path, 'postgresql');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readlink(link)).toContain(directory.shared);

    const second = await directory.open();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();

    await rm(directory.path, { recursive: true });
    await mkdir(directory.path, { mode: 0o700 });
    const empty = await directory.open();
    await expect(query(empty.url, 'SELECT answer FROM kept')).rejects.toMatchObject({ code: '42P01' });
    await empty.stop();
  });

  it.runIf(THOROUGH)('refuses to start empty when the target of the link is missing', async () => {
    const home = join(directory.shared, 'home');
    await mkdir(directory.shared);
    await directory.copyUsed(home);
    await symlink(home, join(directory.path, 'postgresql'));
    const first = await directory.open();
    await first.stop();
    await rm(directory.shared, { recursive: true });
    await expect(directory.open()).rejects.toThrow(/is a link to a database that no longer exists/);
  });
});

// Skipped if an ordinary user runs the tests, because the tests above then cover this case. Also skipped if other users cannot read the project.
describe.runIf(isRoot && canRunAs(ordinary))('the server, as an ordinary user in a directory of mode 700,', () => {
  it('runs in place, and a process of root can use it', async () => {
    await mkdir(directory.path, { mode: 0o700 });
    await chown(directory.path, ordinary.uid, ordinary.gid);
    const { child, url } = await directory.startUser(ordinary);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const joined = await directory.open();
    expect(joined).toMatchObject({ url, started: false });
    await leave(child);
    await joined.stop();

    const restarted = await directory.open();
    expect(restarted).toMatchObject({ url, started: true });
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect((await lstat(join(directory.path, 'postgresql'))).isDirectory()).toBe(true);
  });
});

function canRunAs(account: { uid: number; gid: number }): boolean {
  const { status } = spawnSync(process.execPath, ['-e', `require('node:fs').accessSync(${JSON.stringify(USER_PROGRAM)})`], {
    cwd: '/',
    ...account,
  });
  return status === 0;
}
