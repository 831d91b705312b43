/**
 * Measures the clicks per second of one `rest` process, of bare Express and `pg` (which does the same writes with one prepared statement per
 * click), and of another version of the service, in alternating rounds on one database.
 *
 *   npx -y pnpm@12 bench redirects [--former DIR] [--rounds 3] [--seconds 5] [--connections 32] [--rate 2000] [--h2load]
 *
 * `--former` is the checkout of the other version, with packages installed. After the rounds of full load, each server gets `--rate` evenly
 * spread clicks per second, which show how long a visitor waits. On a machine with few processors, use `--h2load` (Debian package
 * `nghttp2-client`), a client that needs little processor time.
 * Runs on Linux only, because it reads processor times from /proc.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assertSameReplies } from './support/compare.ts';
import { openBenchDatabase, seedLedger, newAccount } from './support/dataset.ts';
import { type Round, measure, measureAtRate, measureAtRateByH2load, warmUp } from './support/load.ts';
import { rowsOf } from './support/rows.ts';
import { type Server, startLimit, startService } from './support/servers.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    former: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    rate: { type: 'string', default: '2000' },
    h2load: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, connections, rate] = [options.rounds, options.seconds, options.connections, options.rate].map(Number) as [
  number,
  number,
  number,
  number,
];

/** Time after which V8 has compiled the code that a click runs. */
const WARM_UP_SECONDS = 10;

const atRate = options.h2load ? measureAtRateByH2load : measureAtRate;
const bench = await openBenchDatabase();
const servers = new Map<string, Server>();
try {
  const { account_id, api_key } = await newAccount(bench.services);
  await seedLedger(bench.client, account_id, 10_000);
  servers.set('service', await startService(bench.url));
  servers.set('limit', await startLimit(bench.url));
  if (options.former !== undefined)
    servers.set('former', await startService(bench.url, { cli: resolve(options.former, 'packages/app/src/cli.js') }));
  const row = (await rowsOf(bench.client, { account_id, api_key, commissions: 10_000 })).find(({ key }) => key === 'click')!;
  await assertSameReplies(row, { service: servers.get('service')!, limit: servers.get('limit')! });
  const measured = new Map<string, Round[]>();
  const add = (name: string, round: Round) => measured.set(name, [...(measured.get(name) ?? []), round]);
  for (const server of servers.values()) await warmUp(server, row.service, { seconds: WARM_UP_SECONDS, connections });
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of servers) add(name, await measure(server, row.service, { seconds, connections }));
    for (const [name, server] of servers)
      add(`${name} at ${rate}/s`, await atRate(server, row.service, { seconds, connections, rate }));
  }
  process.stdout.write(
    `| server | clicks/s | p50 ms | p99 ms | statements | CPU ms: node + database | foreign load |\n|---|---:|---:|---:|---:|---:|---:|\n`,
  );
  for (const [name, all] of measured) {
    const { perSecond, p50, p99, statements, serverMs, databaseMs, foreign } = middle(all);
    const cells = [
      name,
      Math.round(perSecond),
      p50.toFixed(1),
      p99.toFixed(1),
      statements.toFixed(2),
      `${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)}`,
      `${Math.round(foreign * 100)} %`,
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
} finally {
  for (const server of servers.values()) await server.stop();
  await bench.stop();
}

/** Returns the round with the median rate. */
function middle(all: readonly Round[]): Round {
  return all.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(all.length / 2)]!;
}
