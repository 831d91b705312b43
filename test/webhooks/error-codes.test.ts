import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answer, hang, HookReceiver } from '../support/hook-receiver.ts';
import { respond, startReceiver } from '../support/webhook-receiver.ts';
import { type Delivery, type Merchant, startWebhookService, type WebhookTestService } from './service.ts';

let service: WebhookTestService;
let merchant: Merchant;
/** Addresses that the fake name server returns, by host name. */
let addresses: Record<string, string[]> = {};
beforeAll(async () => {
  service = await startWebhookService({ exchangeTimeoutMs: 300 });
  service.services.webhooks.resolve = async (name) => addresses[name] ?? [];
  merchant = await service.createMerchant();
});
afterAll(() => service.stop());

/** Creates an endpoint at `url`, calls `sinceSaved`, and creates one event. Returns the event's delivery. */
async function deliverTo(url: string, sinceSaved: () => unknown = () => undefined): Promise<Delivery> {
  const { id } = await merchant.call().webhookEndpoints.create({ name: 'Receiver', url, event_types: ['affiliate.created'] });
  await sinceSaved();
  await merchant.createAffiliate();
  await service.worker.sweepNow();
  const [delivery] = await merchant.deliveries(id);
  await merchant.call().webhookEndpoints.delete({ id });
  return delivery!;
}

const failedBeforeResponse = (code: string) => ({
  status: 'pending',
  error_code: code,
  response_status: null,
  attempts: [{ error_code: code, response_status: null, response_headers: null, response_excerpt: null }],
});

it('a delivery fails with private_uri if the name now has a private address', async () => {
  await using receiver = await HookReceiver.start();
  addresses = { 'hooks.test': ['127.0.0.1'] };
  const url = receiver.url.replace('127.0.0.1', 'hooks.test');
  const delivery = await deliverTo(url, () => (addresses = { 'hooks.test': ['127.0.0.1', '10.0.0.1'] }));
  expect(delivery).toMatchObject(failedBeforeResponse('private_uri'));
  expect(receiver.received).toEqual([]);
});

it('a delivery fails with dns_error if the name no longer exists', async () => {
  addresses = { 'hooks.test': ['127.0.0.1'] };
  const delivery = await deliverTo('http://hooks.test/', () => (addresses = {}));
  expect(delivery).toMatchObject(failedBeforeResponse('dns_error'));
});

it('a delivery fails with invalid_uri if the stored text is not a URL', async () => {
  const delivery = await deliverTo('http://127.0.0.1:1024/', () =>
    service.services.database.kysely
      .updateTable('webhook_endpoint')
      .set({ url: 'http://' })
      .where('account_id', '=', merchant.id)
      .execute(),
  );
  expect(delivery).toMatchObject(failedBeforeResponse('invalid_uri'));
});

it('a delivery fails with timeout if the receiver does not respond', async () => {
  await using receiver = await HookReceiver.start(hang);
  const delivery = await deliverTo(receiver.url);
  expect(delivery).toMatchObject(failedBeforeResponse('timeout'));
  expect(delivery.attempts[0]!.duration_ms).toBeGreaterThanOrEqual(290);
});

it('a delivery fails with connection_error if no process listens', async () => {
  const receiver = await HookReceiver.start();
  const { url } = receiver;
  await receiver[Symbol.asyncDispose]();
  expect(await deliverTo(url)).toMatchObject(failedBeforeResponse('connection_error'));
});

it('a delivery fails with ssl_error if the certificate is not trusted', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  await using receiver = await startReceiver(respond(200), { tls: { key, cert } });
  expect(await deliverTo(receiver.url)).toMatchObject(failedBeforeResponse('ssl_error'));
  expect(receiver.requests).toEqual([]);
});

it.each([301, 302, 307, 400, 404, 429, 500, 599])(
  'a delivery fails with http_%i if the receiver answers with that status',
  async (status) => {
    await using elsewhere = await HookReceiver.start();
    await using receiver = await HookReceiver.start(answer(status, { location: elsewhere.url }, 'no'));
    expect(await deliverTo(receiver.url)).toMatchObject({
      status: 'pending',
      error_code: `http_${status}`,
      response_status: status,
      attempts: [{ error_code: `http_${status}`, response_headers: { location: elsewhere.url }, response_excerpt: 'no' }],
    });
    expect(elsewhere.received).toEqual([]);
  },
);

it('any response of a receiver is stored', async () => {
  const body = Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x22, 0x5c, 0x27]);
  await using receiver = await startReceiver(respond(200, { 'x-odd': '"\\\'' }, body));
  expect(await deliverTo(receiver.url)).toMatchObject({
    status: 'succeeded',
    attempts: [{ response_excerpt: expect.stringMatching(/^a\uFFFD\uFFFD+"\\'$/), response_headers: { 'x-odd': '"\\\'' } }],
  });
});
