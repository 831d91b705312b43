/** Connecting with only a key: the service creates the endpoint at the provider (docs/rules/sources.md#provider-connection). */
import { repairPspEndpoints } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { charge, sendEvent, wireEvent } from '../support/psp-server/index.ts';
import { errorOf, type Merchant, usePspService } from './service.ts';

/** Permissions with which nothing is missing. */
const ALL = [
  'rak_accounts_kyc_basic_read',
  'rak_webhook_write',
  'rak_invoice_read',
  'rak_subscription_read',
  'rak_checkout_session_read',
  'rak_plan_read',
  'rak_event_read',
  'rak_coupon_read',
  'rak_promotion_code_write',
];
const without = (...names: string[]) => ALL.filter((name) => !names.some((each) => name.includes(each)));

const service = usePspService();
let merchant: Merchant;
beforeEach(async () => {
  merchant = await service.createMerchant();
});
afterEach(() => service.psp.faults.liftAll());

const endpoints = () => merchant.psp.records.webhookEndpoints;
const connect = (permissions: string[] = ALL) =>
  merchant.call().pspConnection.connect({ secret_key: service.psp.restrictKey(merchant.psp, permissions) });
const status = () => merchant.call().pspConnection.endpoint();

/** Delivers an event as the provider does: to the only endpoint, signed with its secret. Returns the status of the response. */
async function deliver(secret = merchant.psp.records.endpointSecrets.get(endpoints()[0]!.id)!): Promise<number> {
  const timestamp = Math.floor(service.clock.now().getTime() / 1_000);
  const url = service.url + new URL(endpoints()[0]!.url).pathname;
  return (await sendEvent(url, wireEvent('charge.succeeded', charge()), { secret, timestamp })).status;
}

describe('connecting with a key', () => {
  test('creates an endpoint with exactly the handled events, whose events are accepted', async () => {
    const connection = await connect();
    expect(endpoints()).toMatchObject([
      {
        id: connection.endpoint_id,
        url: connection.webhook_url,
        api_version: '2026-10-28.endive',
        status: 'enabled',
        metadata: { affiliate_account: merchant.id },
      },
    ]);
    expect(endpoints()[0]!.enabled_events.toSorted()).toEqual(connection.webhook_event_types.toSorted());
    expect(await deliver()).toBe(200);
    expect(await status()).toMatchObject({ problem: null, missing_permissions: [], endpoint: { is_managed: true } });
  });

  test('is repeated once under an Idempotency-Key, which stands for this request', async () => {
    const body = { secret_key: service.psp.restrictKey(merchant.psp, ALL) };
    const put = (input: object) =>
      merchant.api.send('PUT', '/api/settings/v1/psp_connection', { body: input, headers: { 'Idempotency-Key': 'connect-1' } });
    const first = await put(body);
    const [endpoint] = endpoints();
    const second = await put(body);
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(endpoints()).toEqual([endpoint]);
    expect(await put({ secret_key: `${body.secret_key}2` })).toMatchObject({
      status: 422,
      body: { details: [{ code: 'idempotency_key_reused' }] },
    });
  });

  test('stores the secret encrypted, and shows it nowhere', async () => {
    await connect();
    const { kysely } = service.services.database;
    const row = await kysely.selectFrom('connection').selectAll().where('account_id', '=', merchant.id).executeTakeFirst();
    const operations = await kysely.selectFrom('operation').selectAll().where('account_id', '=', merchant.id).execute();
    expect(operations).toMatchObject([{ kind: 'endpoint', state: 'succeeded' }]);
    expect(JSON.stringify([row, operations])).not.toMatch(/whsec_|rk_test/);
  });

  test('again replaces the endpoint, and accepts the former secret for a day', async () => {
    await connect();
    const [former] = endpoints();
    const secret = merchant.psp.records.endpointSecrets.get(former!.id)!;
    await connect();
    expect(endpoints()).toHaveLength(1);
    expect(endpoints()[0]!.id).not.toBe(former!.id);
    expect([await deliver(), await deliver(secret)]).toEqual([200, 200]);
    service.clock.advance(25, 'hours');
    expect([await deliver(), await deliver(secret)]).toEqual([200, 400]);
    service.clock.advance(-25, 'hours');
  });

  test('leaves endpoints of others alone', async () => {
    const theirs = { enabled_events: ['*'], api_version: null, description: null, metadata: {} };
    merchant.psp.records.createWebhookEndpoint({ ...theirs, url: 'https://merchant.example/hooks' });
    await connect();
    await connect();
    expect(endpoints().map(({ url }) => new URL(url).host)).toContain('merchant.example');
    expect(endpoints()).toHaveLength(2);
  });

  test.each(['timeout', 'reset', 503] as const)(
    'whose answer was lost (%s) gives the same endpoint when it is repeated',
    async (kind) => {
      const secret_key = service.psp.restrictKey(merchant.psp, ALL);
      service.psp.faults.plant({
        method: 'POST',
        path: /webhook_endpoints$/,
        kind,
        effect: 'applied',
        times: kind === 'reset' ? 2 : 1,
      });
      const lost = errorOf(merchant.call().pspConnection.connect({ secret_key }));
      expect(await lost).toMatchObject({ code: 'OPERATION_PENDING' });
      expect(await merchant.call().pspConnection.get()).toMatchObject({ connected: false });
      const connection = await merchant.call().pspConnection.connect({ secret_key });
      expect(endpoints().map(({ id }) => id)).toEqual([connection.endpoint_id]);
      expect(await deliver()).toBe(200);
    },
  );

  test('stores nothing if the provider refuses the endpoint', async () => {
    const theirs = { enabled_events: ['*'], api_version: null, description: null, metadata: {} };
    for (let i = 0; i < 16; i += 1) merchant.psp.records.createWebhookEndpoint({ ...theirs, url: 'https://merchant.example/' });
    expect(await errorOf(connect())).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'secret_key', code: 'endpoint_refused' }],
      error: expect.stringContaining('the maximum of 16 test webhook endpoints'),
    });
    expect(await merchant.call().pspConnection.get()).toMatchObject({ connected: false });
    endpoints().length = 0;
    expect(await connect()).toMatchObject({ connected: true });
  });
});

describe('a key that lacks permissions', () => {
  test('is refused with the names of all missing ones that are needed', async () => {
    const refused = errorOf(connect(without('webhook', 'invoice', 'event', 'coupon')));
    expect(await refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      error: expect.stringContaining(
        'The key lacks permissions: Webhook Endpoints (write), Invoices (read), Events (read). Add them to the key in Stripe.',
      ),
      details: [{ path: 'secret_key', code: 'missing_permissions' }],
    });
    expect(endpoints()).toEqual([]);
  });

  test.each([
    ['rak_webhook', 'Webhook Endpoints (write)'],
    ['rak_invoice', 'Invoices (read)'],
    ['rak_subscription', 'Subscriptions (read)'],
    ['rak_event', 'Events (read)'],
  ])('without %s is refused', async (permission, name) => {
    expect(await errorOf(connect(without(permission)))).toMatchObject({
      error: expect.stringContaining(`permissions: ${name}.`),
    });
  });

  test('for promo codes connects, and shows what is missing', async () => {
    await connect(without('coupon', 'promotion_code'));
    expect(await status()).toMatchObject({
      problem: null,
      missing_permissions: [
        { resource: 'Coupons', access: 'read', purpose: 'codes' },
        { resource: 'Promotion Codes', access: 'write', purpose: 'codes' },
      ],
    });
  });

  test('for endpoints connects with a secret', async () => {
    const secret_key = service.psp.restrictKey(merchant.psp, without('webhook'));
    const connection = await merchant.call().pspConnection.connect({ secret_key, webhook_secret: 'whsec_by_hand' });
    expect(connection).toMatchObject({ connected: true, endpoint_id: null });
    expect(await status()).toMatchObject({ problem: 'unreadable', missing_permissions: [{ purpose: 'endpoint' }] });
    const refused = errorOf(merchant.call().pspConnection.repairEndpoint({}));
    expect(await refused).toMatchObject({ code: 'PSP_ERROR', details: { reason: 'permission' } });
  });

  test('is named by the check of a connection whose key has lost permissions since', async () => {
    await connect();
    service.psp.faults.plant({ method: 'GET', path: /webhook_endpoints/, kind: 403, effect: 'none' });
    expect(await status()).toMatchObject({ endpoint: null, problem: 'unreadable' });
  });
});

describe('an endpoint', () => {
  test('that is disabled or lacks events is repaired by a click', async () => {
    const { webhook_event_types: handled } = await connect();
    const endpoint = endpoints()[0]!;
    endpoint.status = 'disabled';
    expect(await status()).toMatchObject({ problem: 'disabled' });
    expect(await merchant.call().pspConnection.repairEndpoint({})).toMatchObject({ problem: null });
    endpoint.enabled_events = ['invoice.paid', 'plan.created'];
    expect(await status()).toMatchObject({ problem: 'missing_events' });
    expect(await merchant.call().pspConnection.repairEndpoint({})).toMatchObject({ problem: null });
    expect(endpoint.enabled_events.toSorted()).toEqual([...handled, 'plan.created'].toSorted());
    expect(endpoints()).toEqual([endpoint]);
  });

  test('that was deleted is created again by a click, and the former secret is accepted for a day', async () => {
    await connect();
    const secret = merchant.psp.records.endpointSecrets.get(endpoints()[0]!.id)!;
    endpoints().length = 0;
    expect(await status()).toMatchObject({ endpoint: null, problem: 'missing' });
    expect(await merchant.call().pspConnection.repairEndpoint({})).toMatchObject({
      problem: null,
      endpoint: { is_managed: true },
    });
    expect([await deliver(), await deliver(secret)]).toEqual([200, 200]);
  });

  test('that somebody created by hand is found by its address, and repaired with the same secret', async () => {
    await merchant.connect();
    const { webhook_url: url } = await merchant.call().pspConnection.get();
    const fields = { api_version: '2024-06-20', description: null, metadata: {} };
    merchant.psp.records.createWebhookEndpoint({ ...fields, url, enabled_events: ['invoice.paid'] });
    expect(await status()).toMatchObject({
      problem: 'missing_events',
      endpoint: { is_managed: false, api_version: '2024-06-20' },
    });
    expect(await merchant.call().pspConnection.repairEndpoint({})).toMatchObject({ problem: null });
    expect(await deliver(merchant.webhookSecret)).toBe(200);
  });

  test('is repaired by the worker once a day, unless it was deleted or created by hand', async () => {
    await connect();
    const repair = () => repairPspEndpoints(service.services);
    const before = service.clock.instant();
    await repair();
    const endpoint = endpoints()[0]!;
    endpoint.status = 'disabled';
    expect(await repair()).toBe(0);
    service.clock.advance(1, 'days');
    expect(await repair()).toBe(1);
    expect(endpoint.status).toBe('enabled');
    endpoints().length = 0;
    service.clock.advance(1, 'days');
    expect(await repair()).toBe(0);
    expect(endpoints()).toEqual([]);
    service.clock.set(before);
  });

  test('is checked although another account’s provider does not answer', async () => {
    await connect();
    const broken = await service.createMerchant();
    await broken.call().pspConnection.connect({ secret_key: broken.psp.secretKey });
    service.psp.revokeKey(broken.psp.secretKey);
    const before = service.clock.instant();
    service.clock.advance(3, 'days');
    endpoints()[0]!.enabled_events = ['invoice.paid'];
    expect(await repairPspEndpoints(service.services)).toBe(1);
    service.clock.set(before);
  });

  test('is deleted when the account is disconnected', async () => {
    await connect();
    await merchant.call().pspConnection.disconnect();
    await expect.poll(endpoints).toEqual([]);
  });
});
