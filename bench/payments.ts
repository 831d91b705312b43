/**
 * Measures how long it takes to prepare payments of 10,000 payouts, how fast a worker sends them to a double of PayPal or Stripe within its limit of calls,
 * the memory of the worker, and the reads of another account meanwhile. With `all`, sends them to the end: 10,000 take 17 minutes through Stripe.
 *
 *   npx -y pnpm@12 bench payments [payouts, default 10000] [seconds of sending, default 120, or all] [paypal or stripe]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { issueApiKey } from '@affiliate/core';
import { request } from 'undici';
import { type Figures, measureReads } from '../test/support/loads/neighbor.ts';
import { seedBusyAccount } from '../test/support/loads/target.ts';
import { PayPalServer } from '../test/support/paypal-server/paypal-server.ts';
import { StripeTransfersServer } from '../test/support/stripe-transfers-server/stripe-transfers-server.ts';
import { newAccount, openBenchDatabase } from './support/dataset.ts';
import { startService, startWorker } from './support/servers.ts';

const PAYOUTS = Number(process.argv[2] ?? 10_000);
const SECONDS = process.argv[3] === 'all' ? null : Number(process.argv[3] ?? 120);
const KIND = process.argv[4] === 'stripe' ? 'stripe' : 'paypal';
const IDLE_MS = 5_000;
const PROCESS_MS = 1_000;

if (process.send === undefined) await main();
else await serve();

/** Runs the double in a process of its own. It decides each payment within a second. */
async function serve(): Promise<void> {
  const rail = await (KIND === 'paypal' ? new PayPalServer() : new StripeTransfersServer()).start();
  const app = rail.addAccount();
  setInterval(() => app.process('arrived'), PROCESS_MS);
  process.on('message', () => process.send!({ posts: app.posts.length, keys: new Set(app.posts).size, made: app.made.length }));
  process.on('disconnect', () => process.exit());
  process.send!({ url: rail.url, credentials: app.credentials });
}

async function main(): Promise<void> {
  const double = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  const [{ url, credentials }] = (await once(double, 'message')) as [{ url: string; credentials: object }];
  const bench = await openBenchDatabase();
  const env = { [KIND === 'paypal' ? 'PAYPAL_API_BASE' : 'PSP_API_BASE']: url };
  const busy = await seedBusyAccount(bench.client, PAYOUTS);
  if (KIND === 'stripe') {
    const address = bench.services.secrets.seal(JSON.stringify({ account_id: 'acct_1000000000000000' }));
    await bench.client.query(`update payout_method set kind = 'stripe', sealed_address = $1 where kind = 'paypal'`, [address]);
  }
  const other = await newAccount(bench.services, 'other');
  const { api_key } = await issueApiKey(bench.services, { accountId: busy, name: 'Bench', permissions: { all: true } });
  const rest = await startService(bench.url, { env });
  let worker: Awaited<ReturnType<typeof startWorker>> | null = null;
  try {
    const call = async <Body>(path: string, body: object = {}, method: 'GET' | 'POST' = 'POST'): Promise<Body> => {
      const reply = await request(`${rest.origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': api_key, 'x-account-id': busy },
        ...(method === 'POST' && { body: JSON.stringify(body) }),
      });
      if (reply.statusCode >= 300) throw new Error(`POST ${path} got ${reply.statusCode}: ${await reply.body.text()}`);
      return (await reply.body.json()) as Body;
    };
    const reads = (span: number | (() => boolean)) =>
      measureReads(rest.origin, { 'x-api-key': other.api_key, 'x-account-id': other.account_id }, span);
    await call('/api/settings/v1/payout_rails', { kind: KIND, credentials });
    await reads(IDLE_MS);
    const idle = await reads(IDLE_MS);

    const state = { isOver: false };
    const reading = reads(() => state.isOver);
    const started = performance.now();
    const { id, payouts_count } = await call<{ id: string; payouts_count: number }>('/api/v1/payout_batches', {
      method: KIND,
    });
    const prepared = (performance.now() - started) / 1_000;
    await call(`/api/v1/payout_batches/${id}/send`);
    const sent = (performance.now() - started) / 1_000 - prepared;
    state.isOver = true;
    const preparing = await reading;

    worker = await startWorker(bench.url, { env });
    const memory: number[] = [];
    const { pid } = worker;
    const watch = setInterval(() => memory.push(memoryOf(pid)), PROCESS_MS);
    const begun = performance.now();
    const isOver = async () => (await call<{ state: string }>(`/api/v1/payout_batches/${id}`, undefined, 'GET')).state === 'paid';
    const until = { isOver: false };
    const sendingReads = reads(SECONDS === null ? () => until.isOver : SECONDS * 1_000);
    if (SECONDS === null) {
      while (!(await isOver())) await setTimeout(IDLE_MS);
      until.isOver = true;
    }
    const sending = await sendingReads;
    const seconds = (performance.now() - begun) / 1_000;
    clearInterval(watch);
    double.send('posts');
    const [{ posts, keys, made }] = (await once(double, 'message')) as [Record<'posts' | 'keys' | 'made', number>];
    process.stdout.write(
      `${JSON.stringify(
        {
          payouts: payouts_count,
          prepared_seconds: rounded(prepared),
          let_go_seconds: rounded(sent),
          reads_idle: shown(idle),
          reads_while_prepared: shown(preparing),
          reads_while_sent: shown(sending),
          sent: posts,
          sent_keys: keys,
          made,
          seconds: rounded(seconds),
          sent_per_minute: Math.round((posts * 60) / seconds),
          worker_mib: {
            after_10_s: memory[9],
            each_two_minutes: memory.filter((_, second) => second % 120 === 119),
            at_most: Math.max(...memory),
            at_the_end: memory.at(-1),
          },
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

function shown({ reads, p50, p99 }: Figures) {
  return { reads, p50: rounded(p50), p99: rounded(p99) };
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}

/** Returns the memory of a process, in MiB. */
function memoryOf(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1_024);
}
