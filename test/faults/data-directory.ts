import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { fastDirectory } from '../support/fast-directory.ts';

export const USER_PROGRAM = fileURLToPath(new URL('postgres-user.ts', import.meta.url));

interface Account {
  uid: number;
  gid: number;
}

/** A data directory for the embedded PostgreSQL, and the processes that use it. Each test gets a new directory. */
export class DataDirectory {
  path = '';
  /** Shared directory in which the server's files are, if the server's user cannot enter `path`. */
  shared = '';
  /** Directory of a stopped server. Tests that are not about the first start begin with a copy of it. */
  #used = '';
  #base = '';
  readonly #opened: EmbeddedPostgres[] = [];
  readonly #children: ChildProcess[] = [];

  /** Runs a server once, and keeps its directory for `beginWithUsed`. */
  async useOnce(): Promise<void> {
    this.#used = await newDirectory();
    const first = await openEmbeddedPostgres({ dataDir: join(this.#used, 'data'), sharedDirectory: join(this.#used, 'shared') });
    await first.stop();
  }

  async create(): Promise<void> {
    this.#base = await newDirectory();
    this.path = join(this.#base, 'data');
    this.shared = join(this.#base, 'shared');
  }

  async remove(): Promise<void> {
    for (const child of this.#children.splice(0)) await leave(child);
    for (const postgres of this.#opened.splice(0)) await postgres.stop();
    await rm(this.#base, { recursive: true, force: true });
  }

  async removeUsed(): Promise<void> {
    await rm(this.#used, { recursive: true, force: true });
  }

  /** Gives the test a directory in which a server has run before. */
  async beginWithUsed(): Promise<void> {
    await mkdir(this.path);
    await this.copyUsed(join(this.path, 'postgresql'));
  }

  /** Copies the directory of the server from `useOnce`. Keeps owners and modes, because PostgreSQL refuses a directory with different ones. */
  async copyUsed(home: string): Promise<void> {
    await promisify(execFile)('cp', ['-a', join(this.#used, 'data', 'postgresql'), home]);
  }

  async open(options: Pick<EmbeddedPostgresOptions, 'log' | 'startTimeoutMs'> = {}): Promise<EmbeddedPostgres> {
    const postgres = await openEmbeddedPostgres({
      dataDir: this.path,
      sharedDirectory: this.shared,
      ...options,
    });
    this.#opened.push(postgres);
    return postgres;
  }

  spawnUser(account?: Account) {
    const child = spawn(process.execPath, [USER_PROGRAM, this.path, this.shared], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...COMPILE_CACHE },
      cwd: '/',
      ...account,
    });
    this.#children.push(child);
    return child;
  }

  /** Starts another process that uses the directory, and waits until its server answers. */
  async startUser(account?: Account): Promise<{ child: ChildProcess; url: string; started: boolean }> {
    const child = this.spawnUser(account);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { child, ...(JSON.parse(line) as { url: string; started: boolean }) };
  }

  async killServer(): Promise<void> {
    const [pid] = (await readFile(join(await this.home(), 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  /** Returns the directory of the server's files, even if it is behind a symbolic link. */
  async home(): Promise<string> {
    const path = join(this.path, 'postgresql');
    return (await lstat(path)).isSymbolicLink() ? readlink(path) : path;
  }
}

/** Prepares a new data directory for each test of a file. */
export function useDataDirectory(): DataDirectory {
  const directory = new DataDirectory();
  beforeAll(() => directory.useOnce());
  beforeEach(() => directory.create());
  afterEach(() => directory.remove());
  afterAll(() => directory.removeUsed());
  return directory;
}

async function newDirectory(): Promise<string> {
  const path = await mkdtemp(join(await fastDirectory(), 'affiliate-embedded-'));
  await chmod(path, 0o711);
  return path;
}

/** Ends a process that uses the directory, and waits until it has exited. */
export async function leave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}

export async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
