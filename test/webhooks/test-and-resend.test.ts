import { EVENT_CATALOG, EVENT_TYPES } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { accept, answer, verifySignature } from '../support/hook-receiver.ts';
import { useWebhookMerchant } from './service.ts';

const { service, merchant } = useWebhookMerchant();

describe('sendTest', () => {
  it('sends the first subscribed type, marked as a test, to this endpoint only', async () => {
    await using subscription = await merchant.subscribe(accept, ['payout.paid', 'affiliate.created']);
    await using other = await merchant.subscribe(accept, ['payout.paid']);
    const { endpoint, receiver } = subscription;
    const sent = await merchant.call().webhookEndpoints.sendTest({ id: endpoint.id });
    expect(sent).toMatchObject({ endpoint_id: endpoint.id, event_type: 'payout.paid', test: true, status: 'pending' });
    const [hook] = await receiver.first(1);
    verifySignature(endpoint.signing_secret, hook!);
    expect(hook!.hookId).toBe(sent.id);
    expect(hook!.body).toMatchObject({ id: sent.event_id, type: 'payout.paid', test: true });
    EVENT_CATALOG['payout.paid'].parse(hook!.body.data);
    await service.worker.sweepNow();
    expect(await merchant.call().webhookDeliveries.get({ id: sent.id })).toMatchObject({
      status: 'succeeded',
      attempts: [{ trigger: 'manual', error_code: null }],
    });
    expect(other.receiver.received).toEqual([]);
  });

  it.each(EVENT_TYPES)('creates %s', async (type) => {
    await using subscription = await merchant.subscribe(accept, [type]);
    await merchant.call().webhookEndpoints.sendTest({ id: subscription.endpoint.id });
    const [hook] = await subscription.receiver.first(1);
    expect(EVENT_CATALOG[type].parse(hook!.body.data)).toEqual(hook!.body.data);
  });

  it('sends the first type that a pattern stands for', async () => {
    await using subscription = await merchant.subscribe(accept, ['payout.*']);
    await merchant.call().webhookEndpoints.sendTest({ id: subscription.endpoint.id });
    const [hook] = await subscription.receiver.first(1);
    expect(hook!.body).toMatchObject({ sequence: 0, test: true });
    expect(hook!.body.type).toMatch(/^payout\./);
  });

  it('works on an inactive endpoint, and makes only one attempt', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { endpoint, receiver } = subscription;
    await merchant.call().webhookEndpoints.update({ id: endpoint.id, active: false });
    const { id } = await merchant.call().webhookEndpoints.sendTest({ id: endpoint.id });
    await receiver.first(1);
    await service.worker.sweepNow();
    expect(await merchant.call().webhookDeliveries.get({ id })).toMatchObject({ status: 'failed', error_code: 'http_500' });
    service.clock.advance(1, 'days');
    await service.worker.sweepNow();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('resendSince', () => {
  it('delivers events since the given time that were not delivered to the endpoint', async () => {
    const own = await service.createMerchant();
    await own.createAffiliate(); // Too old: its event is before `since`.
    service.clock.advance(1, 'hours');
    const since = service.clock.instant();
    const before = await own.createAffiliate(); // Its event is older than the endpoint.
    service.clock.advance(1, 'seconds');

    await using subscription = await own.subscribe(accept);
    const { endpoint, receiver } = subscription;
    const succeeded = await own.createAffiliate();
    await receiver.first(1);
    await service.worker.sweepNow();
    service.clock.advance(1, 'seconds');
    receiver.reply = answer(500);
    const waiting = await own.createAffiliate();
    await receiver.first(2);
    await service.worker.sweepNow();
    await own.call().webhookEndpoints.sendTest({ id: endpoint.id });
    await receiver.first(3);
    await service.worker.sweepNow();

    receiver.reply = accept;
    const summary = await own.call().webhookDeliveries.resendSince({ endpoint_id: endpoint.id, since });
    expect(summary).toEqual({ created_count: 1, retried_count: 1 });
    const hooks = await receiver.first(5);
    await service.worker.sweepNow();
    expect(new Set(hooks.slice(3).map(({ body }) => body.data['id']))).toEqual(new Set([before, waiting]));
    const deliveries = await own.deliveries(endpoint.id);
    expect(deliveries.filter(({ test, status }) => !test && status === 'succeeded')).toHaveLength(3);
    expect(hooks.filter(({ body }) => body.data['id'] === succeeded)).toHaveLength(1);
    expect(await own.call().webhookDeliveries.resendSince({ endpoint_id: endpoint.id, since })).toEqual({
      created_count: 0,
      retried_count: 0,
    });
  });

  it('creates a new delivery of an event if its delivery has failed', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { endpoint, receiver } = subscription;
    const since = service.clock.instant();
    await merchant.createAffiliate();
    await receiver.first(1);
    await service.worker.sweepNow();
    for (
      let [next] = await merchant.deliveries(endpoint.id);
      next!.next_attempt_at;
      [next] = await merchant.deliveries(endpoint.id)
    ) {
      service.clock.set(next!.next_attempt_at);
      await service.worker.sweepNow();
    }
    receiver.reply = accept;
    const { resendSince } = merchant.call().webhookDeliveries;
    // One of the concurrent requests creates the delivery, and the other finds it pending.
    const summaries = await Promise.all([
      resendSince({ endpoint_id: endpoint.id, since }),
      resendSince({ endpoint_id: endpoint.id, since }),
    ]);
    expect(summaries.reduce((sum, { created_count }) => sum + created_count, 0)).toBe(1);
    await receiver.first(11);
    await service.worker.sweepNow();
    const [failed, resent, ...none] = await merchant.deliveries(endpoint.id);
    expect(none).toEqual([]);
    expect(resent).toMatchObject({ event_id: failed!.event_id, status: 'succeeded' });
    expect(resent!.id).not.toBe(failed!.id);
    expect(resent!.request_body).toBe(failed!.request_body);
  });

  it('uses the types that the endpoint subscribes to now, and requires an active endpoint', async () => {
    await using subscription = await merchant.subscribe();
    const { endpoint, receiver } = subscription;
    const since = service.clock.instant();
    await merchant.createAffiliate();
    await receiver.first(1);
    await service.worker.sweepNow();
    const { webhookEndpoints, webhookDeliveries } = merchant.call();
    await webhookEndpoints.update({ id: endpoint.id, event_types: ['payout.paid'] });
    expect(await webhookDeliveries.resendSince({ endpoint_id: endpoint.id, since })).toEqual({
      created_count: 0,
      retried_count: 0,
    });
    await using second = await merchant.subscribe(accept, ['*']);
    expect(await webhookDeliveries.resendSince({ endpoint_id: second.endpoint.id, since })).toMatchObject({ created_count: 1 });
    await webhookEndpoints.update({ id: endpoint.id, active: false });
    await expect(webhookDeliveries.resendSince({ endpoint_id: endpoint.id, since })).rejects.toMatchObject({
      cause: {
        code: 'VALIDATION_ERROR',
        details: [expect.objectContaining({ path: 'endpoint_id', code: 'endpoint_inactive' })],
      },
    });
  });
});
