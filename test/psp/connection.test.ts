import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorOf, type Merchant, usePspService } from './service.ts';

const service = usePspService();
let merchant: Merchant;

beforeEach(async () => {
  merchant = await service.createMerchant();
});

async function storedRow() {
  return service.services.database.kysely
    .selectFrom('connection')
    .selectAll()
    .where('account_id', '=', merchant.id)
    .executeTakeFirst();
}

describe('connecting the provider', () => {
  test('is prepared by a record that lists what to set up at the provider', async () => {
    const connection = await merchant.call().pspConnection.get();
    expect(connection).toMatchObject({
      connected: false,
      livemode: null,
      webhook_url: `https://affiliates.example.com/psp/webhooks/${merchant.id}`,
      webhook_event_types: expect.arrayContaining(['checkout.session.completed', 'invoice.paid', 'promotion_code.updated']),
    });
  });

  test('stores both secrets sealed, and returns neither', async () => {
    const { secretKey } = merchant.psp;
    const connection = await merchant
      .call()
      .pspConnection.connect({ secret_key: secretKey, webhook_secret: merchant.webhookSecret });
    expect(connection).toMatchObject({ connected: true, livemode: false, psp_account_id: merchant.psp.records.account.id });
    const row = await storedRow();
    const everywhere = inspect([connection, await merchant.call().pspConnection.get(), row, service.log.lines], { depth: 9 });
    expect(everywhere).not.toContain(secretKey);
    expect(everywhere).not.toContain(merchant.webhookSecret);
    expect(service.services.secrets.open(row?.sealed_credentials ?? '')).toBe(secretKey);
    expect(service.services.secrets.open(row?.sealed_webhook_secret ?? '')).toBe(merchant.webhookSecret);
  });

  test('derives the mode from the key', async () => {
    const live = service.psp.addAccount('live');
    await merchant.call().pspConnection.connect({ secret_key: live.secretKey, webhook_secret: merchant.webhookSecret });
    expect(await merchant.call().pspConnection.get()).toMatchObject({ livemode: true, psp_account_id: live.records.account.id });
  });

  test('replaces an existing connection', async () => {
    await merchant.connect();
    const other = service.psp.addAccount('test');
    await merchant.call().pspConnection.connect({ secret_key: other.secretKey, webhook_secret: 'whsec_other' });
    expect(await merchant.call().pspConnection.get()).toMatchObject({ psp_account_id: other.records.account.id });
  });

  test('neither stores nor shows a key that the provider refuses', async () => {
    service.psp.revokeKey(merchant.psp.secretKey);
    const error = await errorOf(merchant.connect());
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'secret_key', code: 'not_accepted' }] });
    expect(inspect([error, service.log.lines], { depth: 9 })).not.toContain(merchant.psp.secretKey);
    expect(await storedRow()).toBeUndefined();
  });

  test.each(['pk_test_abc', 'whsec_abc', 'sk_test_abc ', ''])(
    'refuses %j without a request to the provider, because it is not a secret key',
    async (secretKey) => {
      service.psp.requests.length = 0;
      const connect = merchant.call().pspConnection.connect({ secret_key: secretKey, webhook_secret: merchant.webhookSecret });
      expect(await errorOf(connect)).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(service.psp.requests).toEqual([]);
    },
  );

  test('refuses a signing secret in the wrong form', async () => {
    const connect = merchant.call().pspConnection.connect({ secret_key: merchant.psp.secretKey, webhook_secret: 'sk_test_abc' });
    expect(await errorOf(connect)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('fails with PSP_ERROR if the provider does not respond, and keeps the previous connection', async () => {
    await merchant.connect();
    const before = await storedRow();
    const fault = service.psp.faults.plant({ method: 'GET', path: /account/, kind: 503, effect: 'none' });
    expect(await errorOf(merchant.connect())).toMatchObject({ code: 'PSP_ERROR', details: { reason: 'unavailable' } });
    fault.lift();
    expect(await storedRow()).toEqual(before);
  });
});

describe('after connecting', () => {
  test('disconnecting deletes the secrets, and may be repeated', async () => {
    await merchant.connect();
    expect(await merchant.call().pspConnection.disconnect()).toMatchObject({ connected: false });
    expect(await merchant.call().pspConnection.disconnect()).toMatchObject({ connected: false });
    expect(await storedRow()).toMatchObject({
      state: 'disconnected',
      sealed_credentials: null,
      sealed_webhook_secret: null,
      sealed_previous_webhook_secret: null,
    });
  });

  test('connecting again continues the connection, with its settings', async () => {
    await merchant.connect();
    await merchant.call().pspConnection.update({ customer_id_key: 'shop_id' });
    const before = await storedRow();
    await merchant.call().pspConnection.disconnect();
    await merchant.connect();
    expect(await storedRow()).toMatchObject({ id: before!.id, settings: { customer_id_key: 'shop_id' } });
    expect(await merchant.call().pspConnection.get()).toMatchObject({ connected: true, customer_id_key: 'shop_id' });
  });

  test('a replaced signing secret stays valid for a day', async () => {
    await merchant.connect();
    const rotated = await merchant.call().pspConnection.rotateWebhookSecret({ webhook_secret: 'whsec_next' });
    const hours =
      (Date.parse(rotated.previous_webhook_secret_expires_at ?? '') - Date.parse(rotated.updated_at ?? '')) / 3_600_000;
    expect(hours).toBe(24);
    await merchant.call().pspConnection.rotateWebhookSecret({ webhook_secret: 'whsec_next' });
    const row = await storedRow();
    expect(service.services.secrets.open(row?.sealed_previous_webhook_secret ?? '')).toBe(merchant.webhookSecret);
  });

  test('a signing secret cannot be replaced without a connection', async () => {
    const rotation = merchant.call().pspConnection.rotateWebhookSecret({ webhook_secret: 'whsec_next' });
    expect(await errorOf(rotation)).toMatchObject({ code: 'PSP_NOT_CONNECTED' });
  });
});

describe('permissions', () => {
  const WRITES = { 'settings.psp.read': true } as const;

  test('must include settings.psp.*', async () => {
    const api = merchant.call({ 'v1.affiliates.read': true });
    expect(await errorOf(api.pspConnection.get())).toMatchObject({ code: 'FORBIDDEN' });
    expect(await merchant.call(WRITES).pspConnection.get()).toMatchObject({ connected: false });
    expect(await errorOf(merchant.call(WRITES).pspConnection.disconnect())).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('apply only to the caller’s own account', async () => {
    await merchant.connect();
    const other = await service.createMerchant();
    expect(await other.call().pspConnection.get()).toMatchObject({ connected: false });
    await other.call().pspConnection.disconnect();
    expect(await merchant.call().pspConnection.get()).toMatchObject({ connected: true });
  });
});
