import { EVENT_CATALOG, EVENT_TYPES, type EventType } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, type ReceivedHook, verifySignature } from '../support/hook-receiver.ts';
import type { Fields } from '../support/http.ts';
import type { Outputs } from '../support/service.ts';
import { startWebhookService, type Subscription, type WebhookTestService } from './service.ts';

type Sold = Outputs['tracking']['recordSale'];
type Payouts = { data: Outputs['payouts']['get'][] };

let service: WebhookTestService;
let subscription: Subscription;
let other: Subscription;
/** All webhooks of the story, by the type of their event. */
let told: Map<EventType, ReceivedHook[]>;
let ids: Record<'affiliate' | 'paid' | 'voided' | 'payout' | 'returned', string>;

/** Returns the only webhook about this event of this record. */
function about(type: EventType, id: string): ReceivedHook['body'] {
  const found = told.get(type)!.filter(({ body }) => body.data['id'] === id);
  expect(found).toHaveLength(1);
  return found[0]!.body;
}

// Creates the history of a program over HTTP, in which every event occurs.
beforeAll(async () => {
  service = await startWebhookService();
  const merchant = await service.createMerchant();
  const { data: before } = await merchant.call().events.list({ limit: 1 });
  subscription = await merchant.subscribe(accept, ['*']);
  other = await merchant.subscribe(accept, ['payout_run.finished']);
  const { api } = merchant;
  const ask = async <Body>(method: 'post' | 'patch' | 'put', path: string, body: Fields): Promise<Body> => {
    const reply = await api[method]<Body>(path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
    return reply.body;
  };
  const post = <Body>(path: string, body: Fields = {}) => ask<Body>('post', path, body);
  const join = async (email: string, more: Fields = {}) => {
    const { id: affiliate_id, campaign_id } = await post<Outputs['affiliates']['create']>('/affiliates', { email, ...more });
    const { id: referral_id } = await post<Outputs['referrals']['create']>('/referrals', { affiliate_id, campaign_id });
    return { affiliate_id, campaign_id, referral_id };
  };
  const sell = async (external_id: string, more: Fields) =>
    (await post<Sold>('/track/sales', { external_id, amount_cents: 9_900, currency: 'USD', ...more })).commission?.id ?? '';
  const payoutOf = async ({ affiliate_id }: { affiliate_id: string }) =>
    (await api.get<Payouts>('/payouts', { affiliate_id, state: 'pending,due' })).body.data[0]!.id;
  const claimedOf = async ({ affiliate_id }: { affiliate_id: string }) =>
    (await api.get<Payouts>('/payouts', { affiliate_id, state: 'processing' })).body.data[0]!.id;
  const fallDue = async () => {
    service.clock.advance(31, 'days');
    await service.worker.sweepNow();
  };

  const ada = await join('ada@example.com', { first_name: 'Ada', external_id: 'partner-17' });
  const { id: gold } = await post<{ id: string }>('/tiers', {
    campaign_id: ada.campaign_id,
    name: 'Gold',
    metric: 'sales',
    window: 'ever',
    from: 1,
  });
  await ask('patch', `/tiers/${gold}`, { name: 'Platinum' });
  await post('/campaigns', { name: 'Winter', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 5 });
  await ask('patch', `/campaigns/${ada.campaign_id}`, { commission_percent: 12.5 });
  await ask('patch', `/campaigns/${ada.campaign_id}`, { commission_percent: 10 });
  const rule = { campaign_id: ada.campaign_id, name: 'Pro', when: { products: ['pro'] }, pay: { percent: 30 } };
  const { id: ofPro } = await post<{ id: string }>('/reward_rules', rule);
  await ask('patch', `/reward_rules/${ofPro}`, { pay: { fixed: { amount_cents: 500, currency: 'USD' } } });
  const { id: shared } = await post<{ id: string }>('/links', {
    ...ada,
    referral_id: undefined,
    url: 'https://shop.example.com',
  });
  await api.delete(`/links/${shared}`);
  await ask('patch', `/affiliates/${ada.affiliate_id}`, { last_name: 'Lovelace' });
  const grace = { referral_id: ada.referral_id, customer_email: 'grace@example.com', customer_name: 'Grace Hopper' };
  const paid = await sell('order-1', grace);
  const voided = await sell('order-2', { ...grace, customer_name: 'Grace B. Hopper' });
  await api.delete(`/commissions/${voided}`, { void_reason: 'Order canceled' });
  // A third sale shows that two customers are one.
  await sell('order-3', { psp_customer_id: 'cus_grace' });
  await sell('order-4', { ...grace, psp_customer_id: 'cus_grace' });
  await post('/track/refunds', { external_id: 'order-4', refund_id: 'refund-1', amount_cents: 100 });
  await fallDue();
  const payout = await payoutOf(ada);
  await post(`/payouts/${payout}/pay`);

  const bob = await join('bob@example.com');
  await sell('order-5', { referral_id: bob.referral_id, amount_cents: 5_000 });
  await fallDue();
  const returned = await payoutOf(bob);
  await post(`/payouts/${returned}/pay`);
  await post(`/payouts/${returned}/return`, { reason: 'Account closed' });
  // While an export holds a payout, the next commission opens another one.
  const { id: released } = await post<Outputs['payoutExports']['create']>('/payout_exports');
  await sell('order-6', { referral_id: bob.referral_id, customer_email: 'c@example.com' });
  await fallDue();
  await api.delete(`/payout_exports/${released}`);
  const method = await post<{ id: string }>('/payout_methods', {
    affiliate_id: bob.affiliate_id,
    kind: 'paypal',
    address: { email: 'bob@pay.example' },
  });
  await ask('patch', `/payout_methods/${method.id}`, { address: { email: 'robert@pay.example' } });
  await sell('order-7', grace);
  await fallDue();
  const { id: exported } = await post<Outputs['payoutExports']['create']>('/payout_exports');
  const refused = [{ payout_id: await claimedOf(bob), reason: 'Account closed' }];
  await post(`/payout_exports/${exported}/payment`, { refused });
  await post('/payout_runs', { execute_now: true });
  await api.delete(`/referrals/${bob.referral_id}`);
  const { id: moved } = await post<{ id: string }>('/api/settings/v1/imports', {
    source: 'csv',
    files: [{ kind: 'affiliates', content: 'name\nNobody' }],
  });
  await service.worker.sweepNow();
  await post(`/api/settings/v1/imports/${moved}/undo`);
  await service.worker.sweepNow();

  ids = { affiliate: ada.affiliate_id, paid, voided, payout, returned };
  await other.receiver.first(1);
  await service.worker.sweepNow();
  const { data } = await merchant.call().events.list({ limit: 1 });
  const hooks = await subscription.receiver.first(data[0]!.sequence - before[0]!.sequence);
  told = Map.groupBy(hooks, ({ body }) => body.type as EventType);
});
afterAll(async () => {
  await subscription[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await service.stop();
});

/** Only a payment provider causes events of its promotion codes (test/psp/move-affiliate.test.ts). */
const CAUSED_HERE = EVENT_TYPES.filter((type) => !type.startsWith('promo_code.'));

describe.each(CAUSED_HERE)('%s', (type) => {
  it('is sent once per event, with exactly the data that the catalog describes', () => {
    const hooks = told.get(type) ?? [];
    expect(hooks.length).toBeGreaterThan(0);
    for (const { body } of hooks) expect(EVENT_CATALOG[type].strict().parse(body.data)).toEqual(body.data);
    expect(new Set(hooks.map(({ body }) => body.id)).size).toBe(hooks.length);
  });
});

it('the former values of what has changed are in the event', () => {
  expect(about('affiliate.created', ids.affiliate)).not.toHaveProperty('previous_attributes');
  expect(about('affiliate.updated', ids.affiliate)).toMatchObject({
    data: { last_name: 'Lovelace' },
    previous_attributes: { last_name: null },
  });
  expect(told.get('campaign.updated')!.map(({ body }) => [body.data['commission_percent'], body.previous_attributes])).toEqual([
    [12.5, { commission_percent: 10 }],
    [10, { commission_percent: 12.5 }],
  ]);
  expect(told.get('reward_rule.updated')![0]!.body.previous_attributes).toEqual({
    pay: { percent: 30 },
    version: 1,
  });
  expect(about('commission.paid', ids.paid).previous_attributes).toEqual({ state: 'due', paid_at: null });
  expect(about('commission.due', ids.paid).previous_attributes).toEqual({ state: 'pending', payout_id: null });
  expect(about('payout.returned', ids.returned).previous_attributes).toEqual({
    state: 'paid',
    returned_at: null,
    return_reason: null,
  });
});

it('the data of an affiliate contain the merchant’s own id, but no payout details', () => {
  const { data } = about('affiliate.created', ids.affiliate);
  expect(data).toMatchObject({ email: 'ada@example.com', external_id: 'partner-17' });
  for (const field of ['walleta_email', 'walletb_email']) expect(data).not.toHaveProperty(field);
});

it('the data of an event contain the customer of a commission as received, and the state at that time', () => {
  expect(about('commission.created', ids.paid).data).toMatchObject({
    state: 'pending',
    amount_cents: 990,
    sale_customer_email: 'grace@example.com',
    sale_customer_name: 'Grace Hopper',
  });
  expect(about('commission.due', ids.paid).data).toMatchObject({ state: 'due', payout_id: ids.payout });
  expect(about('commission.voided', ids.voided).data).toMatchObject({ state: 'voided', void_reason: 'Order canceled' });
  expect(about('payout.paid', ids.payout).data).toMatchObject({
    state: 'paid',
    commission_ids: expect.arrayContaining([ids.paid]),
  });
  expect(about('payout.returned', ids.returned).data).toMatchObject({
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
