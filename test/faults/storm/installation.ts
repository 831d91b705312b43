import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { CLI, environment, type Running, run, startProgram } from '../../app/program.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.ts';
import { SECRET_KEY, credentials } from '../../support/service.ts';

/** One `rest`, two `worker` processes and a PostgreSQL of their own, which tests may kill at any time. */
export interface Installation extends AsyncDisposable {
  /** Connection string that does not lead through the proxy. */
  databaseUrl: string;
  /** The network between the processes and PostgreSQL. */
  proxy: DatabaseProxy;
  /** Replaced when it is started again. */
  rest: Running;
  workers: ChildProcess[];
  startRest: () => Promise<void>;
  startWorker: (place: number) => void;
  /** The process that all sessions of PostgreSQL descend from. */
  postmasterPid: () => Promise<number>;
  /** Runs SQL as the superuser, on a connection of its own. */
  ask: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  /** How far the clocks of the workers are ahead, in milliseconds. */
  moveClock: (milliseconds: number) => Promise<void>;
}

/** A clock that a file moves. Loaded into the workers before anything else. */
function movableClock(file: string): string {
  const hook = `import { readFileSync } from 'node:fs';
    const RealDate = Date;
    let ahead = 0;
    setInterval(() => { try { ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); } catch {} }, 100).unref();
    globalThis.Date = class Date extends RealDate {
      constructor(...parts) { if (parts.length === 0) super(RealDate.now() + ahead); else super(...parts); }
      static now() { return RealDate.now() + ahead; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(hook)}`;
}

export async function startInstallation({ workers = 2 }: { workers?: number } = {}): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-storm-'));
  const sharedDirectory = await mkdtemp(join(tmpdir(), 'affiliate-storm-'));
  for (const each of [directory, sharedDirectory]) await chmod(each, 0o711);
  // Commits reach PostgreSQL's own buffers only without synchronous_commit, and would be lost with it. Processes are killed here, not machines.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on', max_connections: 120 };
  const postgres = await openEmbeddedPostgres({ dataDir: directory, sharedDirectory, settings });
  const proxy = await startDatabaseProxy(postgres.url);
  const clockFile = join(sharedDirectory, 'clock');
  const shared = { DATABASE_URL: proxy.url, SECRET_KEY, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' };

  const ask = async <Row extends object>(sql: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  };
  const startRest = async () => {
    installation.rest = await startProgram(['rest'], { ...shared, PORT: '0' });
  };
  const startWorker = (place: number) => {
    const env = environment({ ...shared, NODE_OPTIONS: movableClock(clockFile) });
    installation.workers[place] = spawn(process.execPath, [CLI, 'worker'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const installation: Installation = {
    databaseUrl: postgres.url,
    proxy,
    rest: undefined as unknown as Running,
    workers: [],
    startRest,
    startWorker,
    postmasterPid: async () => {
      const [row] = await ask<{ pid: number }>(`select (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as pid`);
      return row!.pid;
    },
    ask,
    moveClock: (milliseconds) => writeFile(clockFile, String(milliseconds)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [installation.rest.child, ...installation.workers].map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill('SIGKILL');
          await once(child, 'exit');
        }),
      );
      await proxy[Symbol.asyncDispose]();
      await postgres.stop();
      for (const each of [directory, sharedDirectory]) await rm(each, { recursive: true, force: true });
    },
  };
  await startRest();
  for (let place = 0; place < workers; place += 1) startWorker(place);
  return installation;
}

/** Headers of a key that may do everything in a new account. */
export async function newMerchant({ databaseUrl }: Installation): Promise<{ id: string; headers: Record<string, string> }> {
  const owner = ['--owner-email', 'owner@example.com', '--owner-password', 'correct horse battery staple'];
  const { stdout, stderr } = await run(['account', 'create', '--name', 'Shop', ...owner, '--json'], {
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
  });
  if (stdout === '') throw new Error(stderr);
  const { account_id, api_key } = JSON.parse(stdout) as { account_id: string; api_key: string };
  return { id: account_id, headers: credentials(account_id, api_key) };
}
