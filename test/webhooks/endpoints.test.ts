import { toEnvelope } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { accept, answer } from '../support/hook-receiver.ts';
import { useWebhookMerchant } from './service.ts';

const { service, merchant } = useWebhookMerchant();

const endpoints = () => merchant.call().webhookEndpoints;
const input = { name: 'Orders', url: 'http://127.0.0.1:1024/hooks', event_types: ['payout.paid' as const] };
const invalidField = (path: string, code?: string) => ({
  cause: { code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path, ...(code && { code }) })] },
});
/** Returns the error of a call as a caller sees it, including errors of the input schema. */
function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'accepted',
    (error: unknown) => toEnvelope(error).body,
  );
}

describe('creating an endpoint', () => {
  it('shows the signing secret once', async () => {
    const { signing_secret, ...endpoint } = await endpoints().create(input);
    expect(signing_secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      ...input,
      active: true,
      livemode: null,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      last_success_at: null,
      previous_secret_expires_at: null,
      secret_header_names: [],
      deleted_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
    });
    expect(await endpoints().get({ id: endpoint.id })).toEqual(endpoint);
    const stored = await service.services.database.kysely
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where('id', '=', endpoint.id)
      .execute();
    expect(JSON.stringify(stored)).not.toContain(signing_secret);
  });

  it.each([
    ['http://10.0.0.1/hooks', 'private_uri'],
    ['http://[::ffff:192.168.0.1]/', 'private_uri'],
    ['http://169.254.169.254/latest/meta-data', 'private_uri'],
    ['https://user:pass@example.com/', 'invalid_uri'],
    ['ftp://example.com/', 'invalid_uri'],
    ['not a url', 'invalid_uri'],
    ['https://no-such-host.invalid/', 'dns_error'],
  ])('refuses %s', async (url, code) => {
    await expect(endpoints().create({ ...input, url })).rejects.toMatchObject(invalidField('url', code));
  });

  it.each([
    ['a blank name', { ...input, name: ' ' }, 'name'],
    ['no types', { ...input, event_types: [] }, 'event_types'],
    ['a type twice', { ...input, event_types: ['payout.paid', 'payout.paid'] as const }, 'event_types'],
    ['an unknown type', { ...input, event_types: ['payout.lost'] }, 'event_types.0'],
    ['an unknown field', { ...input, secret: 'mine' }, 'secret'],
  ])('refuses %s', async (_what, body, path) => {
    expect(await refusal(endpoints().create(body as never))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path })],
    });
  });
});

describe('the number of endpoints', () => {
  it('is at most 100 per account, even after concurrent requests, not counting deleted endpoints', async () => {
    const crowded = await service.createMerchant();
    const create = () => crowded.call().webhookEndpoints.create(input);
    const made = await Promise.allSettled(Array.from({ length: 103 }, create));
    const created = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(created).toHaveLength(100);
    expect(await refusal(create())).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ code: 'too_many' }] });
    await crowded.call().webhookEndpoints.delete({ id: created[0]!.id });
    expect((await create()).id).toMatch(/^whe_/);
  });
});

describe('updating an endpoint', () => {
  it('changes the given fields', async () => {
    const { id } = await endpoints().create(input);
    const updated = await endpoints().update({ id, name: 'Renamed', event_types: ['commission.due', 'commission.voided'] });
    expect(updated).toMatchObject({ id, name: 'Renamed', url: input.url, event_types: ['commission.due', 'commission.voided'] });
  });

  it('validates a new URL like create', async () => {
    const { id } = await endpoints().create(input);
    await expect(endpoints().update({ id, url: 'http://10.0.0.1/' })).rejects.toMatchObject(invalidField('url', 'private_uri'));
  });

  it('can pause an endpoint, so that pending deliveries wait and new events create no deliveries', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { endpoint, receiver } = subscription;
    const before = await merchant.createAffiliate();
    await receiver.first(1);
    await service.worker.sweepNow();
    await endpoints().update({ id: endpoint.id, active: false });
    await merchant.createAffiliate();
    service.clock.advance(1, 'minutes');
    await service.worker.sweepNow();
    expect(receiver.received).toHaveLength(1);

    receiver.reply = accept;
    await endpoints().update({ id: endpoint.id, active: true });
    await receiver.first(2);
    await service.worker.sweepNow();
    expect(receiver.received.map(({ body }) => body.data['id'])).toEqual([before, before]);
  });
});

describe('listing endpoints', () => {
  it('returns endpoints newest first, without deleted endpoints', async () => {
    const own = await service.createMerchant();
    const made = [];
    for (const name of ['a', 'b', 'c']) made.push(await own.call().webhookEndpoints.create({ ...input, name }));
    await own.call().webhookEndpoints.delete({ id: made[1]!.id });
    const { data, pagination } = await own.call().webhookEndpoints.list({ limit: 1 });
    expect(data.map(({ name }) => name)).toEqual(['c']);
    expect(pagination).toMatchObject({ total_count: 2, next_page: 2 });
    expect(JSON.stringify(data)).not.toContain('secret"');
  });
});

describe('deleting an endpoint', () => {
  it('keeps the history, cancels pending deliveries and sends nothing more', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { endpoint, receiver } = subscription;
    await merchant.createAffiliate();
    await receiver.first(1);
    await service.worker.sweepNow();
    await endpoints().delete({ id: endpoint.id });
    await endpoints().delete({ id: endpoint.id });
    expect(await endpoints().get({ id: endpoint.id })).toMatchObject({
      deleted_at: service.clock.instant(),
      active: false,
    });
    const [delivery] = await merchant.deliveries(endpoint.id);
    expect(delivery).toMatchObject({ status: 'canceled', next_attempt_at: null, attempts: [{ error_code: 'http_500' }] });

    await merchant.createAffiliate();
    service.clock.advance(1, 'days');
    await service.worker.sweepNow();
    expect(receiver.received).toHaveLength(1);
    await expect(merchant.call().webhookDeliveries.retry({ id: delivery!.id })).rejects.toMatchObject(
      invalidField('id', 'endpoint_deleted'),
    );
    for (const call of [
      () => endpoints().update({ id: endpoint.id, name: 'x' }),
      () => endpoints().rotateSecret({ id: endpoint.id }),
      () => endpoints().sendTest({ id: endpoint.id }),
    ]) {
      await expect(call()).rejects.toMatchObject({ cause: { code: 'NOT_FOUND' } });
    }
  });
});

describe('permissions', () => {
  it('must include the resource of settings', async () => {
    const { id } = await endpoints().create(input);
    const reader = merchant.call({ 'settings.webhooks.read': true });
    expect(await reader.webhookEndpoints.get({ id })).toMatchObject({ id });
    await expect(reader.webhookEndpoints.rotateSecret({ id })).rejects.toMatchObject({ cause: { code: 'FORBIDDEN' } });
    await expect(merchant.call({ 'v1.affiliates.read': true }).webhookDeliveries.list({})).rejects.toMatchObject({
      cause: { code: 'FORBIDDEN' },
    });
  });

  it('apply only to one account', async () => {
    const other = await service.createMerchant();
    await using subscription = await merchant.subscribe();
    await merchant.createAffiliate();
    await subscription.receiver.first(1);
    const { id } = subscription.endpoint;
    const [delivery] = await merchant.deliveries(id);
    const { webhookEndpoints, webhookDeliveries } = other.call();
    const deliveryId = delivery!.id;
    for (const call of [
      () => webhookEndpoints.get({ id }),
      () => webhookEndpoints.update({ id, active: false }),
      () => webhookEndpoints.delete({ id }),
      () => webhookEndpoints.rotateSecret({ id }),
      () => webhookEndpoints.sendTest({ id }),
      () => webhookDeliveries.get({ id: deliveryId }),
      () => webhookDeliveries.retry({ id: deliveryId }),
    ]) {
      await expect(call()).rejects.toMatchObject({ cause: { code: 'NOT_FOUND' } });
    }
    await expect(webhookDeliveries.resendSince({ endpoint_id: id, since: '2026-01-01T00:00:00Z' })).rejects.toMatchObject(
      invalidField('endpoint_id', 'not_found'),
    );
    expect((await webhookDeliveries.list({})).data).toEqual([]);
    expect((await webhookDeliveries.list({ endpoint_id: id })).data).toEqual([]);
    expect((await webhookEndpoints.list({})).data).toEqual([]);
    await other.createAffiliate();
    await service.worker.sweepNow();
    expect(subscription.receiver.received).toHaveLength(1);
    expect(await endpoints().get({ id })).toMatchObject({ active: true, deleted_at: null });
  });
});
