/**
 * Measures the reads of one account while another account or a stranger puts each load of `test/support/loads` on one `rest` process: the 50th and
 * 99th percentile, idle and under the load, and the memory of the process before, during and after the load.
 *
 *   npx -y pnpm@12 bench:neighbours [seconds of each load, default 8] [part of the names of loads, or `at-once` for all loads at the same time]
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOADS, type LoadName } from '../test/support/loads/loads.ts';
import { type Figures, measureReads, startLoad } from '../test/support/loads/neighbor.ts';
import { fillMetadata, prepareTarget, seedBusyAccount } from '../test/support/loads/target.ts';
import { newAccount, openBenchDatabase } from './support/dataset.ts';
import { startService } from './support/servers.ts';

const SECONDS = Number(process.argv[2] ?? 8);
const PART = process.argv[3] ?? '';
const BUILT = process.env['REST_BUILT'];
const IDLE_SECONDS = 3;
const PAYOUTS = 10_000;

const bench = await openBenchDatabase();
const busy = await seedBusyAccount(bench.client, PAYOUTS);
await fillMetadata(bench.client, 'affiliate', 2_000);
// As autovacuum does within a minute. Otherwise it would do so during the first loads.
await bench.client.query('vacuum analyze');
const other = await newAccount(bench.services, 'other');
const rest = await startService(bench.url, {
  cli: BUILT === undefined ? undefined : resolve(BUILT, 'affiliate.js'),
  nodeOptions: (process.env['REST_OPTIONS'] ?? '').split(' ').filter((option) => option !== ''),
});
try {
  const headers = { 'x-api-key': other.api_key, 'x-account-id': other.account_id };
  const reads = (seconds: number) => measureReads(rest.origin, headers, seconds * 1_000);
  const target = await prepareTarget(bench.services, {
    url: rest.origin,
    accountId: busy,
    ownerEmail: 'owner@other.example.com',
  });
  await reads(IDLE_SECONDS);
  process.stdout.write(
    '| Load | Idle p50 / p99 (ms) | Under load p50 / p99 (ms) | Reads | Memory before / most / after (MiB) | Answers |\n|---|---|---|---|---|---|\n',
  );
  const all = Object.keys(LOADS) as LoadName[];
  const rounds = PART === 'at-once' ? [all] : all.filter((each) => each.includes(PART)).map((each) => [each]);
  for (const names of rounds) {
    const idle = await reads(IDLE_SECONDS);
    const before = memoryOf(rest.pid);
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, memoryOf(rest.pid))), 100);
    const loads = await Promise.all(names.map((name) => startLoad(name, target)));
    await sleep(500);
    const under = await reads(SECONDS);
    const answers = (await Promise.all(loads.map((load) => load.stop()))).reduce(sum, {});
    clearInterval(watch);
    await sleep(1_000);
    const memory = [before, most, memoryOf(rest.pid)].join(' / ');
    const text = Object.entries(answers)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
    process.stdout.write(
      `| ${names.length > 1 ? `all ${names.length} at once` : names[0]} | ${inWords(idle)} | ${inWords(under)} | ${under.reads} | ${memory} | ${text} |\n`,
    );
  }
} finally {
  await rest.stop();
  await bench.stop();
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const total = { ...one };
  for (const [status, count] of Object.entries(other)) total[status] = (total[status] ?? 0) + count;
  return total;
}

function inWords({ p50, p99 }: Figures): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(0)}`;
}

/** Returns the memory of a process, in MiB. */
function memoryOf(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1_024);
}
