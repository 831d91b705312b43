import { EVENT_CATALOG, EVENT_TYPES, type EventType } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, type ReceivedHook, verifySignature } from '../support/hook-receiver.ts';
import type { Api } from '../support/http.ts';
import type { Outputs } from '../support/service.ts';
import { startWebhookService, type Subscription, type WebhookTestService } from './service.ts';

let service: WebhookTestService;
let subscription: Subscription;
const hooks = new Map<EventType, ReceivedHook>();
const ids = new Map<EventType, string>();

// Creates the history of an affiliate over HTTP, from the first visit to the payout.
beforeAll(async () => {
  service = await startWebhookService();
  const merchant = await service.createMerchant();
  subscription = await merchant.subscribe(accept, [...EVENT_TYPES]);
  const { api } = merchant;
  const affiliate = (
    await api.post<Outputs['affiliates']['create']>('/affiliates', {
      email: 'ada@example.com',
      first_name: 'Ada',
      external_id: 'partner-17',
    })
  ).body;
  const { id: affiliate_id, campaign_id } = affiliate;
  const referral = (await api.post<Outputs['referrals']['create']>('/referrals', { affiliate_id, campaign_id })).body;
  const sell = async (external_id: string) => {
    const sale = {
      external_id,
      referral_id: referral.id,
      amount_cents: 9_900,
      currency: 'USD',
      customer_email: 'grace@example.com',
      customer_name: 'Grace Hopper',
    };
    const { status, body } = await api.post<Outputs['tracking']['recordSale']>('/track/sales', sale);
    expect(status).toBe(201);
    return body.commission!.id;
  };
  const paid = await sell('order-1');
  const voided = await sell('order-2');
  await api.delete(`/commissions/${voided}`, { void_reason: 'Order canceled' });
  service.clock.advance(31, 'days');
  await service.worker.sweepNow();
  const payouts = (await api.get<{ data: Outputs['payouts']['get'][] }>('/payouts', { affiliate_id })).body.data;
  await api.post(`/payouts/${payouts[0]!.id}/pay`, {});
  ids.set('affiliate.created', affiliate_id).set('affiliate.approved', affiliate_id);
  ids.set('referral.created', referral.id).set('referral.converted', referral.id);
  ids.set('commission.created', paid).set('commission.due', paid).set('commission.voided', voided);
  ids.set('payout.paid', payouts[0]!.id);
  ids.set('payout.returned', await returnedPayout(api));
  for (const hook of await subscription.receiver.first(18)) {
    const type = hook.body.type as EventType;
    if (hook.body.data['id'] === ids.get(type)) hooks.set(type, hook);
  }
  await service.worker.sweepNow();
});
afterAll(async () => {
  await subscription[Symbol.asyncDispose]();
  await service.stop();
});

/** Creates a payout of another affiliate, pays it, and marks it as returned. Returns the payout's id. */
async function returnedPayout(api: Api): Promise<string> {
  const { body: affiliate } = await api.post<Outputs['affiliates']['create']>('/affiliates', { email: 'bob@example.com' });
  const { id: affiliate_id, campaign_id } = affiliate;
  const { body: referral } = await api.post<Outputs['referrals']['create']>('/referrals', { affiliate_id, campaign_id });
  const sale = { external_id: 'order-3', referral_id: referral.id, amount_cents: 5_000, currency: 'USD' };
  expect((await api.post('/track/sales', sale)).status).toBe(201);
  service.clock.advance(31, 'days');
  await service.worker.sweepNow();
  const { body: payouts } = await api.get<{ data: Outputs['payouts']['get'][] }>('/payouts', { affiliate_id });
  const { id } = payouts.data[0]!;
  await api.post(`/payouts/${id}/pay`, {});
  expect((await api.post(`/payouts/${id}/return`, { reason: 'Account closed' })).status).toBe(200);
  return id;
}

describe.each(EVENT_TYPES)('%s', (type) => {
  it('is sent once per event, with exactly the data that the catalog describes', () => {
    const { data } = hooks.get(type)!.body;
    expect(EVENT_CATALOG[type].strict().parse(data)).toEqual(data);
    const told = subscription.receiver.received.filter(({ body }) => body.type === type && body.data['id'] === ids.get(type));
    expect(told).toHaveLength(1);
  });
});

it('the data of an affiliate contain the merchant’s own id, but no payout details', () => {
  const { data } = hooks.get('affiliate.created')!.body;
  expect(data).toMatchObject({ email: 'ada@example.com', external_id: 'partner-17' });
  for (const field of ['walleta_email', 'walletb_email']) expect(data).not.toHaveProperty(field);
});

it('the data of an event contain the customer of a commission as received, and the state at that time', () => {
  expect(hooks.get('commission.created')!.body.data).toMatchObject({
    state: 'pending',
    amount_cents: 990,
    sale_customer_email: 'grace@example.com',
    sale_customer_name: 'Grace Hopper',
  });
  expect(hooks.get('commission.due')!.body.data).toMatchObject({ state: 'due', payout_id: ids.get('payout.paid') });
  expect(hooks.get('commission.voided')!.body.data).toMatchObject({ state: 'voided', void_reason: 'Order canceled' });
  expect(hooks.get('payout.paid')!.body.data).toMatchObject({
    state: 'paid',
    amount_cents: 990,
    commission_ids: [ids.get('commission.due')],
  });
  expect(hooks.get('payout.returned')!.body.data).toMatchObject({
    state: 'returned',
    amount_cents: 500,
    return_reason: 'Account closed',
    commission_ids: [expect.any(String)],
  });
});

it('webhooks can be managed over HTTP with an API key, within its permissions', async () => {
  const merchant = await service.createMerchant();
  const input = { name: 'Orders', url: subscription.receiver.url, event_types: ['affiliate.created'] };
  type Created = { result: { data: Outputs['webhookEndpoints']['create'] } };
  const stranger = await merchant.apiWith({ 'v1.affiliates.write': true });
  expect((await stranger.post('/trpc/webhookEndpoints.create', input)).status).toBe(403);
  const manager = await merchant.apiWith({ 'settings.webhooks.read': true, 'settings.webhooks.write': true });
  const key = { 'Idempotency-Key': 'create-once' };
  const [first, again] = [
    await manager.post<Created>('/trpc/webhookEndpoints.create', input, key),
    await manager.post<Created>('/trpc/webhookEndpoints.create', input, key),
  ];
  expect(first.status).toBe(200);
  const { id, signing_secret } = first.body.result.data;
  expect(again.body.result.data).toMatchObject({ id, signing_secret });
  const sent = await manager.post<{ result: { data: Outputs['webhookEndpoints']['sendTest'] } }>(
    '/trpc/webhookEndpoints.sendTest',
    { id },
  );
  const [hook] = await subscription.receiver.first(1, ({ hookId }) => hookId === sent.body.result.data.id);
  verifySignature(signing_secret, hook!, service.clock.instant());
});
