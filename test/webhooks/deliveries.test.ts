import type { EventSubscription } from '@affiliate/core';
import { purgeRows, bringDeliveriesForward } from '@affiliate/core';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accept, answer, verifySignature } from '../support/hook-receiver.ts';
import { type Delivery, type Subscription, useWebhookMerchant } from './service.ts';

const { service, merchant } = useWebhookMerchant();

const deliveryOf = async ({ endpoint }: Subscription): Promise<Delivery> => (await merchant.deliveries(endpoint.id)).at(-1)!;

/** Creates one event, and settles when its delivery attempt is recorded. */
async function deliverOne(subscription: Subscription): Promise<Delivery> {
  await merchant.createAffiliate();
  await subscription.receiver.first(subscription.receiver.received.length + 1);
  await service.worker.sweepNow();
  return deliveryOf(subscription);
}

describe('a delivery', () => {
  it.each([
    ['a status that does not exist', { status: 'lost' }, 'delivery_status_check'],
    [
      'an attempt to come after its end',
      { status: 'failed', next_attempt_at: '2030-01-01T00:00:00.000Z' },
      'webhook_delivery_scheduled',
    ],
  ])('cannot be stored with %s', async (_, values, constraint) => {
    await using subscription = await merchant.subscribe(accept);
    const { id } = await deliverOne(subscription);
    const changed = sql`to_jsonb(former) || ${JSON.stringify(values)}::jsonb`;
    const names = sql.join(Object.keys(values).map((name) => sql.ref(name)));
    for (const refused of [
      sql`update webhook_delivery former set (${names}) = (select ${names} from jsonb_populate_record(null::webhook_delivery, ${changed})) where id = ${id}`,
      sql`insert into webhook_delivery select (jsonb_populate_record(null::webhook_delivery, ${changed} || '{"id": "dlv_copy"}')).*
        from webhook_delivery former where id = ${id}`,
    ]) {
      await expect(refused.execute(service.services.database.kysely)).rejects.toMatchObject({ code: '23514', constraint });
    }
  });

  it('is a signed POST of the event, recorded with the response', async () => {
    await using subscription = await merchant.subscribe(answer(201, { 'x-receiver': 'yes' }, 'thanks'));
    const { endpoint, receiver } = subscription;
    const affiliateId = await merchant.createAffiliate();
    const [hook] = await receiver.first(1);
    await service.worker.sweepNow();

    expect(hook!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Affiliate-Webhooks/1.0',
      'hook-id': expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      'hook-timestamp': String(Math.floor(Date.parse(service.clock.instant()) / 1_000)),
      'hook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    verifySignature(endpoint.signing_secret, hook!, service.clock.instant());
    expect(() => verifySignature(`${endpoint.signing_secret}x`, hook!, service.clock.instant())).toThrow('No matching signature');
    expect(Object.keys(hook!.body)).toEqual([
      'id',
      'type',
      'api_version',
      'sequence',
      'occurred_at',
      'actor',
      'subject_id',
      'data',
    ]);
    expect(hook!.body).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: 'affiliate.created',
      occurred_at: service.clock.instant(),
      data: { id: affiliateId, state: 'pending' },
    });

    expect(await deliveryOf(subscription)).toEqual({
      id: hook!.hookId,
      livemode: true,
      endpoint_id: endpoint.id,
      event_id: hook!.body.id,
      event_type: 'affiliate.created',
      test: false,
      status: 'succeeded',
      attempts_count: 1,
      next_attempt_at: null,
      retry_requested_at: null,
      last_attempt_at: service.clock.instant(),
      response_status: 201,
      error_code: null,
      completed_at: service.clock.instant(),
      created_at: service.clock.instant(),
      request_body: hook!.raw,
      attempts: [
        {
          attempt: 1,
          trigger: 'schedule',
          started_at: service.clock.instant(),
          duration_ms: expect.any(Number),
          request_headers: {
            host: new URL(endpoint.url).host,
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(hook!.raw)),
            'user-agent': 'Affiliate-Webhooks/1.0',
            'hook-id': hook!.hookId,
            'hook-timestamp': hook!.headers['hook-timestamp'],
            'hook-signature': hook!.headers['hook-signature'],
            'webhook-id': hook!.hookId,
            'webhook-timestamp': hook!.headers['hook-timestamp'],
            'webhook-signature': hook!.headers['webhook-signature'],
          },
          response_status: 201,
          response_headers: expect.objectContaining({ 'x-receiver': 'yes' }),
          response_excerpt: 'thanks',
          error_code: null,
        },
      ],
    });
    expect(service.log.lines).toContainEqual({
      level: 'info',
      message: 'webhook delivered',
      fields: expect.objectContaining({ delivery_id: hook!.hookId, endpoint_id: endpoint.id, error_code: null }),
    });
  });

  it('goes to every active endpoint that subscribes, and to no other endpoint', async () => {
    await using one = await merchant.subscribe();
    await using other = await merchant.subscribe(accept, ['payout.paid', 'affiliate.created']);
    await using unconcerned = await merchant.subscribe(accept, ['affiliate.approved']);
    await merchant.createAffiliate();
    const [[first], [second]] = await Promise.all([one.receiver.first(1), other.receiver.first(1)]);
    await service.worker.sweepNow();
    expect(first!.raw).toBe(second!.raw);
    expect(first!.hookId).not.toBe(second!.hookId);
    expect(unconcerned.receiver.received).toEqual([]);
  });

  it.each<[EventSubscription, number]>([
    ['*', 2],
    ['affiliate.*', 2],
    ['affiliate.approved', 1],
    ['payout.*', 0],
  ])('goes to an endpoint that subscribes to %s', async (subscribed, expected) => {
    const own = await service.createMerchant();
    await using subscription = await own.subscribe(accept, [subscribed]);
    await using other = await own.subscribe(accept, ['affiliate.approved']);
    await own.call().affiliates.create({ email: `${crypto.randomUUID()}@example.com` });
    // The delivery to the other endpoint shows that the deliveries of the change have been made.
    await other.receiver.first(1);
    await subscription.receiver.first(expected);
    expect(await own.deliveries(subscription.endpoint.id)).toHaveLength(expected);
  });

  it('is made for every type of event', async () => {
    await using subscription = await merchant.subscribe(accept, [
      'affiliate.created',
      'affiliate.approved',
      'referral.created',
      'referral.converted',
    ]);
    const { id, campaign_id } = await merchant.call().affiliates.create({ email: `${crypto.randomUUID()}@example.com` });
    const referral = await merchant.call().referrals.create({ affiliate_id: id, campaign_id });
    await merchant.call().referrals.update({ id: referral.id, conversion_state: 'conversion' });
    const hooks = await subscription.receiver.first(4);
    expect(new Map(hooks.map(({ body }) => [body.type, body.data['id']]))).toEqual(
      new Map([
        ['affiliate.approved', id],
        ['affiliate.created', id],
        ['referral.converted', referral.id],
        ['referral.created', referral.id],
      ]),
    );
  });
});

describe('the schedule of a delivery', () => {
  const STEPS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  it('makes ten attempts with the same bytes and id, each signed anew, and then gives up', async () => {
    await using subscription = await merchant.subscribe(answer(503));
    const { endpoint, receiver } = subscription;
    await deliverOne(subscription);
    for (const [index, step] of STEPS_S.entries()) {
      const made = index + 1;
      service.clock.advance(step * 0.8 - 0.001, 'seconds');
      await service.worker.sweepNow();
      expect(receiver.received, `before step ${made}`).toHaveLength(made);
      service.clock.advance(step * 0.4 + 0.001, 'seconds');
      await service.worker.sweepNow();
      expect(receiver.received, `after step ${made}`).toHaveLength(made + 1);
      const { attempts } = await deliveryOf(subscription);
      verifySignature(endpoint.signing_secret, receiver.received.at(-1)!, attempts.at(-1)!.started_at);
    }
    service.clock.advance(3, 'days');
    await service.worker.sweepNow();
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.received.map(({ hookId }) => hookId)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['hook-timestamp'])).size).toBe(10);
    const delivery = await deliveryOf(subscription);
    expect(delivery).toMatchObject({ status: 'failed', attempts_count: 10, next_attempt_at: null, error_code: 'http_503' });
    expect(delivery.completed_at).toBe(delivery.attempts.at(-1)!.started_at);
    expect(delivery.attempts.map(({ attempt, trigger }) => [attempt, trigger])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 'schedule']),
    );
  });

  it('ends with the first success', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { receiver } = subscription;
    expect(await deliverOne(subscription)).toMatchObject({ status: 'pending' });
    receiver.reply = accept;
    service.clock.advance(6, 'seconds');
    await service.worker.sweepNow();
    expect(await deliveryOf(subscription)).toMatchObject({
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [{ error_code: 'http_500' }, { error_code: null }],
    });
    service.clock.advance(1, 'days');
    await service.worker.sweepNow();
    expect(receiver.received).toHaveLength(2);
  });

  it('waits as long as the receiver requests', async () => {
    await using subscription = await merchant.subscribe(answer(429, { 'retry-after': '60' }));
    const { next_attempt_at } = await deliverOne(subscription);
    expect(Date.parse(next_attempt_at!) - Date.parse(service.clock.instant())).toBe(60_000);
  });
});

describe('after the clock was an hour ahead', () => {
  it('a delivery waits no longer than its back-off, and others keep their times', async () => {
    await using failing = await merchant.subscribe(answer(500));
    service.clock.advance(1, 'hours');
    const ahead = await deliverOne(failing);
    service.clock.set(new Date(service.clock.now().getTime() - 3_600_000).toISOString());
    const now = service.clock.now().getTime();
    expect(Date.parse(ahead.next_attempt_at!) - now).toBeGreaterThan(3_600_000);
    expect(await bringDeliveriesForward(service.services)).toBeGreaterThan(0);
    expect(Date.parse((await deliveryOf(failing)).next_attempt_at!) - now).toBe(5_000);
    expect(await bringDeliveriesForward(service.services)).toBe(0);
    service.clock.advance(5, 'seconds');
    await service.worker.sweepNow();
    expect(await deliveryOf(failing)).toMatchObject({ attempts_count: 2, status: 'pending' });
    service.clock.advance(1, 'hours');
    expect(await bringDeliveriesForward(service.services)).toBe(0);
  });
});

describe('a retry', () => {
  it('is one extra attempt that leaves the schedule unchanged', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { receiver } = subscription;
    const before = await deliverOne(subscription);
    const asked = await merchant.call().webhookDeliveries.retry({ id: before.id });
    expect(asked).toMatchObject({ status: 'pending', next_attempt_at: before.next_attempt_at });
    await receiver.first(2);
    await service.worker.sweepNow();
    const after = await deliveryOf(subscription);
    expect(after).toMatchObject({
      status: 'pending',
      next_attempt_at: before.next_attempt_at,
      retry_requested_at: null,
      attempts: [{ trigger: 'schedule' }, { attempt: 2, trigger: 'manual', error_code: 'http_500' }],
    });
    service.clock.advance(6, 'seconds');
    await service.worker.sweepNow();
    const third = await deliveryOf(subscription);
    expect(third.attempts.map(({ trigger }) => trigger)).toEqual(['schedule', 'manual', 'schedule']);
    // The manual attempt did not change the schedule: the next pause is the second one of the schedule.
    expect(Date.parse(third.next_attempt_at!) - Date.parse(service.clock.instant())).toBeGreaterThanOrEqual(240_000);
  });

  it('succeeds for a failed delivery, with the same id and bytes', async () => {
    await using subscription = await merchant.subscribe(answer(500));
    const { receiver } = subscription;
    const { id } = await deliverOne(subscription);
    for (let next = await deliveryOf(subscription); next.next_attempt_at; next = await deliveryOf(subscription)) {
      service.clock.set(next.next_attempt_at);
      await service.worker.sweepNow();
    }
    await merchant.call().webhookDeliveries.retry({ id });
    await receiver.first(11);
    await service.worker.sweepNow();
    expect(await deliveryOf(subscription)).toMatchObject({ status: 'failed', next_attempt_at: null, attempts_count: 11 });

    receiver.reply = accept;
    await merchant.call().webhookDeliveries.retry({ id });
    await receiver.first(12);
    await service.worker.sweepNow();
    expect(await deliveryOf(subscription)).toMatchObject({ status: 'succeeded', completed_at: service.clock.instant() });
    expect(new Set(receiver.received.map(({ raw, hookId }) => hookId + raw)).size).toBe(1);
  });

  it('makes one attempt for any number of requests during that attempt', async () => {
    await using subscription = await merchant.subscribe();
    const { receiver } = subscription;
    const { id } = await deliverOne(subscription);
    const held = Promise.withResolvers<void>();
    receiver.reply = (_hook, response) => void held.promise.then(() => response.end());
    const { retry } = merchant.call().webhookDeliveries;
    await retry({ id });
    await receiver.first(2);
    await Promise.all([retry({ id }), retry({ id })]);
    held.resolve();
    await service.worker.sweepNow();
    expect(await deliveryOf(subscription)).toMatchObject({ status: 'succeeded', attempts_count: 2, retry_requested_at: null });
  });
});

describe('the list of deliveries', () => {
  it('can be filtered by endpoint, type and status, newest first', async () => {
    await using good = await merchant.subscribe(accept, ['affiliate.created', 'affiliate.approved']);
    await using bad = await merchant.subscribe(answer(500));
    await merchant.call().affiliates.create({ email: `${crypto.randomUUID()}@example.com` });
    await Promise.all([good.receiver.first(2), bad.receiver.first(1)]);
    await service.worker.sweepNow();
    const { list } = merchant.call().webhookDeliveries;
    const of = async (input: Parameters<typeof list>[0]) =>
      (await list(input)).data.map(({ event_type, status }) => `${event_type} ${status}`);
    const endpoint_id = good.endpoint.id;
    expect((await of({ endpoint_id })).toSorted()).toEqual(['affiliate.approved succeeded', 'affiliate.created succeeded']);
    expect(await of({ endpoint_id, event_type: 'affiliate.approved' })).toEqual(['affiliate.approved succeeded']);
    expect(await of({ endpoint_id, status: 'pending' })).toEqual([]);
    expect(await of({ endpoint_id: bad.endpoint.id, status: 'pending' })).toEqual(['affiliate.created pending']);
    const { data, pagination } = await list({ limit: 2 });
    expect(data.map(({ id }) => id)).toEqual(
      data
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(pagination).toMatchObject({ current_page: 1, next_page: 2, count: 2 });
    expect((await list({ endpoint_id: 'whe_unknown' })).data).toEqual([]);
  });
});

describe('the retention of deliveries', () => {
  it('keeps attempts for 30 days and events for 90 days', async () => {
    await using subscription = await merchant.subscribe();
    const { id } = await deliverOne(subscription);
    service.clock.advance(31, 'days');
    expect(await purgeRows(service.services, 'webhook_attempt')).toBeGreaterThan(0);
    expect(await purgeRows(service.services, 'event')).toBe(0);
    expect(await merchant.call().webhookDeliveries.get({ id })).toMatchObject({ status: 'succeeded', attempts: [] });
    service.clock.advance(60, 'days');
    expect(await purgeRows(service.services, 'event')).toBeGreaterThan(0);
    await expect(merchant.call().webhookDeliveries.get({ id })).rejects.toMatchObject({ cause: { code: 'NOT_FOUND' } });
  });
});
