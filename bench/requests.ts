/**
 * How many requests a second one process answers, of the kinds that programs send most, against a bare express application that does the
 * same by one statement, in one run on the same PostgreSQL. The ratio is the price of credentials, permissions, checked input and output,
 * attribution and events; it is comparable between machines, the rates are not.
 *
 * It reads the processes' time from /proc: Linux only.
 *
 *   npx -y pnpm@12 bench:requests
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createAccount } from '@affiliate/core';
import express from 'express';
import { Pool as Database } from 'pg';
import { Pool } from 'undici';
import { openBenchDatabase } from './dataset.ts';

const ROUND_MS = 4_000;
const ROUNDS = 2;
const IN_FLIGHT = 8;
/** Sales of one affiliate wait for each other; these are of many, in turn. */
const AFFILIATES = 64;
const CLI = fileURLToPath(new URL('../packages/app/src/cli.js', import.meta.url));
const CLOCK_TICK_MS = 10;

interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}
type Maker = () => Request;

if (process.send === undefined) await main();
else await answerBarely();

/** The baseline, in a process of its own as the service is. */
async function answerBarely(): Promise<void> {
  const database = new Database({ connectionString: process.env['DATABASE_URL'], max: 10 });
  await database.query('create table if not exists bare_sale (id bigint generated always as identity primary key, body jsonb)');
  const app = express().use(express.json());
  app.get('/campaigns/:id', async (request, response) => {
    const { rows } = await database.query('select * from campaign where id = $1', [request.params.id]);
    response.json(rows[0]);
  });
  app.get('/commissions', async (_request, response) => {
    const { rows } = await database.query('select * from commission order by id limit 50');
    response.json({ data: rows });
  });
  app.post('/sales', async (request, response) => {
    const { rows } = await database.query('insert into bare_sale (body) values ($1) returning id', [request.body]);
    response.status(201).json(rows[0]);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}

async function main(): Promise<void> {
  const bench = await openBenchDatabase();
  const children: ChildProcess[] = [];
  try {
    const { account_id, api_key } = await createAccount(bench.services, {
      name: 'Bench',
      currency: 'USD',
      ownerEmail: 'owner@example.com',
      ownerPassword: 'correct horse battery staple',
    });
    const headers = { 'x-api-key': api_key, 'x-account-id': account_id, 'content-type': 'application/json' };
    const bare = await startBare(bench.url, children);
    const service = await startService(bench.url, children);
    const call = async <Body>(path: string, body: object) => {
      const reply = await fetch(`${service.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
      return (await reply.json()) as Body;
    };
    const campaign = await call<{ id: string }>('/api/v1/campaigns', {
      name: 'Bench',
      url: 'https://shop.example.com/',
      reward_type: 'percent',
      commission_percent: 10,
    });
    const referrals: string[] = [];
    for (let i = 0; i < AFFILIATES; i += 1) {
      const { id: affiliate_id } = await call<{ id: string }>('/api/v1/affiliates', {
        email: `ada${i}@example.com`,
        campaign_id: campaign.id,
      });
      const { id } = await call<{ id: string }>('/api/v1/referrals', { affiliate_id, campaign_id: campaign.id });
      referrals.push(id);
    }
    let orders = 0;
    const sale = () => {
      orders += 1;
      const referral_id = referrals[orders % AFFILIATES];
      return JSON.stringify({ external_id: `order-${orders}`, referral_id, amount_cents: 10_000, currency: 'USD' });
    };
    for (let i = 0; i < 60; i += 1) await call('/track/sales', JSON.parse(sale()) as object);

    const kinds: [name: string, service: Maker, bare: Maker][] = [
      [
        'read_campaign',
        () => ({ method: 'GET', path: `/api/v1/campaigns/${campaign.id}`, headers }),
        () => ({ method: 'GET', path: `/campaigns/${campaign.id}` }),
      ],
      [
        'list_50_commissions',
        () => ({ method: 'GET', path: '/api/v1/commissions?limit=50', headers }),
        () => ({ method: 'GET', path: '/commissions' }),
      ],
      [
        'record_sale',
        () => ({ method: 'POST', path: '/track/sales', headers, body: sale() }),
        () => ({ method: 'POST', path: '/sales', headers: { 'content-type': 'application/json' }, body: sale() }),
      ],
    ];
    for (const [name, ofService, ofBare] of kinds) {
      const rounds: { bare: Speed; service: Speed }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({ bare: await measure(bare, ofBare), service: await measure(service, ofService) });
      }
      const mean = (pick: (round: { bare: Speed; service: Speed }) => number) =>
        rounds.reduce((sum, r) => sum + pick(r), 0) / ROUNDS;
      const report = {
        kind: name,
        service_per_second: Math.round(mean((r) => r.service.perSecond)),
        bare_per_second: Math.round(mean((r) => r.bare.perSecond)),
        ratio: Number((mean((r) => r.service.perSecond) / mean((r) => r.bare.perSecond)).toFixed(2)),
        service_cpu_ms: Number(mean((r) => r.service.cpuMs).toFixed(2)),
        bare_cpu_ms: Number(mean((r) => r.bare.cpuMs).toFixed(2)),
      };
      process.stdout.write(`${JSON.stringify(report)}\n`);
    }
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => ended(child)));
    await bench.stop();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

interface Speed {
  perSecond: number;
  /** Of the server's process, a request. */
  cpuMs: number;
}

interface Server {
  origin: string;
  pid: number;
}

async function startBare(url: string, children: ChildProcess[]): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, DATABASE_URL: url } });
  children.push(child);
  const [port] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The baseline did not start'))),
  ])) as [number];
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid! };
}

async function startService(url: string, children: ChildProcess[]): Promise<Server> {
  const unlimited = '100000000';
  const child = fork(CLI, ['rest'], {
    silent: true,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      SECRET_KEY: 'the secret key of the benchmarks',
      PORT: '0',
      LOG_LEVEL: 'debug',
      RATE_LIMIT_PER_MINUTE: unlimited,
      RATE_LIMIT_PUBLIC_PER_MINUTE: unlimited,
    },
  });
  children.push(child);
  child.stderr!.pipe(process.stderr);
  // Some seconds after its start the process loads more code ahead, which must not count into any request.
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The service did not start')));
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output += output.includes('loaded ahead') ? '' : chunk;
      const [, found] = /"url":"([^"]+)","msg":"listening"/.exec(output) ?? [];
      if (found && output.includes('loaded ahead')) resolve(found);
    });
  });
  return { origin, pid: child.pid! };
}

/** Sends for a while, after as many requests as warm the code up. */
async function measure({ origin, pid }: Server, make: Maker): Promise<Speed> {
  const pool = new Pool(origin, { connections: IN_FLIGHT });
  const send = async () => {
    const { statusCode, body } = await pool.request(make());
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`${statusCode}: ${text}`);
  };
  for (let i = 0; i < 300; i += 1) await send();
  const cpu = cpuMsOf(pid);
  const start = performance.now();
  let sent = 0;
  const sender = async () => {
    while (performance.now() < start + ROUND_MS) {
      await send();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sender));
  const elapsed = performance.now() - start;
  await pool.close();
  return { perSecond: (sent * 1_000) / elapsed, cpuMs: (cpuMsOf(pid) - cpu) / sent };
}

/** User and system time of a process. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}
