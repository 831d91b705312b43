import { JobQueue, startWorker } from '@affiliate/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accept, hang } from '../support/hook-receiver.ts';
import { testLog } from '../support/log.ts';
import { type Merchant, startWebhookService, type WebhookTestService } from './service.ts';

let service: WebhookTestService;
let merchant: Merchant;
beforeAll(async () => {
  service = await startWebhookService();
  merchant = await service.createMerchant();
});
afterAll(() => service.stop());

/** A worker of another process on the same database, as PostgreSQL sees it. */
async function startAnotherWorker() {
  const queue = await JobQueue.open({ url: service.databaseUrl, log: testLog() });
  const worker = await startWorker(service.services, { databaseUrl: service.databaseUrl, queue });
  return {
    worker,
    [Symbol.asyncDispose]: async () => {
      await worker.stop();
      await queue.close();
    },
  };
}

it('sends wake-ups from one process to another, one per endpoint and burst', async () => {
  const url = service.databaseUrl;
  const sender = await JobQueue.open({ url, log: testLog() });
  const woken: string[] = [];
  const both = Promise.withResolvers<void>();
  // The worker of this file listens too; the first one gets the job.
  await service.worker.stop();
  const listener = await JobQueue.open({ url, log: testLog() });
  await listener.onDeliveries(async (ids) => {
    woken.push(...ids);
    if (woken.includes('whe_1') && woken.includes('whe_2')) both.resolve();
  });
  for (let i = 0; i < 50; i += 1) sender.wakeUps.deliveries(['whe_1', 'whe_2']);
  await both.promise;
  await sender.close();
  await listener.close();
  expect(woken.length).toBeLessThan(10);
});

it('shares the work between workers without making an attempt twice', async () => {
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

it('records running posts before it stops', async () => {
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

it('stops waiting on request, and leaves the delivery to the next worker', async () => {
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
