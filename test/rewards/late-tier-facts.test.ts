/** Facts that arrive late correct the tiers of later months, and what their sales earn until it is paid (docs/rules/rewards.md#tiers). */
import { describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Commission, rule, shop, useShop } from './program.ts';

type Tier = Outputs['tiers']['create'];

const service = useService({ worker: {}, checksIndexes: true });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const JANUARY = '2028-01-20T00:00:00.000Z';
const FEBRUARY = '2028-02-10T00:00:00.000Z';

async function gold(values: Fields = {}, percent = 25): Promise<Tier> {
  const { campaign } = friends;
  const tier = await must<Tier>(account, '/tiers', {
    campaign_id: campaign.id,
    name: 'Gold',
    metric: 'sales',
    from: 2,
    ...values,
  });
  await rule(account, campaign, { when: { tier: [tier.id] }, pay: { percent } });
  return tier;
}

async function earn(more: Fields = {}): Promise<Commission> {
  const { id } = await refer(account, friends);
  return (await sell(account, { referral_id: id, ...more })).commission as Commission;
}

const amountOf = async ({ id }: { id: string }) => (await account.api.get<Commission>(`/commissions/${id}`)).body.amount_cents;

const usd = (amount_cents: number) => ({ fixed: { amount_cents, currency: 'USD' } });

async function paidFor(kind: string): Promise<[amount_cents: number, state: string][]> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  return body.data.filter((each) => each.kind === kind).map(({ amount_cents, state }) => [amount_cents, state]);
}

const settle = () => service.worker!.sweepNow();

async function discrepancies() {
  const { body } = await account.api.get<Outputs['payoutRuns']['reconcile']>('/payout_runs/reconcile');
  return body.discrepancies;
}

describe('a sale that arrives late', () => {
  it('changes what unpaid sales of the next month earn', async () => {
    await gold();
    await earn();
    service.clock.set(FEBRUARY);
    const unpaid = await earn();
    expect(unpaid.amount_cents).toBe(1_000);
    const external_id = unique('order');
    const late = await earn({ external_id, charged_at: JANUARY });
    await settle();
    expect([await amountOf(unpaid), await amountOf(late)]).toEqual([2_500, 1_000]);
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await amountOf(unpaid)).toBe(1_000);
  });

  it('gives bonuses on top and commissions that nothing was paid for', async () => {
    const { id } = await gold();
    await rule(account, friends.campaign, { when: { tier: [id], products: ['pro'] }, apply: 'on_top', pay: { percent: 5 } });
    await rule(account, friends.campaign, { when: { products: ['free'] }, pay: { nothing: true }, position: 2 });
    await earn();
    service.clock.set(FEBRUARY);
    const line = (product: string) => ({ lines: [{ product, amount_cents: 10_000 }] });
    const { sale_id } = await earn(line('pro'));
    expect(await earn(line('free'))).toBeNull();
    await earn({ charged_at: JANUARY });
    await settle();
    const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
    const live = body.data.filter(({ state }) => state !== 'voided');
    const ofPro = live.filter((each) => each.sale_id === sale_id).map(({ kind, amount_cents }) => [kind, amount_cents]);
    expect(ofPro.toSorted(([a], [b]) => (a! < b! ? -1 : 1))).toEqual([
      ['bonus', 500],
      ['sale', 2_500],
    ]);
    expect(live.map(({ amount_cents }) => amount_cents).toSorted((a, b) => a - b)).toEqual([500, 1_000, 1_000, 2_500, 2_500]);
  });

  it('leaves a paid commission alone, and reports the difference', async () => {
    await gold();
    await earn();
    service.clock.set(FEBRUARY);
    const paid = await earn();
    await account.api.patch(`/commissions/${paid.id}`, { paid_at: FEBRUARY });
    const external_id = unique('order');
    await earn({ external_id, charged_at: JANUARY });
    await settle();
    expect(await amountOf(paid)).toBe(1_000);
    expect(await discrepancies()).toMatchObject([
      {
        code: 'paid_reward',
        sale_id: paid.sale_id,
        affiliate_id: friends.affiliate.id,
        expected_cents: 2_500,
        actual_cents: 1_000,
        commission_ids: [paid.id],
      },
    ]);
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await discrepancies()).toEqual([]);
  });

  it('waits while a payout with the commission is being paid', async () => {
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { walleta_email: 'ada@pay.example' });
    await gold();
    await earn();
    service.clock.set(FEBRUARY);
    const claimed = await earn();
    const { id } = await must<{ id: string }>(account, '/payout_exports', {});
    await earn({ charged_at: JANUARY });
    await settle();
    expect(await amountOf(claimed)).toBe(1_000);
    await account.api.delete(`/payout_exports/${id}`);
    await settle();
    expect(await amountOf(claimed)).toBe(2_500);
  });
});

describe('a reward for a lead', () => {
  const referred = async (path: string, fields: Fields = {}) => {
    const { id } = await refer(account, friends);
    await must(account, path, { referral_id: id, email: `${unique('eve')}@buyer.example`, ...fields });
  };

  it('follows the tiers of its month until it is paid', async () => {
    const { id } = await gold();
    await rule(account, friends.campaign, { event: 'lead', when: { tier: [id] }, pay: usd(500), hold_days: 3 });
    await rule(account, friends.campaign, { event: 'lead', pay: usd(100), hold_days: 20 });
    await earn();
    service.clock.set(FEBRUARY);
    await referred('/leads');
    expect(await paidFor('lead')).toEqual([[100, 'pending']]);
    const external_id = unique('order');
    await earn({ external_id, charged_at: JANUARY });
    await settle();
    const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
    expect(body.data.filter(({ kind }) => kind === 'lead')).toMatchObject([
      { amount_cents: 500, state: 'pending', review_reason: 'unpaid_lead', due_at: '2028-02-13T00:00:00.000Z' },
    ]);
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await paidFor('lead')).toEqual([[100, 'pending']]);
    expect(await discrepancies()).toEqual([]);
  });

  it('comes and goes with the only rule for it, in the currency of the rule, and stays once it is paid', async () => {
    const { id } = await gold();
    const euros = { fixed: { amount_cents: 400, currency: 'EUR' } };
    await rule(account, friends.campaign, { event: 'lead', when: { tier: [id] }, pay: euros, hold_days: 0 });
    await earn();
    service.clock.set(FEBRUARY);
    await referred('/leads');
    expect(await paidFor('lead')).toEqual([]);
    const external_id = unique('order');
    await earn({ external_id, charged_at: JANUARY });
    await settle();
    expect(await paidFor('lead')).toEqual([[400, 'due']]);
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await paidFor('lead')).toEqual([[400, 'voided']]);
    const again = unique('order');
    await earn({ external_id: again, charged_at: JANUARY });
    await settle();
    const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
    const paid = body.data.find(({ kind, state }) => kind === 'lead' && state === 'due')!;
    await account.api.patch(`/commissions/${paid.id}`, { paid_at: FEBRUARY });
    await must(account, '/track/refunds', { external_id: again, refund_id: 'again', amount_cents: 10_000 });
    await settle();
    expect((await paidFor('lead')).toSorted(([, a], [, b]) => (a < b ? -1 : 1))).toEqual([
      [400, 'paid'],
      [400, 'voided'],
    ]);
  });
});

describe('a milestone for a tier', () => {
  it('counts the sales that were charged with the tier, and follows late facts until it is paid', async () => {
    const { id } = await gold();
    await rule(account, friends.campaign, {
      event: 'milestone',
      when: { tier: [id] },
      milestone: { metric: 'sales', every: 2 },
      pay: usd(700),
    });
    await earn();
    service.clock.set(FEBRUARY);
    for (let i = 0; i < 4; i += 1) await earn();
    expect(await paidFor('milestone')).toEqual([]);
    const external_id = unique('order');
    await earn({ external_id, charged_at: JANUARY });
    await settle();
    expect(await paidFor('milestone')).toEqual([1, 2].map(() => [700, 'due']));
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await paidFor('milestone')).toEqual([1, 2].map(() => [700, 'voided']));
    expect(await discrepancies()).toEqual([]);
  });
});

/** A sale, with the place of its customer among those of the story, a refund, or a correction of a sale. */
type Fact =
  | { kind: 'sale'; order: string; customer: number; at: string; amount_cents: number }
  | { kind: 'refund'; order: string; at: string; amount_cents: number }
  | { kind: 'correction'; order: string; at: string; amount_cents: number };

const CUSTOMERS = 5;

/** Random sales of four months, and refunds and corrections of some of them. */
function factsOf(random: Random): Fact[] {
  return Array.from({ length: 16 }, (_, i) => {
    const order = `order-${i}`;
    const day = String(random.int(2, 28)).padStart(2, '0');
    const at = `2028-0${random.int(2, 5)}-${day}T12:00:00.000Z`;
    const amount_cents = 100 * random.int(20, 200);
    const facts: Fact[] = [{ kind: 'sale', order, customer: random.int(0, CUSTOMERS - 1), at, amount_cents }];
    const later = { order, at: '2028-05-29T00:00:00.000Z' };
    const change = random.weighted({ none: 5, refund: 3, correction: 2 });
    if (change === 'refund') facts.push({ kind: change, ...later, amount_cents: random.chance(0.5) ? amount_cents : 1_000 });
    if (change === 'correction')
      facts.push({ kind: change, ...later, amount_cents: random.chance(0.3) ? 0 : 100 * random.int(20, 300) });
    return facts;
  }).flat();
}

/** Reports facts in an order to an account of their own. Returns what all sales have earned, and the periods of the tiers. */
async function tell(facts: readonly Fact[], { inTime, random }: { inTime: boolean; random: Random }): Promise<object> {
  service.clock.set('2028-01-10T12:00:00.000Z');
  Object.assign(account, await service.createAccount());
  Object.assign(friends, await shop(account, { days_until_commissions_are_due: 365 }));
  await gold({ name: 'Revenue', metric: 'revenue', currency: 'USD', window: 'quarter', from: 30_000 }, 30);
  const silver = await gold({ name: 'Silver', from: 3 }, 20);
  const loyal = await gold({ name: 'Loyal', metric: 'customers', window: 'ever', from: 3 }, 15);
  await rule(account, friends.campaign, { when: { tier: [loyal.id] }, apply: 'on_top', pay: { percent: 3 } });
  const silverRule = { when: { tier: [silver.id] } };
  const every = (count: number) => ({ event: 'milestone', milestone: { metric: 'sales', every: count } });
  const bySilver = await rule(account, friends.campaign, { ...every(2), ...silverRule, pay: usd(700) });
  await rule(account, friends.campaign, { ...every(3), when: { tier: [loyal.id, silver.id] }, pay: usd(11) });
  await rule(account, friends.campaign, { event: 'lead', ...silverRule, pay: usd(500), hold_days: 365 });
  await rule(account, friends.campaign, { event: 'lead', when: { tier: [loyal.id] }, pay: usd(90), hold_days: 365 });
  const referrals: string[] = [];
  for (let i = 0; i < CUSTOMERS; i += 1) referrals.push((await refer(account, friends)).id);
  if (!inTime) service.clock.set('2028-06-10T00:00:00.000Z');
  for (const fact of facts) {
    if (inTime && fact.at > service.clock.instant()) service.clock.set(fact.at);
    if (inTime || random.chance(0.3)) await settle();
    const { order, amount_cents } = fact;
    if (fact.kind === 'refund') await must(account, '/track/refunds', { external_id: order, refund_id: order, amount_cents });
    else if (fact.kind === 'correction') {
      const { data } = await account.client.sales.list.query({ q: order });
      await account.client.sales.update.mutate({ id: data[0]!.id, amount_cents });
    } else
      await sell(account, {
        external_id: order,
        referral_id: referrals[fact.customer],
        ...(fact.customer % 2 === 0 && { customer_email: `customer-${fact.customer}@buyer.example` }),
        amount_cents,
        charged_at: fact.at,
      });
  }
  service.clock.set('2028-06-10T00:00:00.000Z');
  await settle();
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { expand: 'sale', limit: '100' });
  const sums = new Map<string, number>();
  for (const { kind, state, amount_cents, sale, referral_id, rule_id } of body.data) {
    const of = {
      milestone: rule_id === bySilver.id ? 'of Silver' : 'of both',
      lead: `of customer ${referrals.indexOf(referral_id ?? '')}`,
    };
    const key = `${kind} ${of[kind as keyof typeof of] ?? sale!.external_id}`;
    if (state !== 'voided') sums.set(key, (sums.get(key) ?? 0) + amount_cents);
  }
  const { tiers } = (
    await account.api.get<Outputs['affiliates']['get']>(`/affiliates/${friends.affiliate.id}`, { expand: 'tiers' })
  ).body;
  return {
    earned: [...sums].filter(([, cents]) => cents !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    tiers: tiers!.map(({ name, since, until }) => [name, since, until]),
  };
}

/** Moves each refund and correction behind its sale, because only a known sale can be refunded or corrected. */
function afterTheirSales(facts: readonly Fact[]): Fact[] {
  const changes = facts.filter(({ kind }) => kind !== 'sale');
  return facts.flatMap((fact, i) => {
    const follows = (change: Fact) => change.order === fact.order && facts.indexOf(change) < i;
    if (fact.kind === 'sale') return [fact, ...changes.filter(follows)];
    return facts.slice(0, i).some(({ order }) => order === fact.order) ? [fact] : [];
  });
}

describe('the order in which facts arrive', () => {
  it.each(Array.from({ length: THOROUGH ? 20 : 1 }, (_, i) => SEED * 100 + i))(
    'makes no difference to what is earned before it is paid (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const facts = factsOf(random);
      const sorted = facts.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.kind < b.kind ? 1 : -1));
      const told = await tell(sorted, { inTime: true, random });
      const late = afterTheirSales(random.shuffled(facts));
      expect(await tell(late, { inTime: false, random })).toEqual(told);
    },
  );
});
