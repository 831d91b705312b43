/**
 * Measures the number of webhooks per second that the worker takes from a backlog, delivers and records. Compares this rate with a loop that posts
 * the same deliveries and records them in groups. Also measures the time from the commit of an event to the first byte at a receiver. The rates
 * depend on the machine, but their ratios hardly do.
 *
 *   npx -y pnpm@12 bench deliveries
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  createAccount,
  createSecretBox,
  migrate,
  openDatabase,
  parseAllowedNetworks,
  type Services,
  systemClock,
  createPayoutMethods,
  createSources,
} from '@affiliate/core';
import { JobQueue, JobSender, startWorker, type Worker } from '@affiliate/worker';
import { Client } from 'pg';
import { openBenchPostgres } from './support/dataset.ts';
import { rawAndBatch } from './support/deliveries/raw-and-batch.ts';

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '200' },
    backlog: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const OPTIONS = {
  endpoints: Number(values.endpoints),
  backlog: Number(values.backlog),
  rounds: Number(values.rounds),
  windowMs: Number(values.seconds) * 1_000,
};
const PROBES = 200;
const PROBE_EVERY_MS = 25;

/** Behaviors of the receivers. `path` is the path of the endpoints' URLs. `hung` is the number of endpoints that never answer. */
const SCENARIOS = [
  { key: 'at-once', name: 'all answer at once', path: '/hook', hung: 0 },
  { key: 'uneven', name: '1 % of calls hang 2 s', path: '/uneven', hung: 0 },
  { key: 'silent', name: '20 endpoints never answer', path: '/hook', hung: 20 },
];

interface Setting {
  services: Services;
  client: Client;
  url: string;
  origin: string;
  latencies: number[];
}

const postgres = await openBenchPostgres();
const receiver = fork(fileURLToPath(new URL('support/deliveries/receiver.ts', import.meta.url)));
try {
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const latencies: number[] = [];
  receiver.on('message', ({ latency }: { latency: number }) => latencies.push(latency));
  await run(postgres.url, `http://127.0.0.1:${port}`, latencies);
} finally {
  receiver.kill();
  await postgres.stop();
}

async function run(url: string, origin: string, latencies: number[]): Promise<void> {
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  };
  const database = await openDatabase({ url });
  await migrate(database);
  const jobs = new JobSender({ url, log });
  const services: Services = {
    database,
    clock: systemClock,
    log,
    secrets: createSecretBox('the secret key of the benchmark'),
    sources: createSources({ apiBase: 'http://127.0.0.1:9' }),
    payoutMethods: createPayoutMethods(),
    jobs,
    webhooks: { resolve: async () => [], allowed: parseAllowedNetworks('127.0.0.0/8') },
    readPage: async () => 'unreachable',
    readDocument: async () => null,
    resolveTexts: async () => [],
    mailer: { send: async () => {} },
    publicUrl: origin,
  };
  const client = new Client({ connectionString: url });
  await client.connect();
  const setting = { services, client, url, origin, latencies };
  const lines = [
    '| deliveries, recorded | worker/s | raw + batch/s | ratio | CPU ms worker | raw + batch |',
    '|---|---:|---:|---:|---:|---:|',
  ];
  const only = values.only?.split(',');
  for (const scenario of SCENARIOS) if (!only || only.includes(scenario.key)) lines.push(await compare(setting, scenario));
  if (!only || only.includes('latency')) lines.push('', await latency(setting));
  process.stdout.write(`${lines.join('\n')}\n`);
  await jobs.close();
  await client.end();
  await database.close();
}

/** Measures the worker and the limit in alternating rounds, each with a new backlog. Returns a row of the table. */
async function compare(setting: Setting, { key, name, path, hung }: (typeof SCENARIOS)[number]): Promise<string> {
  const worker = { delivered: 0, ms: 0, cpu: 0 };
  const limit = { delivered: 0, ms: 0, cpu: 0 };
  const timed = async (sums: typeof worker, work: () => Promise<number>) => {
    await fill(setting, path, hung);
    const cpu = process.cpuUsage();
    const start = performance.now();
    sums.delivered += await work();
    sums.ms += performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    sums.cpu += (user + system) / 1_000;
  };
  for (let round = 0; round < OPTIONS.rounds; round += 1) {
    await timed(worker, () => profiled(`${key}-${round}`, () => deliver(setting)));
    await timed(limit, () => {
      const end = performance.now() + OPTIONS.windowMs;
      return rawAndBatch(setting.url, setting.origin, () => performance.now() > end);
    });
  }
  const rate = (sums: typeof worker) => (sums.delivered * 1_000) / sums.ms;
  const cells = [
    name,
    Math.round(rate(worker)),
    Math.round(rate(limit)),
    (rate(worker) / rate(limit)).toFixed(2),
    (worker.cpu / worker.delivered).toFixed(3),
    (limit.cpu / limit.delivered).toFixed(3),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Does the work. Also writes a CPU profile if the option `--profile` is set. */
async function profiled<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (values.profile === undefined) return work();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  await mkdir(values.profile, { recursive: true });
  await writeFile(join(values.profile, `${name}.cpuprofile`), JSON.stringify(profile));
  return result;
}

async function deliver({ services, client, url }: Setting): Promise<number> {
  const worker = await start(services, url);
  const end = performance.now() + OPTIONS.windowMs;
  while (performance.now() < end && (await isDue(client))) await setTimeout(100);
  await worker.stop(1_000);
  const { rows } = await client.query<{ delivered: number }>(
    `select count(*)::int as delivered from webhook_delivery where status = 'succeeded'`,
  );
  return rows[0]!.delivered;
}

async function isDue(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from webhook_delivery where next_attempt_at <= now() limit 1`);
  return rowCount === 1;
}

/** Starts a worker with its own connection to the queue. */
async function start(services: Services, url: string): Promise<Worker> {
  const queue = await JobQueue.open({ url, log: services.log, scheduleCheckSeconds: 45 });
  const worker = await startWorker(services, { databaseUrl: url, queue });
  return {
    ...worker,
    stop: async (limitMs) => {
      await worker.stop(limitMs);
      await queue.close();
    },
  };
}

async function latency({ services, client, url, latencies }: Setting): Promise<string> {
  await client.query('truncate webhook_attempt, webhook_delivery, event, webhook_endpoint cascade');
  const accountId = await newAccount(services);
  const endpointId = await addEndpoint(client, services, accountId, `${services.publicUrl}/probe`);
  const workers = [await start(services, url), await start(services, url)];
  latencies.length = 0;
  for (let probe = 0; probe < PROBES; probe += 1) {
    await emitProbe(client, services, accountId, endpointId);
    await setTimeout(PROBE_EVERY_MS);
  }
  while (latencies.length < PROBES) await setTimeout(PROBE_EVERY_MS);
  for (const worker of workers) await worker.stop(1_000);
  latencies.sort((a, b) => a - b);
  return `Commit to first byte, two idle workers: p50 ${latencies[PROBES / 2]} ms, p99 ${latencies[Math.floor(PROBES * 0.99)]} ms (whole milliseconds).`;
}

async function newAccount(services: Services): Promise<string> {
  const { account_id } = await createAccount(services, {
    name: 'Bench',
    currency: 'USD',
    ownerEmail: `${crypto.randomUUID()}@example.com`,
    ownerPassword: 'correct horse battery staple',
  });
  return account_id;
}

async function addEndpoint(client: Client, { secrets }: Services, accountId: string, url: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into webhook_endpoint (id, account_id, name, url, event_types, active, sealed_secret, created_at, updated_at)
     values (new_id('whe', now()), $1, 'Bench', $2, array['affiliate.created'], true, $3, now(), now()) returning id`,
    [accountId, url, secrets.seal('whsec_benchmark')],
  );
  return rows[0]!.id;
}

/**
 * Replaces all events and endpoints with a new backlog with the same number of deliveries for every endpoint. Each endpoint has an account of
 * its own.
 */
async function fill({ services, client, origin }: Setting, path: string, hung: number): Promise<void> {
  await client.query('truncate webhook_attempt, webhook_delivery, event, webhook_endpoint cascade');
  const accountId = await newAccount(services);
  const first = await addEndpoint(client, services, accountId, origin + path);
  await client.query(
    `insert into account select (jsonb_populate_record(account, jsonb_build_object('id', new_id('acc', now()), 'slug', gen_random_uuid()))).*
     from account, generate_series(2, $2) where account.id = $1`,
    [accountId, OPTIONS.endpoints],
  );
  await client.query(
    `insert into webhook_endpoint (id, account_id, name, url, event_types, active, sealed_secret, created_at, updated_at)
     select new_id('whe', now()), other.id, 'Bench', case when row_number() over () <= $2 then $3 else url end, event_types, true, sealed_secret, now(), now()
     from webhook_endpoint, account other where webhook_endpoint.id = $1 and other.name = 'Bench'
     order by other.created_at desc limit $4`,
    [first, hung, `${origin}/hung`, OPTIONS.endpoints - 1],
  );
  await client.query(
    `insert into event (id, account_id, sequence, type, subject_id, body, occurred_at)
     select new_id('evt', now()), $1, (random() * 9e15)::bigint, 'affiliate.created', 'aff_1', $2, now() from generate_series(1, $3)`,
    [accountId, sampleBody('x'.repeat(300)), Math.ceil(OPTIONS.backlog / OPTIONS.endpoints)],
  );
  await client.query(
    `insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
     select new_id('dlv', now()), endpoint.account_id, endpoint.id, event.id, now(), now() from webhook_endpoint endpoint, event order by event.id`,
  );
  await client.query('vacuum analyze webhook_delivery, webhook_attempt, event, webhook_endpoint');
}

async function emitProbe(client: Client, { jobs }: Services, accountId: string, endpointId: string): Promise<void> {
  const now = new Date().toISOString();
  await client.query(
    `with happened as (
       insert into event (id, account_id, sequence, type, subject_id, body, occurred_at)
       values (new_id('evt', $2), $1, (random() * 9e15)::bigint, 'affiliate.created', 'aff_1', $3, $2) returning id)
     insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
     select new_id('dlv', $2), $1, $4, id, $2, $2 from happened`,
    [accountId, now, sampleBody('', now), endpointId],
  );
  jobs.send('webhooks', [endpointId]);
}

function sampleBody(note: string, occurred_at = new Date().toISOString()): string {
  return JSON.stringify({ id: 'evt_1', type: 'affiliate.created', occurred_at, data: { id: 'aff_1', note } });
}
