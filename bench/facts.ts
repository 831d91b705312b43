/**
 * Measures signed facts: how many one `rest` process accepts, alone and in deliveries of 100, against the limit server, which verifies the
 * signature and stores the facts with one statement; and how many a worker then applies.
 *
 *   npx -y pnpm@12 bench facts [--seconds 5] [--rounds 3] [--connections 32] [--applied 2000]
 *
 * Runs on Linux only, because it reads processor times from /proc.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newAccount, openBenchDatabase } from './support/dataset.ts';
import { measure, type Request, type Round, warmUp } from './support/load.ts';
import { type Server, startLimit, startService, startWorker } from './support/servers.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    applied: { type: 'string', default: '2000' },
  },
});
const load = { seconds: Number(options.seconds), connections: Number(options.connections) };
const POLL_MS = 50;
let told = 0;

const bench = await openBenchDatabase();
const servers: Server[] = [];
const start = async (starting: Promise<Server>) => {
  const server = await starting;
  servers.push(server);
  return server;
};
try {
  const { account_id, api_key } = await newAccount(bench.services);
  const service = await start(startService(bench.url));
  const connected = await fetch(`${service.origin}/api/settings/v1/connections`, {
    method: 'POST',
    headers: { 'x-api-key': api_key, 'x-account-id': account_id, 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'facts' }),
  });
  const { id, signing_secret: secret } = (await connected.json()) as { id: string; signing_secret: string };
  const limit = await start(startLimit(bench.url, { FACTS_SECRET: secret }));
  const path = `/sources/${id}/events`;
  const lines = [
    '| facts in a delivery | facts/s | limit: facts/s | ratio | CPU ratio | statements | CPU ms of a fact: Node + PostgreSQL |',
    '|---:|---:|---:|---:|---:|---:|---:|',
  ];
  for (const size of [1, 100]) {
    const make = () => delivery(path, secret, size);
    const request = make();
    const expected = await replyOf(limit, request);
    await bench.client.query('truncate psp_event');
    deepStrictEqual(await replyOf(service, request), expected, 'The limit server answers differently.');
    for (const server of [limit, service]) await warmUp(server, make, load);
    const rounds: Record<'service' | 'limit', Round>[] = [];
    while (rounds.length < Number(options.rounds))
      rounds.push({ limit: await measure(limit, make, load), service: await measure(service, make, load) });
    const ratio = (of: (typeof rounds)[number]) => of.service.perSecond / of.limit.perSecond;
    const middle = rounds.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(rounds.length / 2)]!;
    const cpu = ({ serverMs, databaseMs }: Round) => serverMs + databaseMs;
    const ofFact = (ms: number) => (ms / size).toFixed(3);
    const cells = [
      size,
      Math.round(middle.service.perSecond * size),
      Math.round(middle.limit.perSecond * size),
      ratio(middle).toFixed(2),
      (cpu(middle.limit) / cpu(middle.service)).toFixed(2),
      middle.service.statements.toFixed(1),
      `${ofFact(middle.service.serverMs)} + ${ofFact(middle.service.databaseMs)}`,
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);

  await bench.client.query('truncate psp_event');
  const applied = Number(options.applied);
  for (let sent = 0; sent < applied; sent += 100) {
    const { status } = await replyOf(service, delivery(path, secret, 100));
    if (status !== 202) throw new Error(`A delivery was answered with ${status}.`);
  }
  const begun = performance.now();
  await start(startWorker(bench.url));
  const isPending = async () =>
    (await bench.client.query(`select from psp_event where state = 'pending' limit 1`)).rowCount === 1;
  while (await isPending()) await setTimeout(POLL_MS);
  const perSecond = Math.round((applied * 1_000) / (performance.now() - begun));
  process.stdout.write(`\nOne worker applied ${applied} facts of one account, ${perSecond} a second, its start included.\n`);
} finally {
  for (const server of servers) await server.stop();
  await bench.stop();
}

async function replyOf({ origin }: Server, { path, ...request }: Request) {
  const response = await fetch(origin + path, request);
  return { status: response.status, body: await response.json() };
}

/** Returns a signed delivery of facts about new payments of new customers. */
function delivery(path: string, secret: string, size: number): Request {
  const at = new Date().toISOString();
  const facts = Array.from({ length: size }, () => {
    told += 1;
    return {
      type: 'payment.seen',
      timestamp: at,
      data: {
        names: [`order:bench-${told}`],
        version: 1,
        live: true,
        charged: { amount: 12_000, tax: 2_000, currency: 'USD', at },
        payer: { ids: [`bench-${told}`], email: `bench-${told}@example.com` },
        references: [],
        lines: [{ product: 'pro', quantity: 1, amount: 10_000 }],
        codes: [],
        refunds: [],
        disputes: [],
        excluded: false,
      },
    };
  });
  const body = JSON.stringify({ facts, dry_run: false });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${seconds}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
  return { method: 'POST', path, headers, body };
}
