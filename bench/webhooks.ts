/**
 * Measures how many webhooks per second `postWebhook` posts and how many undici alone posts, in the same run and to the same receiver. The
 * ratio shows the cost of the address checks, the pinning of addresses, and the limits on time and size. The ratio is comparable between
 * machines, the rates are not.
 *
 *   npx -y pnpm@12 bench webhooks
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseAllowedNetworks } from '@affiliate/core';
import { EndpointConnections, postWebhook } from '@affiliate/worker';
import { Pool } from 'undici';

const POSTS = 20_000;
const ROUNDS = 5;
const IN_FLIGHT = 16;
const ENDPOINTS = 20;
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Affiliate-Webhooks/1.0',
  'hook-id': 'dlv_01jd4qk3v6e5tr5b2v8m1w9x0c',
  'hook-timestamp': '1763683200',
  'hook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
};
const BODY = JSON.stringify({ id: 'evt_1', type: 'commission.created', data: { note: 'x'.repeat(600) } });

if (process.send === undefined) await main();
else receive();

/** Runs the receiver. It is a process of its own, so that its work is not counted as the sender's. */
function receive(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function main(): Promise<void> {
  const receiver = fork(fileURLToPath(import.meta.url));
  const [port] = (await once(receiver, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;

  const bare = new Pool(origin);
  const postBare = async () => {
    const { body } = await bare.request({ method: 'POST', path: '/hook', headers: HEADERS, body: BODY });
    await body.text();
  };

  const transport = {
    connections: new EndpointConnections(),
    allowed: parseAllowedNetworks('127.0.0.0/8'),
    resolve: async () => ['127.0.0.1'],
  };
  const postChecked = async (post: number) => {
    const endpointId = `whe_${post % ENDPOINTS}`;
    const { errorCode } = await postWebhook(
      { endpointId, url: `http://hooks.test:${port}/hook`, headers: HEADERS, body: BODY },
      transport,
    );
    if (errorCode !== undefined) throw new Error(errorCode);
  };

  const rates: { bare: number; checked: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rates.push({ bare: await postsPerSecond(postBare), checked: await postsPerSecond(postChecked) });
  }
  const [, ...warm] = rates;
  const bareRate = median(warm.map((rate) => rate.bare));
  const checkedRate = median(warm.map((rate) => rate.checked));
  const ratio = median(warm.map((rate) => rate.checked / rate.bare));
  const report = {
    bare_per_second: Math.round(bareRate),
    post_webhook_per_second: Math.round(checkedRate),
    ratio: Number(ratio.toFixed(2)),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);

  await Promise.all([bare.close(), transport.connections.close()]);
  receiver.kill();
}

async function postsPerSecond(post: (index: number) => Promise<void>): Promise<number> {
  let next = 0;
  const sender = async () => {
    while (next < POSTS) {
      next += 1;
      await post(next);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, sender));
  return (POSTS * 1000) / (performance.now() - start);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
