import { refreshFacts, writeMemberDigests } from '@affiliate/core';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { oneOffPayment, useEventShop } from '../psp/event-shop.ts';
import { newMember } from '../support/people.ts';
import { refund, refundedCharge, wireEvent } from '../support/psp-server/index.ts';
import type { Outputs } from '../support/service.ts';

type Commission = Outputs['commissions']['list']['data'][number];
type Payout = Outputs['payouts']['list']['data'][number];
type Reconciliation = Outputs['payoutRuns']['reconcile'];

const shop = useEventShop({ writesRows: true });

/** Makes the campaign's commissions due at once, and the affiliate payable. */
async function payable(terms: Record<string, unknown> = {}): Promise<void> {
  const { campaignId: id, affiliateId } = shop.program;
  await shop.merchant.call().campaigns.update({ id, days_until_commissions_are_due: 0, ...terms });
  await shop.merchant.call().affiliates.update({ id: affiliateId, walleta_email: 'jane@pay.example' });
  // The provider's times are whole seconds, and a sale earns by the terms in force at its charge.
  shop.service.clock.advance(1, 'seconds');
}

/** Delivers the events of a payment of 119.00 EUR, including 19.00 tax, in the provider's test mode. */
async function testSale(referralId: string) {
  const { buyer, paid, checkout } = oneOffPayment(referralId);
  const now = { ...paid, created: Math.floor(Date.parse(shop.service.clock.instant()) / 1000) };
  await shop.deliver(
    wireEvent('customer.created', buyer),
    wireEvent('checkout.session.completed', checkout),
    // The clock of the service may be behind that of the machine, by which the event would be dated.
    { ...wireEvent('charge.succeeded', now), created: now.created },
  );
  return { buyer, paid: now };
}

async function liveSale(referralId: string, sale: Record<string, unknown> = {}): Promise<Commission> {
  const { status, body } = await shop.merchant.api.post<{ commission: Commission }>('/track/sales', {
    external_id: crypto.randomUUID(),
    referral_id: referralId,
    amount_cents: 5_000,
    currency: 'EUR',
    ...sale,
  });
  expect(status).toBe(201);
  return body.commission;
}

async function list<Item>(path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const { status, body } = await shop.merchant.api.get<{ data: Item[] }>(path, query);
  expect(status).toBe(200);
  return body.data;
}

/** Runs an SQL statement for a change that the service itself never makes. */
async function behindItsBack(query: string, values: string[] = []): Promise<void> {
  const client = new Client({ connectionString: shop.service.databaseUrl });
  await client.connect();
  try {
    await client.query(query, values);
  } finally {
    await client.end();
  }
}

async function discrepancies() {
  return (await shop.merchant.api.get<Reconciliation>('/payout_runs/reconcile')).body.discrepancies;
}

describe('test-mode sales', () => {
  it('are in no email to members about commissions that need a review', async () => {
    await payable();
    const { services, clock } = shop.service;
    const member = await newMember(shop.service, shop.merchant, 'member');
    await member.browser.mutate('profile.chooseMails', { account_id: shop.merchant.id, mails: ['flagged_commissions'] });
    await shop.merchant.call().affiliates.update({ id: shop.program.affiliateId, state: 'suspicious' });
    clock.advance(1, 'seconds');
    await testSale(await shop.refer());
    expect(await list<Commission>('/commissions')).toMatchObject([{ livemode: false, review_status: 'suspicious' }]);
    clock.advance(3, 'minutes');
    expect(await writeMemberDigests(services, () => false)).toBe(0);
    await liveSale(await shop.refer());
    clock.advance(3, 'minutes');
    expect(await writeMemberDigests(services, () => false)).toBe(1);
  });

  it('earn test commissions in a payout that is separate from the live payout of the same affiliate and currency', async () => {
    await payable();
    await testSale(await shop.refer());
    await liveSale(await shop.refer());
    await liveSale(await shop.refer());
    expect(await list<Commission>('/commissions', { livemode: 'false' })).toMatchObject([
      { livemode: false, amount_cents: 2_000 },
    ]);
    expect(await list<Commission>('/commissions', { livemode: 'true' })).toMatchObject([
      { livemode: true, amount_cents: 1_000 },
      { livemode: true, amount_cents: 1_000 },
    ]);
    expect(await list<Commission>('/commissions')).toHaveLength(3);
    expect(await list<Payout>('/payouts')).toMatchObject([
      { livemode: true, amount_cents: 2_000, commissions_count: 2, eligible: true },
      { livemode: false, amount_cents: 2_000, commissions_count: 1, eligible: true },
    ]);
    expect(await list<Payout>('/payouts', { livemode: 'false' })).toMatchObject([{ livemode: false }]);
    expect(await discrepancies()).toEqual([]);
  });

  it('are distinguished in event bodies', async () => {
    await payable();
    await testSale(await shop.refer());
    const [payout] = await list<Payout>('/payouts');
    await shop.merchant.api.post(`/payouts/${payout!.id}/pay`);
    const events = await shop.service.services.database.kysely
      .selectFrom('event')
      .select(['type', 'body'])
      .where('account_id', '=', shop.merchant.id)
      .where('type', 'in', ['commission.created', 'commission.due', 'payout.paid'])
      .execute();
    const modes = events.map(({ type, body }) => [type, (JSON.parse(body) as { data: Commission }).data.livemode]);
    expect(Object.fromEntries(modes)).toEqual({ 'commission.created': false, 'commission.due': false, 'payout.paid': false });
  });

  it('are corrected by test adjustments after their commissions were paid', async () => {
    await payable();
    const { paid } = await testSale(await shop.refer());
    await liveSale(await shop.refer());
    const [payout] = await list<Payout>('/payouts', { livemode: 'false' });
    await shop.merchant.api.post(`/payouts/${payout!.id}/pay`);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)])));
    expect(await list<Payout>('/payouts', { state: 'pending,due' })).toMatchObject([
      { livemode: false, amount_cents: -2_000 },
      { livemode: true, amount_cents: 1_000 },
    ]);
    expect(await discrepancies()).toEqual([]);
  });

  it('do not count toward the limits of live sales', async () => {
    await payable({ max_commissions: 1 });
    const referral = await shop.refer();
    const { buyer } = await testSale(referral);
    const customer_email = buyer.email;
    expect(await liveSale(referral, { customer_email })).toMatchObject({ livemode: true });
    expect(await liveSale(referral, { customer_email, amount_cents: 7_000 })).toBeNull();
    expect((await list<Commission>('/commissions')).map(({ livemode }) => livemode)).toEqual([true, false]);
  });

  it('do not convert a binding for live sales of the same customer', async () => {
    await payable({ days_before_referrals_expire: 10 });
    const referral = await shop.refer();
    const { buyer } = await testSale(referral);
    const now = shop.service.clock.instant();
    shop.service.clock.advance(11, 'days');
    const reply = await shop.merchant.api.post('/track/sales', {
      external_id: crypto.randomUUID(),
      customer_email: buyer.email,
      amount_cents: 5_000,
      currency: 'EUR',
    });
    shop.service.clock.set(now);
    expect(reply.body).toMatchObject({ commission: null, reason: 'referral_expired' });
  });

  it('do not count in statistics', async () => {
    await payable();
    await testSale(await shop.refer());
    const { body } = await shop.merchant.api.get(`/affiliates/${shop.program.affiliateId}`, { expand: 'commission_stats' });
    expect(body).toMatchObject({ commission_stats: { currencies: [] } });
    const call = shop.merchant.call();
    expect((await call.overview.get({})).due).toEqual([]);
    expect((await call.overview.daily({})).days.at(-1)!.currencies).toEqual([]);
    expect((await call.overview.topAffiliates({ currency: 'EUR' })).affiliates).toEqual([]);
    const [payout] = await list<Payout>('/payouts');
    await shop.merchant.api.post(`/payouts/${payout!.id}/pay`);
    expect((await call.payoutRuns.reconcile({})).totals).toEqual([]);
    expect((await call.overview.daily({})).days.at(-1)!.currencies).toEqual([]);
  });

  it('leave analytics, with their referrals, if the merchant had reported them as live', async () => {
    await payable();
    const { services, clock } = shop.service;
    const referralId = await shop.refer();
    const since = clock.instant().slice(0, 10);
    clock.advance(1, 'days');
    const { buyer, paid } = oneOffPayment(referralId);
    const charged = { ...paid, created: Math.floor(clock.now().getTime() / 1_000) };
    await liveSale(referralId, { psp_charge_id: paid.id, charged_at: new Date(charged.created * 1_000).toISOString() });
    clock.advance(2, 'days');
    const counted = async () => {
      await refreshFacts(services);
      const { leads, conversions, sales } = (await shop.merchant.call().analytics.get({ since, currency: 'EUR' })).data[0]!;
      return { leads, conversions, sales };
    };
    expect(await counted()).toEqual({ leads: 1, conversions: 1, sales: 1 });
    await shop.deliver(wireEvent('customer.created', buyer), {
      ...wireEvent('charge.succeeded', charged),
      created: charged.created,
    });
    expect(await counted()).toEqual({ leads: 0, conversions: 0, sales: 0 });
  });

  it('leave their referral to a later live sale, which brings it into analytics', async () => {
    await payable();
    const { services, clock } = shop.service;
    const referralId = await shop.refer();
    const since = clock.instant().slice(0, 10);
    clock.advance(1, 'days');
    const { paid } = oneOffPayment(referralId);
    const charged = { ...paid, customer: null, created: Math.floor(clock.now().getTime() / 1_000) };
    await liveSale(referralId, { psp_charge_id: paid.id, charged_at: new Date(charged.created * 1_000).toISOString() });
    await shop.deliver({ ...wireEvent('charge.succeeded', charged), created: charged.created });
    clock.advance(2, 'days');
    const counted = async () => {
      await refreshFacts(services);
      const { leads, conversions, sales } = (await shop.merchant.call().analytics.get({ since, currency: 'EUR' })).data[0]!;
      return { leads, conversions, sales };
    };
    expect(await counted()).toEqual({ leads: 0, conversions: 0, sales: 0 });
    await liveSale(referralId);
    expect(await counted()).toEqual({ leads: 1, conversions: 1, sales: 1 });
  });
});

describe('payment', () => {
  async function bothModes(): Promise<{ live: Payout; test: Payout }> {
    await payable();
    await testSale(await shop.refer());
    await liveSale(await shop.refer());
    const payouts = await list<Payout>('/payouts');
    return { live: payouts.find(({ livemode }) => livemode)!, test: payouts.find(({ livemode }) => !livemode)! };
  }

  it('lists live payouts as eligible unless test payouts are requested', async () => {
    const { live, test } = await bothModes();
    expect(await list<Payout>('/payouts', { eligible: 'true' })).toMatchObject([{ id: live.id }]);
    expect(await list<Payout>('/payouts', { eligible: 'true', livemode: 'false' })).toMatchObject([{ id: test.id }]);
  });

  it('by an export covers payouts of one mode only', async () => {
    const { live, test } = await bothModes();
    const { api } = shop.merchant;
    for (const [livemode, payout] of [[true, live] as const, [false, test] as const]) {
      const wrong = await api.post('/payout_exports', { payout_ids: [live.id, test.id], livemode });
      expect(wrong).toMatchObject({
        status: 422,
        body: { details: [{ code: 'other_mode', path: `payout_ids.${livemode ? 1 : 0}` }] },
      });
      const { body, status } = await api.post<Outputs['payoutExports']['create']>(
        '/payout_exports',
        livemode ? {} : { livemode },
      );
      expect({ status, body }).toMatchObject({ status: 201, body: { livemode, payouts_count: 1 } });
      expect((await api.get(`/payout_exports/${body.id}`)).text).toContain(payout.id);
    }
    expect(await discrepancies()).toEqual([]);
  });

  it('by a run covers payouts of one mode only', async () => {
    const { live, test } = await bothModes();
    const { api } = shop.merchant;
    const create = { execute_now: true };
    const first = await api.post('/payout_runs', { ...create, idempotency_key: 'live' });
    expect(first.body).toMatchObject({ livemode: true, state: 'completed', items: [{ payout_id: live.id, state: 'paid' }] });
    const second = await api.post('/payout_runs', { ...create, idempotency_key: 'test', livemode: false });
    expect(second.body).toMatchObject({ livemode: false, state: 'completed', items: [{ payout_id: test.id, state: 'paid' }] });
    expect((await api.post('/payout_runs', { ...create, idempotency_key: 'live', livemode: false })).status).toBe(422);
    expect(await discrepancies()).toEqual([]);
  });

  it('merges a released payout only with the open payout of the same mode', async () => {
    const { live, test } = await bothModes();
    const { api } = shop.merchant;
    const { body } = await api.post<{ id: string }>('/payout_exports', { livemode: false });
    await testSale(await shop.refer());
    await liveSale(await shop.refer());
    await api.delete(`/payout_exports/${body.id}`);
    expect(await list<Payout>('/payouts')).toMatchObject([
      { id: live.id, amount_cents: 2_000 },
      { id: test.id, amount_cents: 4_000 },
    ]);
    expect(await discrepancies()).toEqual([]);
  });
});

it('commissions keep their modes when two customers are merged', async () => {
  await payable();
  const referral = await shop.refer();
  const { buyer } = await testSale(referral);
  await liveSale(referral, { customer_email: 'other@buyer.example' });
  await shop.deliver(wireEvent('customer.updated', { ...buyer, email: 'other@buyer.example' }));
  const modes = (await list<Commission>('/commissions')).map(({ livemode, state }) => ({ livemode, state }));
  expect(modes).toContainEqual({ livemode: true, state: 'due' });
  expect(modes).toContainEqual({ livemode: false, state: 'due' });
  expect(await discrepancies()).toEqual([]);
});

it('reconciliation reports payouts with commissions of both modes', async () => {
  await payable();
  await liveSale(await shop.refer());
  const [commission] = await list<Commission>('/commissions');
  await behindItsBack('update commission set livemode = false where id = $1', [commission!.id]);
  expect(await discrepancies()).toMatchObject([
    { code: 'mode_mismatch', commission_ids: [commission!.id] },
    { code: 'earner_mismatch', commission_ids: [commission!.id] },
  ]);
});
