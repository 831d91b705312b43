import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { fastDirectory } from '../support/fast-directory.ts';

const program = fileURLToPath(new URL('postgres-user.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const ordinary = { uid: 65_534, gid: 65_534 };

/** A directory in which a server has run and was stopped, for tests that are not about the first start. */
let used: string;
let base: string;
let dataDir: string;
let sharedDirectory: string;
const opened: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  used = await mkdtemp(join(await fastDirectory(), 'affiliate-embedded-'));
  await chmod(used, 0o711);
  const first = await openEmbeddedPostgres({ dataDir: join(used, 'data'), sharedDirectory: join(used, 'shared') });
  await first.stop();
});
afterAll(() => rm(used, { recursive: true, force: true }));

beforeEach(async () => {
  base = await mkdtemp(join(await fastDirectory(), 'affiliate-embedded-'));
  await chmod(base, 0o711);
  dataDir = join(base, 'data');
  sharedDirectory = join(base, 'shared');
});

afterEach(async () => {
  for (const child of children.splice(0)) await leave(child);
  for (const postgres of opened.splice(0)) await postgres.stop();
  await rm(base, { recursive: true, force: true });
});

describe('restart', () => {
  beforeEach(() => beginWithUsed());

  it('keeps the data and the URL', async () => {
    const first = await open();
    expect(first.started).toBe(true);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const second = await open();
    expect(second).toMatchObject({ url: first.url, started: true });
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('moves to another port when its own is taken', async () => {
    const first = await open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const occupant = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${new URL(first.url).port}, '127.0.0.1', () => console.log('up'))`,
    ]);
    await once(occupant.stdout, 'data');
    try {
      const second = await open();
      expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
      expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    } finally {
      occupant.kill();
    }
  });

  it('ignores a postmaster.pid that names an unrelated process', async () => {
    const first = await open();
    const pidFile = join(await homeOf(), 'cluster', 'postmaster.pid');
    const left = await readFile(pidFile, 'utf8');
    await first.stop();
    await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)), { mode: 0o644 });
    expect((await open()).started).toBe(true);
  });
});

describe('several processes on one data directory', () => {
  it('start one server, and the last one to leave stops it', async () => {
    const users = await Promise.all([startUser(), startUser(), startUser()]);
    expect(users.filter(({ started }) => started)).toHaveLength(1);
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);

    const [starter, ...others] = users.toSorted((a, b) => Number(b.started) - Number(a.started));
    const { child, url } = starter!;
    await leave(child);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await Promise.all(others.map(({ child }) => leave(child)));
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('never lose the server while others come and go', async () => {
    await beginWithUsed();
    const rounds = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 4; round += 1) {
        const postgres = await openEmbeddedPostgres({ dataDir, sharedDirectory });
        expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
        await postgres.stop();
      }
    });
    await Promise.all(rounds);
  });

  it('learn which process is in the way when the last one hangs before it has stopped the server', async () => {
    await beginWithUsed();
    const first = await open();
    const leaving = new URL(first.url);
    leaving.pathname = '/postgres';
    const last = new Client({ connectionString: leaving.href, application_name: 'the last to leave' });
    await last.connect();
    const lease = Buffer.from('affi').readInt32BE();
    await last.query('SELECT pg_advisory_lock_shared($1)', [lease]);
    await first.stop();
    await last.query('SELECT pg_advisory_lock($1)', [lease]);
    await expect(open({ startTimeoutMs: 1_000 })).rejects.toThrow(/"the last to leave" .* hangs/);

    const newcomer = open();
    await last.end();
    expect(await newcomer).toMatchObject({ url: first.url, started: false });
  });

  it('let nobody in without the password', async () => {
    await beginWithUsed();
    const { url } = await open();
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(query(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(await homeOf(), 'connection.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('kill -9', () => {
  it('of the process that started the server: the next one takes it over and stops it at its end', async () => {
    await beginWithUsed();
    const { child, url } = await startUser();
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);

    const successor = await open();
    expect(successor).toMatchObject({ url, started: false });
    await successor.stop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('of the server: it starts again under the same URL, with everything committed', async () => {
    await beginWithUsed();
    const { url } = await open();
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await killServer();
    await expect
      .poll(() => query(url, 'SELECT answer FROM kept').catch(() => 'down'), { timeout: 20_000 })
      .toEqual([{ answer: 42 }]);
  });

  it('of the server during a query: it starts again once that has ended, but not for processes that stop meanwhile', async () => {
    await beginWithUsed();
    const log: string[] = [];
    const postgres = await open({ log: (line) => log.push(line) });
    const other = await open();
    const session = new Client({ connectionString: postgres.url });
    session.on('error', () => undefined);
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]!.pid;
    // As busy as during a long query: it does not notice that the server is gone.
    process.kill(backend, 'SIGSTOP');
    try {
      await killServer();
      await expect.poll(() => log.join('\n'), { timeout: 20_000 }).toMatch(/still in use[^]*Trying again/);
      await other.stop();
      await expect(query(postgres.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    } finally {
      process.kill(backend, 'SIGKILL');
    }
    await expect
      .poll(() => query(postgres.url, 'SELECT 1 AS one').catch(() => 'down'), { timeout: 20_000, interval: 200 })
      .toEqual([{ one: 1 }]);
    await postgres.stop();
    await expect(query(postgres.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('during the first start: the next start completes it', async () => {
    const child = spawnUser();
    await expect
      .poll(
        () =>
          stat(join(dataDir, 'postgresql', 'connection.json')).then(
            () => true,
            () => false,
          ),
        { interval: 5 },
      )
      .toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await query((await open()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)('as root in a directory that only root can enter', () => {
  beforeEach(() => mkdir(dataDir, { mode: 0o700 }));

  it('keeps the data elsewhere, behind a link, and starts empty when the data directory was deleted', async () => {
    const first = await open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const link = join(dataDir, 'postgresql');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readlink(link)).toContain(sharedDirectory);

    const second = await open();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();

    await rm(dataDir, { recursive: true });
    await mkdir(dataDir, { mode: 0o700 });
    const empty = await open();
    await expect(query(empty.url, 'SELECT answer FROM kept')).rejects.toMatchObject({ code: '42P01' });
    await empty.stop();
  });

  it('refuses to start empty when what the link points to is gone', async () => {
    const home = join(sharedDirectory, 'home');
    await mkdir(sharedDirectory);
    await copyUsed(home);
    await symlink(home, join(dataDir, 'postgresql'));
    const first = await open();
    await first.stop();
    await rm(sharedDirectory, { recursive: true });
    await expect(open()).rejects.toThrow(/points to a database that no longer exists/);
  });
});

// When other users cannot read the project there is no ordinary user to run this as. When an ordinary user runs the tests, every test above
// covers it.
describe.runIf(isRoot && canRunAs(ordinary))('as an ordinary user in a directory of mode 700', () => {
  it('runs in place, and root may join it', async () => {
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, ordinary.uid, ordinary.gid);
    const { child, url } = await startUser(ordinary);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(await open()).toMatchObject({ url, started: false });
    await leave(child);
    await opened.pop()?.stop();

    const restarted = await open();
    expect(restarted).toMatchObject({ url, started: true });
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect((await lstat(join(dataDir, 'postgresql'))).isDirectory()).toBe(true);
  });
});

function canRunAs(account: { uid: number; gid: number }): boolean {
  const { status } = spawnSync(process.execPath, ['-e', `require('node:fs').accessSync(${JSON.stringify(program)})`], {
    cwd: '/',
    ...account,
  });
  return status === 0;
}

async function beginWithUsed(): Promise<void> {
  await mkdir(dataDir);
  await copyUsed(join(dataDir, 'postgresql'));
}

/** Keeps owners and modes: the server accepts no others. */
async function copyUsed(home: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(used, 'data', 'postgresql'), home]);
}

async function open(options: Pick<EmbeddedPostgresOptions, 'log' | 'startTimeoutMs'> = {}): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, sharedDirectory, ...options });
  opened.push(postgres);
  return postgres;
}

function spawnUser(account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [program, dataDir, sharedDirectory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...COMPILE_CACHE },
    cwd: '/',
    ...account,
  });
  children.push(child);
  return child;
}

async function startUser(account?: {
  uid: number;
  gid: number;
}): Promise<{ child: ChildProcess; url: string; started: boolean }> {
  const child = spawnUser(account);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; started: boolean }) };
}

async function leave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}

async function killServer(): Promise<void> {
  const [pid] = (await readFile(join(await homeOf(), 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

async function homeOf(): Promise<string> {
  const path = join(dataDir, 'postgresql');
  return (await lstat(path)).isSymbolicLink() ? readlink(path) : path;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
