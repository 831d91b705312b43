/** A shop that is written against the two REST contracts alone: from a campaign to paid payouts, with two mirrors of everything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HookReceiver, verifySignature } from '../support/hook-receiver.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { Shop, type ShopEvent, assertSame, mirrorByCursor, mirrorByEvents } from './shop.ts';

let service: TestService;
let account: TestAccount;
let receiver: HookReceiver;
let shop: Shop;
let secret: string;
let endpointId: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startService({ worker: {} });
  account = await service.createAccount();
  receiver = await HookReceiver.start();
  shop = new Shop({ url: service.url, accountId: account.id, key: account.apiKey });
});
afterAll(async () => {
  await service.stop();
  await receiver[Symbol.asyncDispose]();
});

/** The next moment, so that records have different times. */
const later = () => service.clock.advance(1, 'minutes');

describe('the settings', () => {
  it('tell who the shop is, and take its receiver', async () => {
    const me = await shop.get<{ account_id: string; permissions: string[] }>('/api/settings/v1/me');
    expect(me).toMatchObject({ account_id: account.id, permissions: expect.arrayContaining(['v1.payouts.write']) });
    const endpoint = await shop.post('/api/settings/v1/webhook_endpoints', {
      name: 'Shop',
      url: receiver.url,
      event_types: ['*'],
    });
    endpointId = endpoint.id;
    secret = String(endpoint['signing_secret']);
    const test = await shop.post(`/api/settings/v1/webhook_endpoints/${endpointId}/test`);
    const delivery = await receiver.first(1);
    expect(delivery[0]!.body).toMatchObject({ test: true });
    expect(await shop.get(`/api/settings/v1/webhook_deliveries/${test.id}`)).toMatchObject({ endpoint_id: endpointId });
  });

  it('hold the portal, the texts of emails and a connector', async () => {
    await shop.call('PATCH', '/api/settings/v1/portal_settings', { brand_name: 'Northwind', approval: 'manual' });
    await shop.call('PUT', '/api/settings/v1/email_texts/payout_paid', { subject: 'Paid', body: 'Thank you.' });
    const connector = await shop.post('/api/settings/v1/connectors', { name: 'Claude', permissions: { 'mcp.sales.read': true } });
    await shop.call('DELETE', `/api/settings/v1/connectors/${connector.id}`);
    for (const path of ['members', 'audit_log', 'connectors', 'webhook_endpoints', 'webhook_deliveries'])
      for await (const row of shop.all(`/api/settings/v1/${path}`)) expect(row).toBeTypeOf('object');
    expect(await shop.get('/api/settings/v1/psp_connection')).toMatchObject({ connected: false });
  });
});

describe('the program', () => {
  it('goes from a campaign to commissions', async () => {
    const campaign = await shop.post('/api/v1/campaigns', {
      name: 'Friends of the shop',
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 20,
      days_until_commissions_are_due: 0,
      default: true,
    });
    await shop.post('/api/v1/reward_rules', {
      campaign_id: campaign.id,
      name: 'Shoes',
      when: { products: ['shoes'] },
      pay: { percent: 30 },
    });
    const ada = await shop.call('PUT', '/api/v1/affiliates/external:partner-1', {
      email: 'ada@partner.example',
      first_name: 'Ada',
      walleta_email: 'ada@pay.example',
    });
    const applicant = await shop.post('/api/v1/affiliates', {
      email: 'edith@partner.example',
      state: 'pending',
      walleta_email: 'edith@pay.example',
    });
    await shop.post('/api/v1/applications/decide', { affiliate_ids: [applicant.id], decision: 'approve', note: 'Welcome' });
    const link = await shop.post('/api/v1/links', {
      affiliate_id: ada.id,
      campaign_id: campaign.id,
      url: 'https://shop.example.com/shoes',
    });
    Object.assign(ids, { ada: ada.id, edith: applicant.id, campaign: campaign.id });
    later();
    const click = await shop.send(
      'GET',
      new URL(String(link['tracking_url'])).pathname + new URL(String(link['tracking_url'])).search,
    );
    expect(click.status).toBe(302);
    ids['referral'] = new URL(click.headers.get('location')!).searchParams.get('referral')!;
    await shop.post('/api/v1/leads', { referral_id: ids['referral'], email: 'grace@buyer.example' });
    for (const [index, amount_cents] of [5_000, 8_000, 3_000].entries()) {
      later();
      await shop.post('/track/sales', {
        external_id: `order-${index}`,
        customer_email: 'grace@buyer.example',
        amount_cents,
        currency: 'USD',
      });
    }
    later();
    await shop.post('/track/refunds', { external_id: 'order-1', refund_id: 'refund-1', amount_cents: 8_000 });
    const earned: [unknown, unknown][] = [];
    for await (const { state, amount_cents } of shop.all('/api/v1/commissions', { sort: 'created_at' }))
      earned.push([state, amount_cents]);
    expect(earned).toEqual([
      ['due', 1_000],
      ['voided', 1_600],
      ['due', 600],
    ]);
  });

  it('corrects, merges and assigns', async () => {
    later();
    await shop.post('/track/sales', {
      external_id: 'order-9',
      customer_email: 'g.hopper@buyer.example',
      amount_cents: 2_000,
      currency: 'USD',
    });
    const sale = await shop.get('/api/v1/sales/external:order-9');
    expect(sale).toMatchObject({ no_commission_reason: expect.any(String) });
    await shop.post(`/api/v1/sales/${sale.id}/assign`, { affiliate_id: ids['edith'], dry_run: false });
    const [grace, hopper] = await Promise.all(
      ['grace@buyer.example', 'g.hopper@buyer.example'].map(async (search) => {
        for await (const row of shop.all('/api/v1/customers', { search })) return row;
        throw new Error(`There is no customer ${search}.`);
      }),
    );
    await shop.call('PATCH', `/api/v1/customers/${grace!.id}`, { metadata: { tier: 'gold' } });
    expect(await shop.get(`/api/v1/customers/${hopper!.id}/identities`)).toMatchObject({
      data: [{ value: 'g.hopper@buyer.example' }],
    });
    const manual = await shop.post('/api/v1/commissions', {
      affiliate_id: ids['ada'],
      amount_cents: 500,
      currency: 'USD',
      note: 'Bonus',
    });
    await shop.post(`/api/v1/commissions/${manual.id}/review`, { review_action: 'suspicious' });
    await shop.post(`/api/v1/commissions/${manual.id}/review`, { review_action: 'approve' });
    for (const path of [
      `sales/${sale.id}`,
      `customers/${grace!.id}`,
      `referrals/${ids['referral']}`,
      `commissions/${manual.id}`,
      `affiliates/${ids['ada']}`,
    ])
      expect((await shop.get<{ entries: unknown[] }>(`/api/v1/${path}/timeline`)).entries.length).toBeGreaterThanOrEqual(0);
    expect(await (await shop.send('GET', '/api/v1/sales.csv')).text()).toContain('order-9');
    expect(await shop.get('/api/v1/search?q=order-9')).toBeTypeOf('object');
    expect(await shop.get('/api/v1/overview')).toBeTypeOf('object');
  });

  it('pays by a run whose progress it reads, once', async () => {
    later();
    const run = await shop.post('/api/v1/payout_runs', { idempotency_key: 'november' });
    const started = await shop.send('PUT', `/api/v1/payout_runs/${run.id}/execute`, { payment_reference: 'transfer 42' });
    expect(started.status).toBe(202);
    const progress = started.headers.get('location')!;
    // The job of the run may still be working on it.
    await expect.poll(() => shop.get(progress), { timeout: 20_000 }).toMatchObject({ state: 'completed' });
    const paid: unknown[] = [];
    for await (const { amount_cents } of shop.all(`/api/v1/payout_runs/${run.id}/items`)) paid.push(amount_cents);
    expect(new Set(paid)).toEqual(new Set([2_100, 400]));
    for await (const payout of shop.all('/api/v1/payouts', { state: 'paid' })) {
      let sum = 0;
      for await (const item of shop.all(`/api/v1/payouts/${payout.id}/items`)) sum += Number(item['amount_cents']);
      expect(sum).toBe(payout['amount_cents']);
    }
    expect(await shop.post('/api/v1/payout_runs', { idempotency_key: 'november' })).toMatchObject({
      id: run.id,
      state: 'completed',
    });
    expect(await shop.get('/api/v1/payout_runs/reconcile')).toMatchObject({ discrepancies: [] });
  });
});

describe('the mirrors', () => {
  it('are equal: by cursor, by the event list, and by webhooks that any library of the standard verifies', async () => {
    const events: ShopEvent[] = [];
    for (let after = 0; ;) {
      const { data } = await shop.get<{ data: ShopEvent[] }>(`/api/v1/events?after_sequence=${after}&limit=20`);
      if (data.length === 0) break;
      events.push(...data);
      after = data.at(-1)!.sequence;
    }
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    await service.worker!.sweepNow();
    const received = receiver.received.map((hook) => {
      verifySignature(secret, hook, new Date(Number(hook.headers['webhook-timestamp']) * 1_000).toISOString());
      return JSON.parse(hook.raw) as ShopEvent & { test?: boolean };
    });
    const told = received.filter(({ test }) => !test);
    expect(new Set(told.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
    const byCursor = await mirrorByCursor(shop);
    expect(byCursor.commission.size).toBe(5);
    assertSame(mirrorByEvents(events), byCursor);
    assertSame(mirrorByEvents(told), byCursor);
  });

  it('stay equal after a receiver was paused and the shop asks for what it missed', async () => {
    const endpoint = `/api/settings/v1/webhook_endpoints/${endpointId}`;
    const since = service.clock.instant();
    await shop.call('PATCH', endpoint, { active: false });
    later();
    await shop.call('PATCH', `/api/v1/affiliates/${ids['ada']}`, { metadata: { tier: 'gold' } });
    await service.worker!.sweepNow();
    await shop.call('PATCH', endpoint, { active: true });
    const known = receiver.received.length;
    await shop.post(`${endpoint}/resend`, { since });
    await service.worker!.sweepNow();
    expect(receiver.received.length).toBeGreaterThan(known);
    const told = receiver.received
      .map(({ raw }) => JSON.parse(raw) as ShopEvent & { test?: boolean })
      .filter(({ test }) => !test);
    assertSame(mirrorByEvents(told), await mirrorByCursor(shop));
    expect(shop.requests).toBeGreaterThan(60);
  });
});
