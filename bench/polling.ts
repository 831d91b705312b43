/**
 * Measures how a worker finds payments none of whose deliveries arrived, at a double of Paddle that refuses requests beyond its limit of 240 in a minute:
 * payments found in a minute, requests in a minute, and the memory of the worker, with the options of `deploy/`, in each tenth of the time.
 *
 *   npx -y pnpm@12 bench polling [payments, default 100000] [minutes after which it ends, default 60]
 *
 * The worker looks at the full ten minutes, so that the measurement begins up to ten minutes after the start. A small form: `bench polling 3000`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { issueApiKey } from '@affiliate/core';
import { type Answer, DoubleServer } from '../test/support/double-server.ts';
import { customer, transaction } from '../test/support/paddle-server/objects.ts';
import { openBenchDatabase, seedProgram } from './support/dataset.ts';
import { startService, startWorker } from './support/servers.ts';

const PAYMENTS = Number(process.argv[2] ?? 100_000);
const MINUTES = Number(process.argv[3] ?? 60);
const WATCH_MS = 1_000;
const MINUTE_MS = 60_000;
/** Most requests that Paddle accepts from an address in a minute. */
const LIMIT = 240;
const PER_CUSTOMER = 5;
const KEY = `pdl_live_apikey_${'1'.repeat(26)}_secret_AQO`;

/** An account at Paddle with many payments, each of which is made when it is listed. */
class LongList extends DoubleServer {
  readonly #at = new Date(Date.now() + MINUTE_MS).toISOString();
  /** Times of the requests of the last minute. */
  #times: number[] = [];
  readonly figures = { requests: 0, refused: 0, most_in_a_minute: 0, listed: 0 };

  protected answer(url: URL, { method }: IncomingMessage): Answer {
    const now = Date.now();
    this.#times = [...this.#times.filter((time) => time > now - MINUTE_MS), now];
    const { figures } = this;
    figures.requests += 1;
    figures.most_in_a_minute = Math.max(figures.most_in_a_minute, this.#times.length);
    this.requests.length = 0;
    if (this.#times.length > LIMIT) {
      figures.refused += 1;
      return [429, {}, { 'Retry-After': '30' }];
    }
    if (method === 'POST') return [201, { data: { id: 'ntfset_1', endpoint_secret_key: 'secret', ...this.#setting(url) } }];
    if (url.pathname !== '/transactions' || !url.searchParams.has('updated_at[GTE]')) return page([], null);
    const first = Number(/\d+$/.exec(url.searchParams.get('after') ?? '0')![0]);
    const last = Math.min(PAYMENTS, first + Number(url.searchParams.get('per_page')));
    figures.listed = Math.max(figures.listed, last);
    const numbers = Array.from({ length: last - first }, (_, i) => first + i + 1);
    return page(
      numbers.map((number) => this.#payment(number)),
      last < PAYMENTS ? idOf('txn', last) : null,
    );
  }

  #setting({ origin: destination }: URL) {
    return { destination, active: true, description: '', subscribed_events: [], api_version: 1 };
  }

  #payment(number: number) {
    const by = Math.ceil(number / PER_CUSTOMER);
    const buyer = { ...customer(`buyer-${by}@example.com`, this.#at), id: idOf('ctm', by) };
    const lines = [{ product: 'pro', subtotal: 10_000, tax: 2_000 }];
    const customData = { referral: 'bench' };
    const sold = transaction({ at: this.#at, customerId: buyer.id, customData, lines });
    return { ...sold, id: idOf('txn', number), customer: buyer, discount: null, adjustments: [] };
  }
}

const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;

function page(data: readonly object[], after: string | null): Answer {
  const pagination = { has_more: after !== null, next: `https://api.paddle.com/transactions?after=${after ?? ''}` };
  return [200, { data, meta: { request_id: 'r', pagination } }];
}

if (process.send === undefined) await main();
else await serve();

/** Runs the double in a process of its own. */
async function serve(): Promise<void> {
  const double = await new LongList().start();
  process.on('message', () => process.send!(double.figures));
  process.on('disconnect', () => process.exit());
  process.send!({ url: double.url });
}

async function main(): Promise<void> {
  const double = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  const [{ url }] = (await once(double, 'message')) as [{ url: string }];
  const figuresOf = async () => {
    double.send('figures');
    return ((await once(double, 'message')) as [LongList['figures']])[0];
  };
  const bench = await openBenchDatabase();
  const env = { PADDLE_API_BASE: url };
  const account = await seedProgram(bench.client, { affiliates: 1, commissions: 0 });
  await bench.client.query(
    `insert into link (id, account_id, affiliate_id, campaign_id, url, token, created_at, updated_at)
     values ('link_bench', $1, 'aff_1', 'camp_bench', 'https://x.example.com', 'bench', now(), now())`,
    [account],
  );
  const { api_key } = await issueApiKey(bench.services, { accountId: account, name: 'Bench', permissions: { all: true } });
  const rest = await startService(bench.url, { env });
  let worker: Awaited<ReturnType<typeof startWorker>> | null = null;
  try {
    const connected = await fetch(`${rest.origin}/api/settings/v1/connections`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': api_key, 'x-account-id': account },
      body: JSON.stringify({ source: 'paddle', credentials: { api_key: KEY } }),
    });
    if (connected.status !== 201) throw new Error(`Connecting got ${connected.status}: ${await connected.text()}`);
    await rest.stop();
    worker = await startWorker(bench.url, { env, nodeOptions: ['--max-semi-space-size=2'] });
    const count = async () => Number((await bench.client.query('select count(*) as n from sale')).rows[0].n);
    while ((await count()) === 0) await setTimeout(WATCH_MS);
    const [before, started] = [await figuresOf(), performance.now()];
    const elapsed = () => performance.now() - started;
    const memory: { at: number; mib: number }[] = [];
    while ((await count()) < PAYMENTS && elapsed() < MINUTES * MINUTE_MS) {
      memory.push({ at: elapsed(), mib: memoryOf(worker.pid) });
      if (memory.length % 60 === 0) process.stderr.write(`${await count()} payments, ${memory.at(-1)!.mib} MiB\n`);
      await setTimeout(WATCH_MS);
    }
    const [found, minutes, after] = [await count(), elapsed() / MINUTE_MS, await figuresOf()];
    const tenths = Array.from({ length: 10 }, (_, i) =>
      memory.filter(({ at }) => Math.floor((at * 10) / (minutes * MINUTE_MS)) === i).map(({ mib }) => mib),
    );
    const [{ sold, earned }] = (
      await bench.client.query('select (select count(*) from sale) as sold, (select count(*) from commission) as earned')
    ).rows as [{ sold: string; earned: string }];
    process.stdout.write(
      `${JSON.stringify(
        {
          payments: PAYMENTS,
          found,
          commissions: Number(earned),
          sales: Number(sold),
          minutes: rounded(minutes),
          found_per_minute: Math.round(found / minutes),
          requests_per_minute: rounded((after.requests - before.requests) / minutes),
          most_requests_in_a_minute: after.most_in_a_minute,
          refused_by_the_limit: after.refused,
          worker_mib_by_tenths: tenths.map((each) => Math.max(...each)),
        },
        null,
        2,
      )}\n`,
    );
  } finally {
    await worker?.stop();
    await rest.stop();
    await bench.stop();
    double.disconnect();
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}

/** Returns the memory of a process, in MiB. */
function memoryOf(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1_024);
}
