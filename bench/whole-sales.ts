/**
 * Measures complete sales under sustained load: each is reported over HTTP, earns a commission, and its webhook is delivered to each endpoint
 * and recorded. Runs with one `rest` and one `worker` process on one PostgreSQL, and with two of each. Every event must be delivered once.
 *
 *   npx -y pnpm@12 bench whole-sales [--sales 4000] [--endpoints 1] [--processes 1,2] [--connections 32]
 *
 * Runs on Linux only, because it reads processor times from /proc.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { Pool } from 'undici';
import { openBenchDatabase, seedEndpoints, seedLedger, newAccount } from './support/dataset.ts';
import { cpuMsOf } from './support/load.ts';
import { type Row, rowsOf } from './support/rows.ts';
import { type Server, startReceiver, startService, startWorker } from './support/servers.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    sales: { type: 'string', default: '4000' },
    endpoints: { type: 'string', default: '1' },
    processes: { type: 'string', default: '1,2' },
    connections: { type: 'string', default: '32' },
  },
});
const SALES = Number(options.sales);
const CONNECTIONS = Number(options.connections);
/**
 * Number of endpoints. All deliveries to an endpoint are made by one worker process, so two processes share the work only if there are
 * several endpoints.
 */
const ENDPOINTS = Number(options.endpoints);
const POLL_MS = 50;

const bench = await openBenchDatabase();
const receiver = await startReceiver();
try {
  const { account_id, api_key } = await newAccount(bench.services);
  await seedLedger(bench.client, account_id, 10_000);
  await seedEndpoints(bench, { account: account_id, url: receiver.url, number: ENDPOINTS, types: ['commission.created'] });
  const sale = (await rowsOf(bench.client, { account_id, api_key, commissions: 10_000 })).find(({ key }) => key === 'sale')!;
  const lines = [
    '| processes | sales/s | deliveries/s | CPU ms of a sale: rest + worker + database | deliveries | made twice |',
    '|---|---:|---:|---:|---:|---:|',
  ];
  for (const number of options.processes.split(',').map(Number)) lines.push(await measure(bench.client, bench.url, sale, number));
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  receiver.stop();
  await bench.stop();
}

async function measure(client: Client, url: string, sale: Row, number: number): Promise<string> {
  const started: Server[] = [];
  try {
    for (let i = 0; i < number; i += 1) started.push(await startService(url), await startWorker(url));
    const rests = started.filter((_, i) => i % 2 === 0);
    const workers = started.filter((_, i) => i % 2 === 1);
    await report(rests, sale, SALES / 10);
    await delivered(client);
    await client.query('truncate webhook_attempt, webhook_delivery, event cascade');
    const cpu = () => ({
      rest: cpuMsOf(rests.map(({ pid }) => pid)),
      worker: cpuMsOf(workers.map(({ pid }) => pid)),
      database: cpuMsOf('database'),
    });
    const before = cpu();
    const start = performance.now();
    await report(rests, sale, SALES);
    await delivered(client);
    const seconds = (performance.now() - start) / 1_000;
    const after = cpu();
    const perSale = (name: keyof typeof before) => ((after[name] - before[name]) / SALES).toFixed(2);
    const { rows } = await client.query<{ deliveries: number; twice: number }>(
      `select count(*)::int as deliveries, count(*) filter (where attempts <> 1 or status <> 'succeeded')::int as twice from webhook_delivery`,
    );
    const { deliveries, twice } = rows[0]!;
    if (deliveries !== SALES * ENDPOINTS) throw new Error(`${SALES} sales have ${deliveries} deliveries.`);
    const cells = [
      `${number} rest, ${number} worker`,
      Math.round(SALES / seconds),
      Math.round(deliveries / seconds),
      `${perSale('rest')} + ${perSale('worker')} + ${perSale('database')}`,
      deliveries,
      twice,
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    for (const server of started) await server.stop();
  }
}

/** Reports sales to all `rest` processes in turn. */
async function report(servers: readonly Server[], sale: Row, count: number): Promise<void> {
  const pools = servers.map(({ origin }) => new Pool(origin, { connections: CONNECTIONS / servers.length }));
  let sent = 0;
  const sender = async (_: unknown, connection: number) => {
    while (sent < count) {
      sent += 1;
      const { statusCode, body } = await pools[connection % pools.length]!.request(sale.service());
      const text = await body.text();
      if (statusCode !== 201) throw new Error(`${statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  for (const pool of pools) await pool.close();
}

/** Resolves when every delivery has been made and recorded. */
async function delivered(client: Client): Promise<void> {
  const isDue = async () =>
    (await client.query('select from webhook_delivery where next_attempt_at is not null limit 1')).rowCount === 1;
  while (await isDue()) await setTimeout(POLL_MS);
}
