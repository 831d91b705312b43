/**
 * Measures the memory of a `rest` and a `worker` process: idle, and through minutes of mixed load at half of the machine's maximum rate. The webhooks
 * that result from the load are delivered.
 *
 *   npx -y pnpm@12 bench memory [--minutes 10] [--built dist] [--commissions 100000] [--rate N] [--rest-options OPTIONS]
 *     [--heap] [--snapshots DIR]
 *
 * `--built` is the directory of a production build (`npx -y pnpm@12 build`), which is measured instead of the sources. `--rest-options` are Node
 * options for `rest`. Default: the options in the deployment examples. `--heap` collects all garbage of both processes after the warm-up and at the
 * end, and prints the remaining memory. `--snapshots` writes heap snapshots at the same times. Writing snapshots raises the memory, so the figures of
 * such a run are not valid. Runs on Linux only, because it reads the memory of processes from /proc.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBenchDatabase, newAccount, seedEndpoints, seedLedger } from './support/dataset.ts';
import { type Request, measure, measureAtRate } from './support/load.ts';
import { type Row, rowsOf } from './support/rows.ts';
import { type Server, startReceiver, startService, startWorker } from './support/servers.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    minutes: { type: 'string', default: '10' },
    built: { type: 'string' },
    commissions: { type: 'string', default: '100000' },
    rate: { type: 'string' },
    'rest-options': { type: 'string', default: '--max-old-space-size=512 --max-semi-space-size=8' },
    heap: { type: 'boolean', default: false },
    snapshots: { type: 'string' },
  },
});
const MINUTES = Number(options.minutes);
const CONNECTIONS = 32;
const IDLE_MS = 30_000;
const FULL_RATE_SECONDS = 10;
/** Maximum share of refused requests. If more requests are refused, the figures are meaningless. */
const MAX_REFUSED = 0.05;
const EVERY_MS = 10_000;
/** Minutes at the start that do not count towards the slope, because code is still being compiled and buffers are filling. */
const WARM_UP_MINUTES = Math.min(2, MINUTES / 2);
const MIB = 1024;
const HEAP_FIGURES = ['--expose-gc', '--import', fileURLToPath(new URL('support/heap-figures.ts', import.meta.url))];
/** Time for a process to collect its garbage and print its memory. */
const COLLECTION_MS = 1_000;
/** One in this many requests lists all eligible payouts. Its response has some thousands of records. */
const RARELY = 200;
const EVENTS = ['commission.created', 'affiliate.created', 'affiliate.approved', 'referral.created'];

interface Sample {
  minute: number;
  rest: number;
  worker: number;
}

const bench = await openBenchDatabase();
const receiver = await startReceiver();
const servers: Server[] = [];
try {
  const { account_id, api_key } = await newAccount(bench.services);
  const commissions = Number(options.commissions);
  await seedLedger(bench.client, account_id, commissions);
  await seedEndpoints(bench, { account: account_id, url: receiver.url, number: 2, types: EVENTS });
  const cli = options.built === undefined ? undefined : resolve(options.built, 'affiliate.js');
  const watched = options.heap ? HEAP_FIGURES : snapshotOptions();
  const restOptions = options['rest-options'].split(' ').filter((option) => option !== '');
  const rest = await startService(bench.url, { cli, nodeOptions: [...restOptions, ...watched] });
  servers.push(rest);
  const worker = await startWorker(bench.url, { cli, nodeOptions: ['--max-semi-space-size=2', ...watched] });
  servers.push(worker);
  const memory = () => ({ rest: memoryOf(rest), worker: memoryOf(worker) });

  await sleep(IDLE_MS);
  const idle = memory();
  note(`idle: rest ${idle.rest} MiB, worker ${idle.worker} MiB`);
  const mixed = mixOf(await rowsOf(bench.client, { account_id, api_key, commissions }));
  const rate = options.rate === undefined ? (await fullRate(rest, mixed)) / 2 : Number(options.rate);
  note(`${MINUTES} minutes of ${Math.round(rate)} requests a second`);

  const samples: Sample[] = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 60_000;
  const watch = setInterval(() => {
    samples.push({ minute: elapsed(), ...memory() });
    note(`${elapsed().toFixed(1)} min: rest ${samples.at(-1)!.rest} MiB, worker ${samples.at(-1)!.worker} MiB`);
  }, EVERY_MS);
  const warm = setTimeout(() => look(), WARM_UP_MINUTES * 60_000);
  const load = { seconds: MINUTES * 60, connections: CONNECTIONS, mayRefuse: true };
  const { perSecond, p99, serverMs, foreign, refused } = await measureAtRate(rest, mixed, { rate, ...load });
  clearInterval(watch);
  clearTimeout(warm);
  look();
  report(idle, samples);
  note(
    `${Math.round(perSecond)} answered a second, p99 ${p99.toFixed(1)} ms, ${serverMs.toFixed(2)} ms of rest's processor time each, ${(refused * 100).toFixed(1)} % refused, foreign load ${Math.round(foreign * 100)} %`,
  );
  if (options.heap) await sleep(COLLECTION_MS);
  if (refused > MAX_REFUSED)
    throw new Error('Too many requests were refused, and refused requests use no memory. Set a lower --rate.');
} finally {
  for (const server of servers) await server.stop();
  receiver.stop();
  await bench.stop();
}

/** Returns a function that returns each kind of request in turn. */
function mixOf(rows: readonly Row[]): () => Request {
  const often = rows.filter(({ key }) => key !== 'eligible' && key !== 'list-uncounted');
  const rare = rows.find(({ key }) => key === 'eligible')!;
  let sent = 0;
  return () => {
    sent += 1;
    return (sent % RARELY === 0 ? rare : often[sent % often.length]!).service();
  };
}

async function fullRate(rest: Server, mixed: () => Request): Promise<number> {
  return (await measure(rest, mixed, { seconds: FULL_RATE_SECONDS, connections: CONNECTIONS, mayRefuse: true })).perSecond;
}

/** Returns the resident memory in MiB. */
function memoryOf({ pid }: Server): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / MIB);
}

function snapshotOptions(): string[] {
  if (options.snapshots === undefined) return [];
  mkdirSync(options.snapshots, { recursive: true });
  return ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${resolve(options.snapshots)}`];
}

/** Makes both processes print their heap figures or write snapshots, if the options ask for it. */
function look(): void {
  if (options.heap || options.snapshots !== undefined) for (const { pid } of servers) process.kill(pid, 'SIGUSR2');
}

function report(idle: Omit<Sample, 'minute'>, samples: readonly Sample[]): void {
  const at = (minute: number) => samples.findLast((sample) => sample.minute <= minute + 0.05) ?? samples[0]!;
  const steady = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES);
  const half = MINUTES / 2;
  const lines = (['rest', 'worker'] as const).map((name) => {
    const cells = [name, idle[name], at(half)[name], at(MINUTES)[name], Math.max(...samples.map((sample) => sample[name]))];
    const slope = slopeOf(steady.map((sample) => [sample.minute, sample[name]]));
    return `| ${[...cells, slope.toFixed(2)].join(' | ')} |\n`;
  });
  process.stdout.write(
    `| process | idle MiB | after ${half} min | after ${MINUTES} min | most | MiB per minute after ${WARM_UP_MINUTES} min |\n|---|---:|---:|---:|---:|---:|\n${lines.join('')}`,
  );
}

/** Returns the slope of the straight line through the points, by least squares. */
function slopeOf(points: [number, number][]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
  const covariance = mean(points.map((point) => (point[0] - x) * (point[1] - y)));
  return covariance / mean(points.map((point) => (point[0] - x) ** 2));
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
