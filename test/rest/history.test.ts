import { describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { program, type Program, refer, sell, unique } from '../support/program.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

/** A customer of a referral, and ways to change what decides about the customer's sales. Every step is a minute after the one before. */
async function customerOf(friends: Program) {
  const referral = await refer(desk.account, friends);
  const customer_email = `${unique('x')}@buyer.example`;
  const later = () => desk.service.clock.advance(1, 'minutes');
  const patch = async (path: string, changes: Fields) => {
    later();
    expect((await desk.account.api.patch(path, changes)).status).toBe(200);
  };
  return {
    buy: async (more: Fields = {}) => {
      later();
      return sell(desk.account, { referral_id: referral.id, customer_email, ...more });
    },
    affiliate: (changes: Fields) => patch(`/affiliates/${friends.affiliate.id}`, changes),
    campaign: (changes: Fields) => patch(`/campaigns/${friends.campaign.id}`, changes),
    referral: (changes: Fields) => patch(`/referrals/${referral.id}`, changes),
    deactivate: async () => {
      later();
      expect((await desk.account.api.delete(`/referrals/${referral.id}`)).status).toBe(204);
    },
    earned: async () =>
      (await desk.commissions(`affiliate_id=${friends.affiliate.id}`))
        .filter(({ state }) => state !== 'voided')
        .map(({ amount_cents }) => amount_cents)
        .toSorted((a, b) => a - b),
  };
}

type Customer = Awaited<ReturnType<typeof customerOf>>;

const REFUSALS: [reason: string, refuse: (customer: Customer) => Promise<void>, allow: (customer: Customer) => Promise<void>][] =
  [
    [
      'affiliate_inactive',
      ({ affiliate }) => affiliate({ state: 'disabled' }),
      ({ affiliate }) => affiliate({ state: 'active' }),
    ],
    ['referral_deactivated', ({ deactivate }) => deactivate(), ({ referral }) => referral({ deactivated_at: null })],
    [
      'nothing_to_earn',
      ({ campaign }) => campaign({ commission_percent: 0 }),
      ({ campaign }) => campaign({ commission_percent: 10 }),
    ],
  ];

describe.each(REFUSALS)('a sale that was refused with %s', (reason, refuse, allow) => {
  it('stays refused after the state has changed, whatever facts arrive later', async () => {
    const customer = await customerOf(await program(desk.account));
    await refuse(customer);
    const refused = await customer.buy({ external_id: 'order-1' });
    expect(refused).toMatchObject({ commission: null, reason });
    await allow(customer);
    expect((await customer.buy({ amount_cents: 5_000 })).commission).toMatchObject({ amount_cents: 500 });
    const refund = { external_id: 'order-1', refund_id: unique('re'), amount_cents: 1_000 };
    expect((await desk.account.api.post('/track/refunds', refund)).status).toBe(201);
    expect(await customer.earned()).toEqual([500]);
  });

  it('earns by the current state when a person reconsiders it, and a second time nothing more', async () => {
    const customer = await customerOf(await program(desk.account));
    await refuse(customer);
    const { sale } = await customer.buy();
    const again = (body: Fields = {}) => desk.account.api.post(`/sales/${sale.id}/reconsider`, body);
    expect((await again()).body).toMatchObject({ commission: null, reason });
    await allow(customer);
    desk.service.clock.advance(1, 'minutes');
    expect(await again({ dry_run: true })).toMatchObject({ status: 200, body: { commission: { amount_cents: 1_000 } } });
    expect(await customer.earned()).toEqual([]);
    expect(await again()).toMatchObject({ status: 200, body: { commission: { amount_cents: 1_000 }, reason: null } });
    expect(await again()).toMatchObject({ status: 200, body: { commission: { amount_cents: 1_000 }, reason: null } });
    expect(await customer.earned()).toEqual([1_000]);
  });

  it('does not lose the commission that it earned before', async () => {
    const customer = await customerOf(await program(desk.account));
    expect((await customer.buy()).commission).toMatchObject({ amount_cents: 1_000 });
    await refuse(customer);
    expect(await customer.buy({ amount_cents: 5_000 })).toMatchObject({ commission: null, reason });
    expect(await customer.earned()).toEqual([1_000]);
  });
});

it('a sale that a person reconsidered keeps its commission, whatever facts arrive later', async () => {
  const [one, other] = [await program(desk.account, { max_commissions: 1 }), await program(desk.account)];
  const earlier = await refer(desk.account, other);
  desk.service.clock.advance(1, 'minutes');
  const customer = await customerOf(one);
  const before = desk.service.clock.instant();
  await customer.affiliate({ state: 'disabled' });
  const { sale } = await customer.buy();
  await customer.affiliate({ state: 'active' });
  const { status } = await desk.account.api.post(`/sales/${sale.id}/reconsider`, {});
  expect(status).toBe(200);
  expect(await customer.earned()).toEqual([1_000]);
  // An earlier sale would take the only place of the campaign, and one that names an earlier visit would take the customer.
  expect(await customer.buy({ charged_at: before, amount_cents: 5_000 })).toMatchObject({ reason: 'max_commissions_reached' });
  expect(await customer.buy({ charged_at: before, amount_cents: 7_000, referral_id: earlier.id })).toMatchObject({
    commission: { affiliate_id: other.affiliate.id },
  });
  expect(await customer.earned()).toEqual([1_000]);
  expect(await desk.account.client.sales.get.query({ id: sale.id, expand: ['decision'] })).toMatchObject({
    affiliate_id: one.affiliate.id,
    decision: { rule: 'assigned' },
  });
});

it('a sale is not reconsidered if another affiliate would lose the commission on a later sale of the customer', async () => {
  const [one, other] = [await program(desk.account), await program(desk.account)];
  const customer = await customerOf(one);
  desk.service.clock.advance(1, 'minutes');
  const { id: referral_id } = await refer(desk.account, other);
  await customer.affiliate({ state: 'disabled' });
  const { sale, reason } = await customer.buy();
  expect(reason).toBe('affiliate_inactive');
  const { commission } = await customer.buy({ referral_id });
  expect(commission).toMatchObject({ affiliate_id: other.affiliate.id, amount_cents: 1_000 });
  await customer.affiliate({ state: 'active' });
  const reply = await desk.account.api.post(`/sales/${sale.id}/reconsider`, {});
  expect(reply).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await desk.commissions()).toMatchObject([{ id: commission!.id, state: 'pending' }]);
  expect(await desk.account.client.sales.get.query({ id: sale.id })).toMatchObject({ affiliate_id: one.affiliate.id });
});

it('a sale that is not found cannot be reconsidered, and reconsidering needs the permission to write sales', async () => {
  expect((await desk.account.api.post('/sales/sale_00000000000000000000000000/reconsider', {})).status).toBe(404);
  const reader = await desk.account.apiWith({ 'v1.commissions.read': true });
  expect((await reader.post('/sales/sale_00000000000000000000000000/reconsider', {})).status).toBe(403);
});

it('a change by a process whose clock is behind does not reverse the history', async () => {
  const friends = await program(desk.account);
  const customer = await customerOf(friends);
  desk.service.clock.advance(1, 'minutes');
  const charged_at = desk.service.clock.instant();
  const behind = async (change: () => Promise<void>) => {
    desk.service.clock.advance(-2, 'minutes');
    await change();
    desk.service.clock.advance(2, 'minutes');
  };
  await customer.affiliate({ state: 'disabled' });
  await behind(() => customer.affiliate({ state: 'active' }));
  await customer.campaign({ commission_percent: 50 });
  await behind(() => customer.campaign({ commission_percent: 20 }));
  expect((await customer.buy({ charged_at })).commission).toMatchObject({ amount_cents: 1_000 });
  expect((await customer.buy()).commission).toMatchObject({ amount_cents: 2_000 });
});

describe('a change between first and last click', () => {
  it.each([true, false])('applies to clicks from then on, whenever the sale arrives (sale first: %s)', async (saleFirst) => {
    const { account, service } = desk;
    const [friends, fans] = [await program(account), await program(account)];
    const customer_email = `${unique('x')}@buyer.example`;
    const later = () => service.clock.advance(1, 'minutes');
    const first = await refer(account, friends);
    later();
    const second = await refer(account, fans);
    later();
    const charged_at = service.clock.instant();
    later();
    const report = async () => {
      await sell(account, { referral_id: first.id, customer_email, amount_cents: 0, charged_at: second.created_at });
      await sell(account, { referral_id: second.id, customer_email, amount_cents: 0, charged_at: second.created_at });
      return sell(account, { customer_email, charged_at });
    };
    const change = async () => {
      for (const { campaign } of [friends, fans])
        expect((await account.api.patch(`/campaigns/${campaign.id}`, { attribution: 'last_click' })).status).toBe(200);
    };
    if (!saleFirst) await change();
    const { sale } = await report();
    if (saleFirst) await change();
    later();
    await sell(account, { customer_email, amount_cents: 0 });
    expect((await account.api.get(`/sales/${sale.id}`)).body).toMatchObject({ affiliate_id: friends.affiliate.id });
  });
});
