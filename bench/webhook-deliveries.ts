/**
 * How many webhooks a second the worker delivers out of a backlog of 100,000, with 20 receivers that never answer among the others; and
 * how long an event that happens meanwhile takes to reach a receiver that works. Beside it, in the same run and to the same receiver: a
 * loop that posts the same number of bodies and does nothing else. The ratio is comparable between machines, the rates are not.
 *
 *   npx -y pnpm@12 bench:deliveries
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createAccount,
  createSecretBox,
  openDatabase,
  migrate,
  parseAllowedNetworks,
  type Services,
  StripeGateway,
  systemClock,
} from '@affiliate/core';
import { startWorker, WakeUpChannel } from '@affiliate/worker';
import { Client } from 'pg';
import { Pool } from 'undici';
import { openBenchPostgres } from './dataset.ts';

const EVENTS = 2_500;
const WORKING = 20;
const HUNG = 20;
/** Durations of the measurement of the worker and of the bare loop. */
const WINDOW_MS = 20_000;
const BARE_MS = 5_000;
const BARE_IN_FLIGHT = 16;
const PROBE_EVERY_MS = 100;

if (process.send === undefined) await main();
else receive();

/** In a process of its own, so that the receiver's work is not counted against the sender. `/hung` is never answered; `/probe` tells the time. */
function receive(): void {
  const server = createServer((request, response) => {
    if (request.url === '/hung') return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end('ok');
      if (request.url !== '/probe') return;
      const { occurred_at } = JSON.parse(Buffer.concat(chunks).toString()) as { occurred_at: string };
      process.send?.({ latency: Date.now() - Date.parse(occurred_at) });
    });
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

async function main(): Promise<void> {
  const server = await openBenchPostgres();
  const receiver = fork(fileURLToPath(import.meta.url));
  try {
    const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
    const origin = `http://127.0.0.1:${port}`;
    const before = await postsPerSecond(origin);
    const latencies: number[] = [];
    receiver.on('message', ({ latency }: { latency: number }) => latencies.push(latency));
    const { delivered, seconds, cpuMs } = await drain(server.url, origin);
    // Before and after: the machine may have other things to do.
    const bare = (before + (await postsPerSecond(origin))) / 2;
    const rate = delivered / seconds;
    latencies.sort((a, b) => a - b);
    const report = {
      bare_posts_per_second: Math.round(bare),
      deliveries_per_second: Math.round(rate),
      ratio: Number((rate / bare).toFixed(2)),
      worker_cpu_ms_per_delivery: Number((cpuMs / delivered).toFixed(3)),
      probes: latencies.length,
      probe_p50_ms: latencies[Math.floor(latencies.length * 0.5)],
      probe_p99_ms: latencies[Math.floor(latencies.length * 0.99)],
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } finally {
    receiver.kill();
    await server.stop();
  }
}

async function postsPerSecond(origin: string): Promise<number> {
  const pool = new Pool(origin);
  const body = sampleBody('evt_1', 'x'.repeat(300));
  const end = performance.now() + BARE_MS;
  let posts = 0;
  const sender = async () => {
    while (performance.now() < end) {
      const response = await pool.request({
        method: 'POST',
        path: '/hook',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await response.body.text();
      posts += 1;
    }
  };
  await Promise.all(Array.from({ length: BARE_IN_FLIGHT }, sender));
  await pool.close();
  return (posts * 1_000) / BARE_MS;
}

/** Watches a worker at its backlog, while an event for the probe endpoint happens now and then. */
async function drain(url: string, origin: string): Promise<{ delivered: number; seconds: number; cpuMs: number }> {
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  };
  const database = await openDatabase({ url });
  await migrate(database);
  const channel = new WakeUpChannel({ url, log });
  const services: Services = {
    database,
    clock: systemClock,
    log,
    secrets: createSecretBox('the secret key of the benchmark'),
    psp: new StripeGateway({ apiBase: 'http://127.0.0.1:9' }),
    wakeUps: channel.wakeUps,
    webhooks: { resolve: async () => [], allowed: parseAllowedNetworks('127.0.0.0/8') },
    mailer: { send: async () => {} },
    publicUrl: origin,
  };
  const client = new Client({ connectionString: url });
  await client.connect();
  const backlogOf = (await newAccount(services)).account_id;
  const probed = (await newAccount(services)).account_id;
  await fill(client, services, { accountId: backlogOf, origin });
  const probe = await addEndpoint(client, services, probed, `${origin}/probe`);

  const worker = await startWorker(services, { databaseUrl: url, wakeUps: channel });
  const start = performance.now();
  const cpu = process.cpuUsage();
  while (performance.now() < start + WINDOW_MS) {
    await emitProbe(client, services, probed, probe);
    await setTimeout(PROBE_EVERY_MS);
  }
  const { rows } = await client.query<{ delivered: number }>(
    `select count(*)::int as delivered from webhook_delivery where status = 'succeeded'`,
  );
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await worker.stop(1_000);
  await channel.close();
  await client.end();
  await database.close();
  return { delivered: rows[0]!.delivered, seconds, cpuMs: (user + system) / 1_000 };
}

function newAccount(services: Services) {
  return createAccount(services, {
    name: 'Bench',
    currency: 'USD',
    ownerEmail: `${crypto.randomUUID()}@example.com`,
    ownerPassword: 'correct horse battery staple',
  });
}

async function addEndpoint(client: Client, { secrets }: Services, accountId: string, url: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into webhook_endpoint (id, account_id, name, url, event_types, active, sealed_secret, created_at, updated_at)
     values (new_id('whe', now()), $1, 'Bench', $2, array['affiliate.created'], true, $3, now(), now()) returning id`,
    [accountId, url, secrets.seal('whsec_benchmark')],
  );
  return rows[0]!.id;
}

/** Endpoints that work and endpoints that hang, each with the same backlog. */
async function fill(
  client: Client,
  services: Services,
  { accountId, origin }: { accountId: string; origin: string },
): Promise<void> {
  for (let i = 0; i < WORKING; i += 1) await addEndpoint(client, services, accountId, `${origin}/hook`);
  for (let i = 0; i < HUNG; i += 1) await addEndpoint(client, services, accountId, `${origin}/hung`);
  await client.query(
    `insert into event (id, account_id, type, subject_id, body, occurred_at)
     select new_id('evt', now()), $1, 'affiliate.created', 'aff_1', $2, now() from generate_series(1, $3)`,
    [accountId, sampleBody('evt_1', 'x'.repeat(300)), EVENTS],
  );
  await client.query(
    `insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
     select new_id('dlv', now()), $1, endpoint.id, event.id, now(), now() from webhook_endpoint endpoint, event where endpoint.account_id = $1`,
    [accountId],
  );
  await client.query('analyze');
}

async function emitProbe(client: Client, { wakeUps }: Services, accountId: string, endpointId: string): Promise<void> {
  const now = new Date().toISOString();
  await client.query(
    `with happened as (
       insert into event (id, account_id, type, subject_id, body, occurred_at)
       values (new_id('evt', $2), $1, 'affiliate.created', 'aff_1', $3, $2) returning id)
     insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
     select new_id('dlv', $2), $1, $4, id, $2, $2 from happened`,
    [accountId, now, sampleBody('evt_1', '', now), endpointId],
  );
  wakeUps.deliveries([endpointId]);
}

function sampleBody(id: string, note: string, occurred_at = new Date().toISOString()): string {
  return JSON.stringify({ id, type: 'affiliate.created', occurred_at, data: { id: 'aff_1', note } });
}
