import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { findDueEndpoints } from '@affiliate/core';
import { JobQueue, JobSender, startWorker } from '@affiliate/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI, environment, untilWorking } from '../app/program.ts';
import { accept, hang } from '../support/hook-receiver.ts';
import { testLog } from '../support/log.ts';
import { onServer } from '../support/postgres.ts';
import { SECRET_KEY } from '../support/service.ts';
import { type Merchant, startWebhookService, type WebhookTestService } from './service.ts';

let service: WebhookTestService;
let merchant: Merchant;
beforeAll(async () => {
  service = await startWebhookService();
  merchant = await service.createMerchant();
  // Each test starts its own workers.
  await service.worker.stop();
});
afterAll(() => service.stop());

/** Starts a worker with its own connections to the same database, like another process. */
async function startAnotherWorker() {
  const queue = await JobQueue.open({ url: service.databaseUrl, log: testLog(), scheduleCheckSeconds: 45 });
  const worker = await startWorker(service.services, { databaseUrl: service.databaseUrl, queue });
  return {
    worker,
    [Symbol.asyncDispose]: async () => {
      await worker.stop();
      await queue.close();
    },
  };
}

it('a burst of changes sends few jobs, at most one per endpoint at a time', async () => {
  const sender = new JobSender({ url: service.databaseUrl, log: testLog() });
  const queue = await JobQueue.open({ url: service.databaseUrl, log: testLog(), scheduleCheckSeconds: 45 });
  for (let i = 0; i < 50; i += 1) sender.send('webhooks', ['whe_1', 'whe_2']);
  await sender.close();
  const taken: string[] = [];
  const both = Promise.withResolvers<void>();
  await queue.take('webhooks', async (subjects) => {
    taken.push(...subjects);
    if (taken.includes('whe_1') && taken.includes('whe_2')) both.resolve();
  });
  await both.promise;
  expect(taken.toSorted()).toEqual(['whe_1', 'whe_2']);
  await queue.stopTaking();
  await queue.close();
});

it('a burst of more jobs than one batch is taken at once', async () => {
  const sender = new JobSender({ url: service.databaseUrl, log: testLog() });
  const queue = await JobQueue.open({ url: service.databaseUrl, log: testLog(), scheduleCheckSeconds: 45 });
  const taken = new Set<string>();
  const all = Promise.withResolvers<void>();
  await queue.take('webhooks', async (subjects) => {
    for (const subject of subjects) taken.add(subject);
    if (taken.size === 250) all.resolve();
  });
  sender.send(
    'webhooks',
    Array.from({ length: 250 }, (_, index) => `whe_burst_${index}`),
  );
  await all.promise;
  expect(taken).toContain('whe_burst_249');
  await sender.close();
  await queue.stopTaking();
  await queue.close();
});

it('jobs are sent and taken again after all connections were lost', async () => {
  const log = { ...testLog(), warn: () => undefined };
  const sender = new JobSender({ url: service.databaseUrl, log });
  const queue = await JobQueue.open({ url: service.databaseUrl, log, scheduleCheckSeconds: 45 });
  const taken = new Set<string>();
  await queue.take('webhooks', async (subjects) => subjects.forEach((subject) => taken.add(subject)));
  sender.send('webhooks', ['whe_1']);
  await expect.poll(() => taken.has('whe_1'), { interval: 20 }).toBe(true);
  await onServer(
    service.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'affiliate jobs%' and datname = current_database()`,
  );
  // The first jobs may still be sent over the lost session.
  for (let sent = 0; sent < 200 && !taken.has('whe_2'); sent += 1) {
    sender.send('webhooks', ['whe_2']);
    await setTimeout(50);
  }
  expect(taken).toContain('whe_2');
  await sender.close();
  await queue.stopTaking();
  await queue.close();
});

it('a worker knows when the next delivery of an endpoint falls due, even if others of the endpoint are due already', async () => {
  await using subscription = await merchant.subscribe();
  await merchant.createAffiliate();
  await merchant.createAffiliate();
  const { id } = subscription.endpoint;
  const [, retried] = await merchant.deliveries(id);
  const soon = new Date(service.clock.now().getTime() + 4_000).toISOString();
  await service.services.database.kysely
    .updateTable('webhook_delivery')
    .set({ next_attempt_at: soon })
    .where('id', '=', retried!.id)
    .execute();
  expect(await findDueEndpoints(service.services)).toEqual({
    due: [expect.objectContaining({ id, account_id: merchant.id, failing: false })],
    nextInMs: 4_000,
  });
  await merchant.call().webhookEndpoints.delete({ id });
});

it('workers share the work without making an attempt twice', async () => {
  await using one = await startAnotherWorker();
  await using other = await startAnotherWorker();
  const subscriptions = await Promise.all(Array.from({ length: 5 }, () => merchant.subscribe()));
  for (let made = 0; made < 40; made += 1) await merchant.createAffiliate();
  await Promise.all(subscriptions.map(({ receiver }) => receiver.first(40)));
  await Promise.all([one.worker.sweepNow(), other.worker.sweepNow()]);
  for (const { endpoint, receiver } of subscriptions) {
    expect(receiver.received).toHaveLength(40);
    const deliveries = await merchant.deliveries(endpoint.id);
    expect(deliveries.map(({ status, attempts_count }) => `${status} ${attempts_count}`)).toEqual(Array(40).fill('succeeded 1'));
    await merchant.call().webhookEndpoints.delete({ id: endpoint.id });
    await receiver[Symbol.asyncDispose]();
  }
});

it('an endpoint continues with another worker within seconds after its worker was killed', async () => {
  await using subscription = await merchant.subscribe(hang);
  const { receiver, endpoint } = subscription;
  const env = environment({
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const killed = await untilWorking(spawn(process.execPath, [CLI, 'worker'], { env, stdio: ['ignore', 'pipe', 'inherit'] }));
  await merchant.createAffiliate();
  await receiver.first(1);
  receiver.reply = accept;
  await using successor = await startAnotherWorker();
  // Has found the endpoint locked.
  await successor.worker.sweepNow();
  expect(receiver.received).toHaveLength(1);
  killed.kill('SIGKILL');
  const killedAt = performance.now();
  await receiver.first(2);
  expect(performance.now() - killedAt).toBeLessThan(5_000);
  await successor.worker.sweepNow();
  const [delivery] = await merchant.deliveries(endpoint.id);
  expect(delivery).toMatchObject({ status: 'succeeded' });
});

it('a delivery whose job another worker got does not wait for the post that holds the lock', async () => {
  await using subscription = await merchant.subscribe((_hook, response) => {
    // The first post waits for its answer until the end of the test.
    if (subscription.receiver.received.length > 1) response.end();
    else void answered.promise.then(() => response.end());
  });
  const answered = Promise.withResolvers<void>();
  await using one = await startAnotherWorker();
  await using _other = await startAnotherWorker();
  for (let made = 1; made <= 6; made += 1) {
    await merchant.createAffiliate();
    await subscription.receiver.first(made);
  }
  expect(new Set(subscription.receiver.received.map(({ hookId }) => hookId)).size).toBe(6);
  answered.resolve();
  await one.worker.sweepNow();
});

it('a worker records running posts before it stops', async () => {
  const held = Promise.withResolvers<void>();
  await using subscription = await merchant.subscribe((_hook, response) => void held.promise.then(() => response.end()));
  const another = await startAnotherWorker();
  await merchant.createAffiliate();
  await subscription.receiver.first(1);
  const stopped = another[Symbol.asyncDispose]();
  held.resolve();
  await stopped;
  const [delivery] = await merchant.deliveries(subscription.endpoint.id);
  expect(delivery).toMatchObject({ status: 'succeeded', attempts_count: 1 });
  await merchant.call().webhookEndpoints.delete({ id: subscription.endpoint.id });
});

it('a worker that is asked to stop ends its wait and leaves the delivery to the next worker', async () => {
  await using subscription = await merchant.subscribe(hang);
  const { receiver } = subscription;
  const another = await startAnotherWorker();
  await merchant.createAffiliate();
  const [first] = await receiver.first(1);
  await another.worker.stop(50);
  receiver.reply = accept;
  await using successor = await startAnotherWorker();
  const [, second] = await receiver.first(2);
  expect(second).toMatchObject({ hookId: first!.hookId, raw: first!.raw });
  await successor.worker.sweepNow();
});
