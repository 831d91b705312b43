import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { CLI, commandLine, environment, type Running, run, startProgram, untilWorking } from '../../app/program.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.ts';
import { SECRET_KEY, credentials } from '../../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../../support/smtp-server.ts';
import { type SmallDisk, mountSmallDisk } from './small-disk.ts';

/** Pause before the supervisor tries a failed start again. */
const RESTART_MS = 200;

/** Options of the processes, as in `deploy/`. */
const REST_OPTIONS = ['--max-old-space-size=320', '--max-semi-space-size=8'];
const WORKER_OPTIONS = ['--max-semi-space-size=2'];

/** `rest` processes, workers and a separate PostgreSQL, which tests may kill at any time. */
export interface Installation extends AsyncDisposable {
  /** Connection string that bypasses the proxy. After a failover, tests set it to the URL of the new primary. */
  databaseUrl: string;
  /** The network between the processes and PostgreSQL. */
  proxy: DatabaseProxy;
  /** The current `rest` processes. A restart replaces one with a new process. */
  rests: Running[];
  /** The first of `rests`. */
  readonly rest: Running;
  workers: ChildProcess[];
  /** Emits `death` when a process has exited. Emits `restart`, with the process that has exited, when its replacement works. */
  restarts: EventEmitter<{ death: []; restart: [ended: ChildProcess] }>;
  /** Settles when every process works. */
  allUp: () => Promise<void>;
  /** Returns the id of PostgreSQL's main process. */
  postmasterPid: () => Promise<number>;
  /** Runs SQL as the superuser, on a separate connection. */
  ask: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  /** Sets the workers' clocks ahead of the real time by this many milliseconds. */
  moveClock: (milliseconds: number) => Promise<void>;
  /** File with a pattern of SQL statements. A process that runs a matching statement kills itself soon afterwards; see kill-point.ts. */
  killPoint: string;
  /** Receives the emails. */
  smtp: TestSmtpServer;
  /** PostgreSQL's file system of limited size. Null if it was not requested, or cannot be mounted. */
  disk: SmallDisk | null;
}

/** Returns Node options that replace `Date` with a clock that is ahead by the number of milliseconds stored in `file`. */
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

/** A proxy between the processes and PostgreSQL, e.g. a connection pooler. */
interface Front extends AsyncDisposable {
  /** Connection string for the service's processes. Their connections then pass through this proxy. */
  url: string;
  /** Settings that the processes need for this proxy. */
  settings: Record<string, string>;
}

interface InstallationOptions {
  rests?: number;
  workers?: number;
  /** Makes processes kill themselves in the middle of work. With this option, processes start more slowly. */
  kills?: boolean;
  /** Probability with which a statement that matches the pattern in `killPoint` kills its process. Default: 1. */
  killChance?: number;
  /** Puts PostgreSQL on a small file system, which a test can fill. */
  smallDisk?: boolean;
  /** Starts an additional proxy. Without it, only `Installation.proxy` is between the processes and PostgreSQL. */
  front?: (databaseUrl: string) => Promise<Front>;
}

export async function startInstallation({
  rests = 1,
  workers = 2,
  kills = false,
  killChance = 1,
  smallDisk = false,
  front,
}: InstallationOptions = {}): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-storm-'));
  const sharedDirectory = await mkdtemp(join(tmpdir(), 'affiliate-storm-'));
  for (const each of [directory, sharedDirectory]) await chmod(each, 0o711);
  const disk = smallDisk ? await mountSmallDisk(directory) : null;
  // With synchronous_commit off, a killed PostgreSQL would lose the commits in its own buffers. With it on, commits are in the kernel's buffers. They
  // survive, because these tests kill processes, not machines.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'on',
    max_connections: 120,
    ...(disk && { max_wal_size: '256MB' }),
  };
  const postgres = await openEmbeddedPostgres({ dataDir: directory, sharedDirectory, settings });
  const before = await front?.(postgres.url);
  const proxy = await startDatabaseProxy(before?.url ?? postgres.url);
  const clockFile = join(sharedDirectory, 'clock');
  const killPoint = join(sharedDirectory, 'kill-point');
  const smtp = await startSmtpServer();
  const shared = {
    ...before?.settings,
    DATABASE_URL: proxy.url,
    SECRET_KEY,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'noreply@example.com',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  };

  const ask = async <Row extends object>(sql: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: installation.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  };
  const restarts = new EventEmitter<{ death: []; restart: [ended: ChildProcess] }>();
  const state = { isClosing: false, down: 0 };
  const supervise = (child: ChildProcess, start: () => Promise<void>) => {
    const restart = () => {
      if (state.isClosing) return;
      state.down += 1;
      restarts.emit('death');
      start().then(
        () => {
          state.down -= 1;
          return restarts.emit('restart', child);
        },
        () => undefined,
      );
    };
    if (hasEnded(child)) restart();
    else child.once('exit', restart);
  };
  // kill-point.ts works only with the sources, not with the production build.
  const program = kills ? CLI : await commandLine(shared);
  const preloaded = kills ? [`--import=${new URL('kill-point.ts', import.meta.url).href}`] : [];
  const withKillPoint = {
    KILL_POINT: killPoint,
    KILL_CHANCE: String(killChance),
    NODE_OPTIONS: [...REST_OPTIONS, ...preloaded].join(' '),
  };
  const startRest = async (place: number): Promise<void> => {
    try {
      installation.rests[place] = await startProgram(['rest'], { ...shared, ...withKillPoint, PORT: '0' });
    } catch (error) {
      if (state.isClosing || installation.rests[place] === undefined) throw error;
      // The process was killed before it listened, or did not reach the database.
      restarts.emit('death');
      await delay(RESTART_MS);
      return startRest(place);
    }
    supervise(installation.rests[place].child, () => startRest(place));
  };
  const startWorker = async (place: number): Promise<void> => {
    const env = environment({
      ...shared,
      ...withKillPoint,
      NODE_OPTIONS: [...WORKER_OPTIONS, movableClock(clockFile), ...preloaded].join(' '),
    });
    while (!state.isClosing) {
      const worker = spawn(process.execPath, [program, 'worker'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      installation.workers[place] = worker;
      try {
        return supervise(await untilWorking(worker), () => startWorker(place));
      } catch {
        // The worker was killed before it was ready, or could not reach the database.
        restarts.emit('death');
        await delay(RESTART_MS);
      }
    }
  };
  const installation: Installation = {
    databaseUrl: postgres.url,
    proxy,
    rests: [],
    get rest() {
      return installation.rests[0]!;
    },
    workers: [],
    restarts,
    allUp: async () => {
      while (state.down > 0) await once(restarts, 'restart');
    },
    postmasterPid: async () => {
      const [row] = await ask<{ pid: number }>(`select (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as pid`);
      return row!.pid;
    },
    ask,
    moveClock: (milliseconds) => writeFile(clockFile, String(milliseconds)),
    killPoint,
    smtp,
    disk,
    [Symbol.asyncDispose]: async () => {
      state.isClosing = true;
      await Promise.all(
        [...installation.rests.map(({ child }) => child), ...installation.workers].map(async (child) => {
          if (hasEnded(child)) return;
          child.kill('SIGKILL');
          await once(child, 'exit');
        }),
      );
      await smtp.close();
      await proxy[Symbol.asyncDispose]();
      await before?.[Symbol.asyncDispose]();
      await postgres.stop();
      await disk?.unmount();
      for (const each of [directory, sharedDirectory]) await rm(each, { recursive: true, force: true });
    },
  };
  // The first process migrates the database.
  for (let place = 0; place < rests; place += 1) await startRest(place);
  await Promise.all(Array.from({ length: workers }, (_, place) => startWorker(place)));
  return installation;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Creates an account, and returns the headers of a key with all permissions. */
export async function newMerchant({ databaseUrl }: Installation): Promise<{ id: string; headers: Record<string, string> }> {
  const command = ['account', 'create', '--name', 'Shop', '--owner-email', 'owner@example.com', '--json'];
  const { stdout, stderr } = await run(command, { DATABASE_URL: databaseUrl, SECRET_KEY }, 'correct horse battery staple');
  if (stdout === '') throw new Error(stderr);
  const { account_id, api_key } = JSON.parse(stdout) as { account_id: string; api_key: string };
  return { id: account_id, headers: credentials(account_id, api_key) };
}
