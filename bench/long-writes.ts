/**
 * Measures the slowest read of one account while another account is busy: while an affiliate of the other account is locked, and while a large
 * export of the other account is previewed and paid. Compares these reads with the slowest read while nothing else happens. Of several rounds in
 * one run, only the least disturbed counts, because other programs may load the machine.
 *
 *   npx -y pnpm@12 bench long-writes [commissions, default 120000] [rounds, default 3]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { advancePayoutBatches, appRouter, createCallerFactory, issueApiKey, openDatabase } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { Client } from 'pg';
import { request } from 'undici';
import { benchServices, openBenchDatabase, seedOpenPayouts, seedProgram, newAccount } from './support/dataset.ts';

const COMMISSIONS = Number(process.argv[2] ?? 120_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const LOCK_MS = 5_000;
const WAITING = 50;
const PAUSE_MS = 10;
const UNLIMITED = { caller: 1e9, publicAddress: 1e9, failedCredentials: 1e9 };

type Task = { task: 'preview' | 'pay' | 'finish'; accountId: string; exportId: string };

if (process.send === undefined) await main();
else await serve();

/**
 * Runs the service in a process of its own. When the parent process asks for it, this process also previews the payment of an export, pays the
 * export, or advances payout exports as a worker does.
 */
async function serve(): Promise<void> {
  const database = await openDatabase({ url: process.env['DATABASE_URL']! });
  const services = benchServices(database);
  const server = await listen(createApp(services, { rateLimits: UNLIMITED }), { host: '127.0.0.1', port: 0 });
  const work = async ({ task, accountId, exportId }: Task) => {
    const caller = createCallerFactory(appRouter)({
      services,
      requestId: task,
      principal: { kind: 'system', account_id: accountId },
      surface: 'v1',
      reply: {},
      preview: task === 'preview' ? { events: [] } : undefined,
    });
    if (task === 'finish') await advancePayoutBatches(services);
    else await caller.payoutExports.pay({ payout_export_id: exportId });
  };
  process.on('message', (task: Task) => void work(task).then(() => process.send!('done')));
  process.on('disconnect', () => process.exit());
  process.send!(server.url);
}

async function main(): Promise<void> {
  const bench = await openBenchDatabase();
  let child: ChildProcess | null = null;
  try {
    const busy = await seedProgram(bench.client, { affiliates: Math.ceil(COMMISSIONS / 20), commissions: COMMISSIONS });
    await seedOpenPayouts(bench.client);
    const other = await newAccount(bench.services, 'other');
    const { api_key } = await issueApiKey(bench.services, { accountId: busy, name: 'Bench', permissions: { all: true } });
    child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, DATABASE_URL: bench.url } });
    const running = child;
    const [origin] = (await once(running, 'message')) as [string];
    const headersOf = (key: string, account: string) => ({
      'x-api-key': key,
      'x-account-id': account,
      'content-type': 'application/json',
    });
    const read = async () => {
      const start = performance.now();
      const answer = await request(`${origin}/api/v1/affiliates?limit=5`, {
        headers: headersOf(other.api_key, other.account_id),
      });
      await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`A read got status ${answer.statusCode}.`);
      return performance.now() - start;
    };
    const slowest: Record<string, number[]> = {};
    const during = async (name: string, work: Promise<unknown>) => {
      const state = { ended: false };
      void work.finally(() => (state.ended = true));
      const start = performance.now();
      let [worst, reads] = [0, 0];
      for (; !state.ended || reads === 0; reads += 1) {
        worst = Math.max(worst, await read());
        await sleep(PAUSE_MS);
      }
      await work;
      (slowest[name] ??= []).push(worst);
      process.stdout.write(
        `${name.padEnd(24)} ${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s, ${String(reads).padStart(4)} reads, slowest ${Math.round(worst)} ms\n`,
      );
    };
    const tell = async (task: Task) => {
      running.send(task);
      await once(running, 'message');
    };

    for (let i = 0; i < 50; i += 1) await read();
    const { payoutExports } = createCallerFactory(appRouter)({
      services: bench.services,
      requestId: 'export',
      principal: { kind: 'system', account_id: busy },
      surface: 'v1',
      reply: {},
    });
    for (let round = 1; round <= ROUNDS; round += 1) {
      await during('nothing', sleep(3_000));
      const holder = await lock(bench.url);
      const waiting = Array.from({ length: WAITING }, async (_, i) => {
        const sale = { external_id: `${round}-${i}`, referral_id: 'ref_1', amount_cents: 100, currency: 'USD' };
        const answer = await request(`${origin}/track/sales`, {
          method: 'POST',
          headers: headersOf(api_key, busy),
          body: JSON.stringify(sale),
        });
        await answer.body.text();
      });
      await during(`lock held ${LOCK_MS / 1000} s`, sleep(LOCK_MS));
      await holder.end();
      await Promise.all(waiting);
      const { id: exportId, payouts_count } = await payoutExports.create({});
      const task = { accountId: busy, exportId };
      await during(`preview, ${payouts_count} payouts`, tell({ task: 'preview', ...task }));
      await during(`payment, ${payouts_count} payouts`, tell({ task: 'pay', ...task }));
      await during(`rest of the payment`, tell({ task: 'finish', ...task }));
      // Restores the state before the payment.
      await bench.client.query(`update commission set state = 'due', paid_at = null where state = 'paid'`);
      await bench.client.query('delete from payout_attempt');
      await bench.client.query(`update payout set status = 'open', paid_at = null where status = 'paid'`);
      await bench.client.query('vacuum analyze commission, payout, payout_attempt');
    }
    process.stdout.write('\nslowest read in the best round:\n');
    for (const [name, rounds] of Object.entries(slowest))
      process.stdout.write(`${name.padEnd(24)} ${Math.round(Math.min(...rounds))} ms\n`);
  } finally {
    child?.kill();
    await bench.stop();
  }
}

async function lock(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  await client.query('begin');
  await client.query(`select from affiliate where id = 'aff_1' for no key update`);
  return client;
}
