/** Rewards for leads wait for a paying customer, and an affiliate earns one for each customer (docs/rules/rewards.md#rewards-for-leads). */
import { beforeEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import type { Fields } from '../support/http.ts';
import { must, refer, sell } from '../support/program.ts';
import { useService } from '../support/suite.ts';
import { type Commission, rule, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-03-01T12:00:00.000Z');

const usd = (amount_cents: number) => ({ fixed: { amount_cents, currency: 'USD' } });
const settle = () => service.worker!.sweepNow();

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

async function leads(): Promise<Commission[]> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  return body.data.filter(({ kind, state }) => kind === 'lead' && state !== 'voided');
}

const consistent = async () => {
  expect(await discrepancies(account)).toEqual([]);
  await assertNoContradictions(service.databaseUrl);
};

const WAITS = { state: 'pending', review_reason: 'unpaid_lead', due_at: '2028-03-11T12:00:00.000Z' };
const EARNED = { state: 'due', review_reason: null };

describe('the reward for a lead', () => {
  const customer_email = 'eve@buyer.example';
  const correct = (id: string, amount_cents: number) => account.api.patch(`/sales/${id}`, { amount_cents });
  let sold: { id: string };
  beforeEach(async () => {
    await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days: 10 });
    await account.api.post('/leads', { referral_id: friends.referral.id, email: customer_email });
    service.clock.advance(1, 'days');
    sold = (await sell(account, { customer_email })).sale;
  });

  it('waits again when the only payment turns out to be nothing, until the customer pays', async () => {
    expect(await leads()).toMatchObject([EARNED]);
    await correct(sold.id, 0);
    expect(await leads()).toMatchObject([WAITS]);
    await consistent();
    await correct(sold.id, 5_000);
    expect(await leads()).toMatchObject([EARNED]);
    await correct(sold.id, 0);
    service.clock.set('2028-03-11T12:00:00.000Z');
    await settle();
    expect(await leads()).toMatchObject([EARNED]);
    await consistent();
  });

  it('is due as long as another payment is left', async () => {
    service.clock.advance(1, 'days');
    await sell(account, { customer_email });
    await correct(sold.id, 0);
    expect(await leads()).toMatchObject([EARNED]);
    await consistent();
  });

  it('stays when it is paid, and waits again when it becomes unpaid', async () => {
    const [{ id } = { id: '' }] = await leads();
    await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() });
    await correct(sold.id, 0);
    await settle();
    expect(await leads()).toMatchObject([{ state: 'paid' }]);
    await account.api.patch(`/commissions/${id}`, { paid_at: null });
    await settle();
    expect(await leads()).toMatchObject([WAITS]);
    await consistent();
  });

  it('that a person has approved or rescheduled stays as the person decided', async () => {
    const [{ id } = { id: '' }] = await leads();
    await account.api.patch(`/commissions/${id}`, { due_at: '2028-03-01T00:00:00.000Z' });
    await correct(sold.id, 0);
    expect(await leads()).toMatchObject([{ ...EARNED, due_at: '2028-03-01T00:00:00.000Z' }]);
  });
});

it('is earned when the customer pays by another referral of the affiliate', async () => {
  await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days: 10 });
  const customer_email = 'eve@buyer.example';
  await account.api.post('/leads', { referral_id: friends.referral.id, email: customer_email });
  expect(await leads()).toMatchObject([WAITS]);
  await account.api.patch(`/campaigns/${friends.campaign.id}`, { attribution: 'last_click' });
  service.clock.advance(1, 'days');
  const { id } = await refer(account, friends);
  service.clock.advance(1, 'days');
  await sell(account, { customer_email, referral_id: id });
  expect(await leads()).toMatchObject([{ ...EARNED, referral_id: friends.referral.id }]);
  await consistent();
});

describe('two referrals of an affiliate whose customers turn out to be one', () => {
  const AT = { first: '2028-03-02T12:00:00.000Z', second: '2028-03-04T12:00:00.000Z', join: '2028-03-05T12:00:00.000Z' };
  const email = { customer_email: 'eve@buyer.example' };
  const id = { external_customer_id: 'eve' };
  let facts: Record<keyof typeof AT, Fields>;
  beforeEach(async () => {
    const other = await refer(account, friends);
    facts = {
      first: { ...email, referral_id: friends.referral.id, charged_at: AT.first },
      second: { ...id, referral_id: other.id, charged_at: AT.second },
      join: { ...email, ...id, charged_at: AT.join },
    };
  });
  const orders = ordersOf(['first', 'second', 'join'] as const).map((order) => [order]);

  it.each(orders)('earn one reward, by the first of them (%s)', async (order) => {
    await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days: 10 });
    service.clock.set('2028-03-10T12:00:00.000Z');
    for (const fact of order) await sell(account, { ...facts[fact], external_id: fact });
    await settle();
    expect(await leads()).toMatchObject([{ ...EARNED, referral_id: friends.referral.id, amount_cents: 300, due_at: AT.first }]);
    await consistent();
  });

  it.each(orders)('earn none if no rule was in force when the first of them was named (%s)', async (order) => {
    service.clock.set('2028-03-03T12:00:00.000Z');
    await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days: 10 });
    service.clock.set('2028-03-10T12:00:00.000Z');
    for (const fact of order) await sell(account, { ...facts[fact], external_id: fact });
    await settle();
    expect(await leads()).toEqual([]);
    await consistent();
  });

  it.each(orders)('are one customer of a milestone (%s)', async (order) => {
    await rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'customers', at: 2 }, pay: usd(700) });
    service.clock.set('2028-03-10T12:00:00.000Z');
    for (const fact of order) await sell(account, { ...facts[fact], external_id: fact });
    await settle();
    const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
    expect(body.data.filter(({ kind, state }) => kind === 'milestone' && state !== 'voided')).toEqual([]);
    await consistent();
  });
});

it('is not lost to an affiliate whose customer the lead becomes after the reward has fallen due', async () => {
  await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days: 10 });
  const customer_email = 'eve@buyer.example';
  await account.api.post('/leads', { referral_id: friends.referral.id, email: customer_email });
  const bob = await must<{ id: string }>(account, '/affiliates', { email: 'bob@example.com', campaign_id: friends.campaign.id });
  service.clock.advance(100, 'days');
  await settle();
  const ofBob = await must<{ id: string }>(account, '/referrals', { affiliate_id: bob.id, campaign_id: friends.campaign.id });
  service.clock.advance(1, 'days');
  await sell(account, { customer_email, referral_id: ofBob.id });
  await settle();
  expect(await leads()).toMatchObject([{ ...EARNED, affiliate_id: friends.affiliate.id }]);
  await consistent();
});
