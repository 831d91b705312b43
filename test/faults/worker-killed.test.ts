import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { appRouter, createCallerFactory } from '@affiliate/core';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { HookReceiver, verifySignature } from '../support/hook-receiver.ts';
import { SECRET_KEY, startService } from '../support/service.ts';

const ENDPOINTS = 20;
const EVENTS = 50;
const DELIVERIES = ENDPOINTS * EVENTS;

async function startWorkerProcess(databaseUrl: string) {
  const program = fileURLToPath(new URL('../support/worker-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...COMPILE_CACHE, DATABASE_URL: databaseUrl, SECRET_KEY },
  });
  await once(createInterface(child.stdout), 'line');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    stop: async () => {
      child.stdin.end();
      const [code] = (await once(child, 'exit')) as [number];
      return code;
    },
  };
}

it('delivers all of 1,000 webhooks although the worker is killed on the way, repeats with the same id and bytes', async () => {
  const service = await startService();
  const account = await service.createAccount();
  await using receiver = await HookReceiver.start();
  const { campaigns, webhookEndpoints, webhookDeliveries, affiliates } = createCallerFactory(appRouter)({
    services: service.services,
    requestId: 'test',
    principal: { kind: 'api_key', id: 'key_test', account_id: account.id, permissions: { all: true } },
    surface: 'v1',
    reply: {},
  });
  await campaigns.create({
    name: 'Friends',
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 10,
    default: true,
  });
  const secrets = new Map<string, string>();
  for (let made = 0; made < ENDPOINTS; made += 1) {
    const endpoint = await webhookEndpoints.create({ name: 'Receiver', url: receiver.url, event_types: ['affiliate.created'] });
    secrets.set(endpoint.id, endpoint.signing_secret);
  }
  for (let made = 0; made < EVENTS; made += 1)
    await affiliates.create({ email: `affiliate-${made}@example.com`, state: 'pending' });

  const first = await startWorkerProcess(service.databaseUrl);
  await receiver.first(DELIVERIES / 3);
  await first.kill();
  const second = await startWorkerProcess(service.databaseUrl);
  const distinct = () => new Map(receiver.received.map((hook) => [hook.hookId, hook]));
  for (let arrived = receiver.received.length; distinct().size < DELIVERIES; arrived = receiver.received.length) {
    await receiver.first(arrived + 1);
  }
  expect(await second.stop()).toBe(0);

  const hooks = distinct();
  expect(hooks.size).toBe(DELIVERIES);
  for (const { hookId, raw } of receiver.received) expect(raw).toBe(hooks.get(hookId)!.raw);
  let succeeded = 0;
  for (const [endpoint_id, secret] of secrets) {
    const { data } = await webhookDeliveries.list({ endpoint_id, limit: 100, status: 'succeeded' });
    succeeded += data.length;
    for (const { id, event_id } of data) {
      expect(hooks.get(id)!.body.id).toBe(event_id);
      verifySignature(secret, hooks.get(id)!);
    }
  }
  expect(succeeded).toBe(DELIVERIES);
  await service.stop();
});
