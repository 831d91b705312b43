import { startWorker, WakeUpChannel } from '@affiliate/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setTimeout } from 'node:timers/promises';
import { accept, hang } from '../support/hook-receiver.ts';
import { testLog } from '../support/log.ts';
import { onServer } from '../support/postgres.ts';
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
  const wakeUps = new WakeUpChannel({ url: service.databaseUrl, log: testLog() });
  const worker = await startWorker(service.services, { databaseUrl: service.databaseUrl, wakeUps });
  return {
    worker,
    [Symbol.asyncDispose]: async () => {
      await worker.stop();
      await wakeUps.close();
    },
  };
}

it('a wake-up reaches every listening process, only a few times for a burst', async () => {
  const url = service.databaseUrl;
  const channels = Array.from({ length: 3 }, () => new WakeUpChannel({ url, log: testLog() }));
  const [sender, ...listeners] = channels;
  const woken = await Promise.all(
    listeners.map(async (listener) => {
      const heard: string[] = [];
      const both = Promise.withResolvers<string[]>();
      await listener.listen((ids) => {
        heard.push(...ids);
        if (heard.includes('whe_1') && heard.includes('whe_2')) both.resolve(heard);
      });
      return { both: both.promise };
    }),
  );
  for (let i = 0; i < 50; i += 1) sender!.wakeUps.deliveries(['whe_1', 'whe_2']);
  for (const { both } of woken) expect((await both).length).toBeLessThan(10);
  await Promise.all(channels.map((channel) => channel.close()));
});

it('a process receives wake-ups again after its session was lost', async () => {
  const wakeUps = new WakeUpChannel({ url: service.databaseUrl, log: testLog() });
  const heard = Promise.withResolvers<string[]>();
  await wakeUps.listen((ids) => heard.resolve(ids));
  await onServer(
    service.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'affiliate wake-ups' and datname = current_database()`,
  );
  // The first notifications may still be sent over the lost session.
  for (let sent = 0; sent < 200; sent += 1) {
    wakeUps.wakeUps.deliveries(['whe_1']);
    const woken = await Promise.race([heard.promise, setTimeout(50, null)]);
    if (woken) break;
  }
  expect(await heard.promise).toEqual(['whe_1']);
  await wakeUps.close();
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
