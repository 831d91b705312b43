/**
 * Measures what other accounts notice while one account sends as many requests as it can. Compares two ways to assign database connections: to each
 * account in turn, and in the order of the requests. Both are measured in one run on the same PostgreSQL.
 *
 *   npx -y pnpm@12 bench fairness [sales, default 2000]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Services, createSecretBox, openDatabase, systemClock } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { Client } from 'pg';
import { Agent, request } from 'undici';
import { openBenchDatabase, newAccount } from './support/dataset.ts';

const SALES = Number(process.argv[2] ?? 2_000);
const LOCK_MS = 5_000;
const PAUSE_MS = 20;
/** Stands for the status of a request whose connection broke. */
const UNANSWERED = 0;
const UNLIMITED = { caller: 1e9, publicAddress: 1e9, failedCredentials: 1e9 };
const SECRET = 'the secret key of the benchmarks';

if (process.send === undefined) await main();
else await serve();

/** Runs the service in a process of its own. */
async function serve(): Promise<void> {
  const database = await openDatabase({ url: process.env['DATABASE_URL']!, isFair: process.env['FAIR'] === 'true' });
  const services = {
    database,
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    secrets: createSecretBox(SECRET),
    jobs: { send: () => undefined },
    publicUrl: 'http://127.0.0.1',
  } as unknown as Services;
  const server = await listen(createApp(services, { rateLimits: UNLIMITED }), { host: '127.0.0.1', port: 0 });
  process.send!(server.url);
  process.on('disconnect', () => process.exit());
}

interface Account {
  id: string;
  headers: Record<string, string>;
}

interface Sample {
  status: number;
  ms: number;
}

async function main(): Promise<void> {
  const bench = await openBenchDatabase();
  const children: ChildProcess[] = [];
  // One connection per request, as if the requests came from many clients.
  const agent = new Agent({ connections: SALES + 100, pipelining: 1, headersTimeout: 120_000, connect: { timeout: 120_000 } });
  try {
    const [busy, other] = [await callerOf(bench.services, 'busy'), await callerOf(bench.services, 'other')];
    for (const isFair of [false, true]) {
      const child = fork(fileURLToPath(import.meta.url), {
        env: { ...process.env, DATABASE_URL: bench.url, FAIR: String(isFair) },
      });
      children.push(child);
      const [origin] = (await once(child, 'message')) as [string];
      const call = async (
        account: Account,
        method: 'GET' | 'POST',
        path: string,
        body?: object,
      ): Promise<Sample & { body: unknown }> => {
        const start = performance.now();
        const unanswered = () => ({ status: UNANSWERED, ms: performance.now() - start, body: null });
        const answer = await request(`${origin}${path}`, {
          method,
          headers: account.headers,
          dispatcher: agent,
          ...(body ? { body: JSON.stringify(body) } : {}),
        }).catch(() => null);
        if (!answer) return unanswered();
        const text = await answer.body.text();
        return { status: answer.statusCode, ms: performance.now() - start, body: text === '' ? null : JSON.parse(text) };
      };
      const read = () => call(other, 'GET', '/api/v1/affiliates?limit=5');
      const write = () => call(other, 'POST', '/api/v1/campaigns', campaign());
      const ready = () => call(other, 'GET', '/readyz');
      const { affiliateId, referralId } = await newReferral((path, body) => call(busy, 'POST', path, body));
      await newReferral((path, body) => call(other, 'POST', path, body));
      let orders = 0;
      const sell = () => {
        orders += 1;
        const external_id = `${isFair ? 'fair' : 'first'}-${orders}`;
        return call(busy, 'POST', '/track/sales', { external_id, referral_id: referralId, amount_cents: 100, currency: 'USD' });
      };
      const samples = (more: Promise<unknown>) => during(more, { read, write, ready });

      const mode = isFair ? 'in turn' : 'first come';
      await samples(sleep(1_000));
      report(mode, 'idle', await samples(sleep(3_000)));
      const burst = Promise.all(Array.from({ length: SALES }, sell));
      const start = performance.now();
      report(mode, `${SALES} sales`, await samples(burst));
      const counts = Object.entries(Object.groupBy(await burst, ({ status }) => String(status))).map(
        ([status, replies]) => `${status}: ${replies!.length}`,
      );
      process.stdout.write(`  answered in ${((performance.now() - start) / 1000).toFixed(1)} s (${counts.join(', ')})\n`);
      const holder = await lock(bench.url, affiliateId);
      const waiting = Promise.all(Array.from({ length: 50 }, sell));
      report(mode, `lock held ${LOCK_MS / 1000} s`, await samples(sleep(LOCK_MS)));
      await holder.end();
      const recorded = (await waiting).filter(({ status }) => status === 201).length;
      process.stdout.write(`  ${recorded} of 50 waiting sales recorded\n`);
      child.disconnect();
      await once(child, 'exit');
    }
  } finally {
    for (const child of children) child.kill();
    await agent.destroy();
    await bench.stop();
  }
}

/** Repeats each call, with a pause, until `end` settles. */
async function during(
  end: Promise<unknown>,
  calls: Record<'read' | 'write' | 'ready', () => Promise<Sample>>,
): Promise<Record<string, Sample[]>> {
  const state = { ended: false };
  void end.finally(() => (state.ended = true));
  const entries = Object.entries(calls).map(async ([name, call]): Promise<[string, Sample[]]> => {
    const samples: Sample[] = [];
    do {
      samples.push(await call());
      await sleep(PAUSE_MS);
    } while (!state.ended);
    return [name, samples];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function report(mode: string, load: string, results: Record<string, Sample[]>): void {
  for (const [name, samples] of Object.entries(results)) {
    const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
    const failed = samples.filter(({ status }) => status === UNANSWERED || status >= 400).length;
    process.stdout.write(
      `${mode.padEnd(10)} | ${load.padEnd(13)} | other's ${name.padEnd(5)} | n ${String(samples.length).padStart(4)} | p50 ${at(0.5)} ms | p99 ${at(0.99)} ms | max ${at(1)} ms | failed ${failed}\n`,
    );
  }
}

async function lock(url: string, affiliateId: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  await client.query('begin');
  await client.query('select from affiliate where id = $1 for no key update', [affiliateId]);
  return client;
}

function campaign() {
  return { name: 'C', url: 'https://shop.example.com/', reward_type: 'percent', commission_percent: 10 };
}

async function callerOf(services: Services, name: string): Promise<Account> {
  const { account_id, api_key } = await newAccount(services, name);
  return { id: account_id, headers: { 'x-api-key': api_key, 'x-account-id': account_id, 'content-type': 'application/json' } };
}

async function newReferral(
  post: (path: string, body: object) => Promise<{ body: unknown }>,
): Promise<{ affiliateId: string; referralId: string }> {
  const create = async (path: string, body: object) => ((await post(path, body)).body as { id: string }).id;
  const campaign_id = await create('/api/v1/campaigns', campaign());
  const affiliateId = await create('/api/v1/affiliates', { email: `${randomUUID()}@example.com`, campaign_id });
  const referralId = await create('/api/v1/referrals', { affiliate_id: affiliateId, campaign_id });
  return { affiliateId, referralId };
}
