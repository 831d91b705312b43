import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Server } from './servers.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time per request, in milliseconds: `serverMs` of the server's process, `databaseMs` of PostgreSQL. */
  serverMs: number;
  databaseMs: number;
  statements: number;
  /** Share of the machine's processor time that other programs used. */
  foreign: number;
  /** Share of the requests that were refused. 0 unless `mayRefuse` is set. */
  refused: number;
}

const WARM_UP = 200;
const CLOCK_TICK_MS = 10;
const H2LOAD_PATHS = 500;

interface Load {
  seconds: number;
  connections: number;
  /**
   * Number of requests after which a round ends, instead of after `seconds`. The warm-up sends the same number. Meant for busy machines, which
   * may answer too few requests within `seconds`.
   */
  requests?: number | undefined;
  /** True if the server may refuse requests (429, 503) when it is busy. Refused requests are not counted as answered. */
  mayRefuse?: boolean;
}

const REFUSED = new Set([429, 503]);

/** Measures requests that are sent for a while over a fixed number of connections, after some requests that warm up the code. */
export function measure(server: Server, make: () => Request, load: Load): Promise<Round> {
  return measured(server, make, load, async (send, isOver) => {
    const sender = async () => {
      while (!isOver()) await send();
    };
    await Promise.all(Array.from({ length: load.connections }, sender));
  });
}

/** Sends requests for some seconds without measuring them, so that V8 compiles the code that the requests run often. */
export async function warmUp(server: Server, make: () => Request, { seconds, connections }: Load): Promise<void> {
  const pool = new Pool(server.origin, { connections });
  const end = performance.now() + seconds * 1_000;
  const sender = async () => {
    while (performance.now() < end) await (await pool.request(make())).body.dump();
  };
  await Promise.all(Array.from({ length: connections }, sender));
  await pool.close();
}

/**
 * Measures `rate` requests per second. Sends each request on time, even if earlier requests have no answer yet. The response time of a request
 * includes the time that it waits for a free connection.
 */
export function measureAtRate(server: Server, make: () => Request, { rate, ...load }: Load & { rate: number }): Promise<Round> {
  return measured(server, make, load, async (send, isOver) => {
    const start = performance.now();
    const sent: Promise<void>[] = [];
    const failures: unknown[] = [];
    while (!isOver() && failures.length === 0) {
      while (sent.length < ((performance.now() - start) * rate) / 1_000)
        sent.push(send().catch((error: unknown) => void failures.push(error)));
      await sleep(1);
    }
    await Promise.all(sent);
    if (failures.length > 0) throw failures[0];
  });
}

/**
 * Works like `measureAtRate`, but with `h2load` of nghttp2 as the client instead of this process. `h2load` needs much less processor time, which
 * leaves more to the server. All requests have the headers of the first request.
 */
export async function measureAtRateByH2load(
  server: Server,
  make: () => Request,
  { rate, ...load }: Load & { rate: number },
): Promise<Round> {
  const { seconds, connections } = load;
  await measure(server, make, { ...load, seconds: 1 });
  const folder = await mkdtemp(join(tmpdir(), 'affiliate-bench-'));
  const [paths, log] = [join(folder, 'paths'), join(folder, 'log')];
  const requests = Array.from({ length: H2LOAD_PATHS }, make);
  await writeFile(paths, requests.map(({ path }) => `${server.origin}${path}\n`).join(''));
  const headers = Object.entries(requests[0]!.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const perConnection = String(rate / connections);
  // Connections are opened one after the other at the rate of the requests. If all were opened at once, they would all send at the same
  // moments.
  const periodMs = 1_000 / greatestCommonDivisor(rate, 1_000);
  const spread = ['-r', String((rate * periodMs) / 1_000), '--rate-period', `${periodMs}ms`];
  const total = String(rate * seconds);
  const args = [
    '--h1',
    '-c',
    String(connections),
    '--rps',
    perConnection,
    '-n',
    total,
    ...spread,
    '-i',
    paths,
    '--log-file',
    log,
  ];
  try {
    const round = await accounted(server, async () => {
      const [code] = (await once(spawn('h2load', [...args, ...headers], { stdio: 'ignore' }), 'exit')) as [number | null];
      if (code !== 0) throw new Error(`h2load ended with ${code}`);
      const rows = (await readFile(log, 'utf8')).trim().split('\n');
      return rows.map((row) => {
        const [, status, microseconds] = row.split('\t').map(Number);
        if (!(status! >= 200 && status! < 400)) throw new Error(`status ${status}`);
        return microseconds! / 1_000;
      });
    });
    return { ...round, refused: 0 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

async function measured(
  server: Server,
  make: () => Request,
  { seconds, connections, requests, mayRefuse = false }: Load,
  until: (send: () => Promise<void>, isOver: () => boolean) => Promise<void>,
): Promise<Round> {
  const pool = new Pool(server.origin, { connections });
  const times: number[] = [];
  let refused = 0;
  const send = async () => {
    const start = performance.now();
    const { statusCode, body } = await pool.request(make());
    const text = await body.text();
    if (mayRefuse && REFUSED.has(statusCode)) {
      refused += 1;
      return;
    }
    if (statusCode >= 400) throw new Error(`${statusCode}: ${text}`);
    times.push(performance.now() - start);
  };
  const warm = performance.now() + seconds * 1_000;
  const isWarm = () => times.length >= WARM_UP || performance.now() > warm;
  await until(send, requests === undefined ? isWarm : () => times.length >= requests);
  times.length = 0;
  refused = 0;
  const round = await accounted(server, async () => {
    const start = performance.now();
    const isOver = () => performance.now() >= start + seconds * 1_000;
    await until(send, requests === undefined ? isOver : () => times.length >= requests);
    return times;
  });
  await pool.close();
  return { ...round, refused: refused / (refused + times.length) };
}

/** Measures work that returns the response times of its requests, in milliseconds. */
async function accounted(server: Server, work: () => Promise<number[]>): Promise<Omit<Round, 'refused'>> {
  const { pid } = server;
  const before = { ...usage(pid), statements: await server.statements() };
  const start = performance.now();
  const times = await work();
  const elapsed = performance.now() - start;
  const after = { ...usage(pid), statements: await server.statements() };
  times.sort((a, b) => a - b);
  const spent = (name: keyof typeof after) => after[name] - before[name];
  return {
    perSecond: (times.length * 1_000) / elapsed,
    p50: times[Math.floor(times.length * 0.5)]!,
    p99: times[Math.floor(times.length * 0.99)]!,
    serverMs: spent('server') / times.length,
    databaseMs: spent('database') / times.length,
    statements: spent('statements') / times.length,
    foreign:
      Math.max(0, spent('machine') - spent('server') - spent('database') - spent('own')) / (elapsed * availableParallelism()),
  };
}

/** Returns the processor time used so far, in milliseconds: by a server, by this program's PostgreSQL, by this process and by the whole machine. */
function usage(server: number) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
  const children = new Set(processes.filter(({ parent }) => parent === process.pid).map(({ pid }) => pid));
  // PostgreSQL is a grandchild of this process, because postgres-process.ts starts it.
  const postmasters = processes.filter(({ parent, command }) => children.has(parent) && command.startsWith('postgres'));
  const isDatabase = (parent: number, pid: number) => postmasters.some((each) => each.pid === parent || each.pid === pid);
  const machine = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0, steal = 0] = machine;
  return {
    server: processOf(server)?.ms ?? 0,
    database: processes.filter(({ parent, pid }) => isDatabase(parent, pid)).reduce((sum, { ms }) => sum + ms, 0),
    // Includes client processes that this process started and that have ended (`h2load`).
    own: processOf(process.pid)!.ms,
    machine: (user + nice + system + interrupt + softInterrupt + steal) * CLOCK_TICK_MS,
  };
}

/** Returns the processor time since the start, in milliseconds, of some processes or of this program's PostgreSQL. */
export function cpuMsOf(which: readonly number[] | 'database'): number {
  if (which === 'database') return usage(process.pid).database;
  return which.reduce((sum, pid) => sum + (processOf(pid)?.ms ?? 0), 0);
}

/** Reads a process from /proc. Null if the process has just ended. */
function processOf(pid: number): { pid: number; parent: number; command: string; ms: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    // Includes the time of children that have ended, because PostgreSQL closes idle connections during a run.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), command, ms: ticks * CLOCK_TICK_MS };
  } catch {
    return null;
  }
}
