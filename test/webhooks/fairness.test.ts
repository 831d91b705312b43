import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hang, HookReceiver } from '../support/hook-receiver.ts';
import { type Merchant, startWebhookService, type WebhookTestService } from './service.ts';

/** Largest number of concurrent posts to an endpoint. */
const IN_FLIGHT = 8;

let service: WebhookTestService;
beforeEach(async () => {
  service = await startWebhookService();
});
afterEach(() => service.stop());

/** Creates several endpoints for the same receiver. */
async function subscribeTimes(count: number, merchant: Merchant, receiver: HookReceiver): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await merchant.call().webhookEndpoints.create({ name: 'Hung', url: receiver.url, event_types: ['affiliate.created'] });
  }
}

async function createAffiliates(count: number, merchant: Merchant): Promise<void> {
  for (let made = 0; made < count; made += 1) await merchant.createAffiliate();
}

it('deliveries reach a working endpoint while 20 other endpoints of its account do not respond', async () => {
  const merchant = await service.createMerchant();
  await using hung = await HookReceiver.start(hang);
  await subscribeTimes(20, merchant, hung);
  await createAffiliates(10, merchant);
  // Each endpoint takes all the capacity that it can get. None of the posts is answered before this test ends.
  await hung.first(20);
  await using working = await merchant.subscribe();
  await createAffiliates(30, merchant);
  await working.receiver.first(30);
  expect(hung.received.length).toBeLessThanOrEqual(20 * IN_FLIGHT);
});

it('deliveries reach other accounts, however many endpoints of one account do not respond', async () => {
  const attacker = await service.createMerchant();
  const merchant = await service.createMerchant();
  await using hung = await HookReceiver.start(hang);
  await subscribeTimes(60, attacker, hung);
  await createAffiliates(9, attacker);
  await hung.first(100);
  await using working = await merchant.subscribe();
  await createAffiliates(30, merchant);
  await working.receiver.first(30);
  // No post to the attacker's 60 endpoints has been answered, and fewer are open than the limits of these endpoints would allow in total.
  expect(hung.received.length).toBeLessThan(60 * IN_FLIGHT);
});

it('no transaction is open during the wait for a receiver', async () => {
  const merchant = await service.createMerchant();
  await using hung = await merchant.subscribe(hang);
  await merchant.createAffiliate();
  await hung.receiver.first(1);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { rows: open } = await client.query(
    `select state, query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  await client.end();
  expect(open).toEqual([]);
});
