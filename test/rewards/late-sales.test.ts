/** Sales that arrive late correct what later sales earn until it is paid (docs/rules/rewards.md#terms). */
import { describe, expect, it } from 'vitest';
import { discrepancies, openPayout } from '../payouts/program.ts';
import type { Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Commission, rule, useShop } from './program.ts';

type Tier = Outputs['tiers']['create'];

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const JANUARY = '2028-01-20T00:00:00.000Z';
const FEBRUARY = '2028-02-10T00:00:00.000Z';
const END = '2028-07-01T00:00:00.000Z';

const settle = () => service.worker!.sweepNow();

/** Sells to the customer of a referral, by default to a new one. Returns the commission. */
async function earn({ referral_id, ...sale }: Fields = {}): Promise<Commission> {
  const id = referral_id ?? (await refer(account, friends)).id;
  return (await sell(account, { referral_id: id, ...sale })).commission as Commission;
}

const amountOf = async ({ id }: { id: string }) => (await account.api.get<Commission>(`/commissions/${id}`)).body.amount_cents;

async function stateOfMilestones(): Promise<string[]> {
  const { data } = await account.client.commissions.list.query({ limit: 100 });
  return data.filter(({ kind }) => kind === 'milestone').map(({ state }) => state);
}

async function gold(): Promise<void> {
  const { campaign } = friends;
  const tier = await must<Tier>(account, '/tiers', { campaign_id: campaign.id, name: 'Gold', metric: 'sales', from: 2 });
  await rule(account, campaign, { when: { tier: [tier.id] }, pay: { percent: 25 } });
}

/** A rule for the first sale, and a referral that is older than all sales. */
async function firstSale(when: Fields): Promise<{ id: string }> {
  await rule(account, friends.campaign, { when, pay: { percent: 50 } });
  service.clock.advance(1, 'hours');
  const referral = await refer(account, friends);
  service.clock.set(FEBRUARY);
  return referral;
}

describe('an earlier sale that arrives late', () => {
  it.each<[Fields, Fields]>([
    [{ sale_number: { to: 1 } }, {}],
    [{ sale_number: { to: 1 } }, { customer_email: 'eve@buyer.example' }],
    [{ customer: 'new' }, { customer_email: 'eve@buyer.example' }],
  ])('takes the place of the first sale (%j %j)', async (when, customer) => {
    const { id: referral_id } = await firstSale(when);
    const second = await earn({ referral_id, ...customer });
    expect(second.amount_cents).toBe(5_000);
    const first = await earn({ referral_id, ...customer, charged_at: JANUARY });
    await settle();
    expect([await amountOf(first), await amountOf(second)]).toEqual([5_000, 1_000]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('of the same second is earlier by the id of the merchant (%s, then %s)', async (...order) => {
    const { id: referral_id } = await firstSale({ sale_number: { to: 1 } });
    const earned = new Map<string, Commission>();
    for (const external_id of order) earned.set(external_id, await earn({ referral_id, external_id, charged_at: JANUARY }));
    await settle();
    expect([await amountOf(earned.get('a')!), await amountOf(earned.get('b')!)]).toEqual([5_000, 1_000]);
  });

  it('leaves a paid commission alone, and reports the difference', async () => {
    const { id: referral_id } = await firstSale({ sale_number: { to: 1 } });
    const second = await earn({ referral_id });
    await account.api.patch(`/commissions/${second.id}`, { paid_at: FEBRUARY });
    await earn({ referral_id, charged_at: JANUARY });
    await settle();
    expect(await amountOf(second)).toBe(5_000);
    expect(await discrepancies(account)).toMatchObject([{ code: 'paid_reward', expected_cents: 1_000, actual_cents: 5_000 }]);
  });

  it.each(Array.from({ length: THOROUGH ? 10 : 2 }, (_, i) => SEED * 100 + i))(
    'makes no difference to what all sales earn (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const { campaign } = friends;
      await rule(account, campaign, { when: { sale_number: { from: 2, to: 2 } }, pay: { percent: 33 } });
      await rule(account, campaign, { when: { customer: 'new' }, pay: { percent: 50 } });
      await rule(account, campaign, { when: { age_months: { to: 2 } }, pay: { percent: 20 } });
      service.clock.advance(1, 'hours');
      const days = Array.from({ length: 6 }, (_, i) => `2028-0${random.int(2, 6)}-${random.int(10, 28)}T0${i}:00:00.000Z`);
      const customers = [random.chance(0.5) ? {} : { customer_email: 'eve@buyer.example' }, {}];
      const [one, other] = [
        await refer(account, friends, { expires_at: END }),
        await refer(account, friends, { expires_at: END }),
      ];
      const referrals = [one, other];
      service.clock.set(END);
      const report = async (i: number) =>
        earn({ referral_id: referrals[i % 2]!.id, ...customers[i % 2], charged_at: days[i], external_id: `${i}` });
      const inTurn = days.map((day, i) => ({ day, i })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
      const earned = new Map<number, Commission>();
      for (const { i } of random.shuffled(inTurn)) earned.set(i, await report(i));
      await settle();
      const percents = [0, 1].flatMap((referral) => {
        const own = inTurn.filter(({ i }) => i % 2 === referral);
        return own.map(({ i, day }, place) => {
          const isYoung =
            Number(day.slice(5, 7)) - Number(own[0]!.day.slice(5, 7)) - (day.slice(8) < own[0]!.day.slice(8) ? 1 : 0) < 2;
          return [i, place === 1 ? 33 : place === 0 ? 50 : isYoung ? 20 : 10] as const;
        });
      });
      for (const [i, percent] of percents) expect([i, await amountOf(earned.get(i)!)]).toEqual([i, percent * 100]);
    },
  );
});

describe('a sale that is corrected to nothing', () => {
  type Step = 'first' | 'second' | 'corrected';
  const ORDERS: Step[][] = [
    ['first', 'corrected', 'second'],
    ['first', 'second', 'corrected'],
    ['second', 'first', 'corrected'],
  ];

  it.each(
    ORDERS.flatMap((order) => [
      { order, when: { sale_number: { to: 1 } }, isReferred: true },
      { order, when: { customer: 'new' }, isReferred: true },
      { order, when: { customer: 'new' }, isReferred: false },
    ]),
  )('leaves its place to the next one, until it is corrected again (%j)', async ({ order, when, isReferred }) => {
    const { id: referral_id } = await firstSale(when);
    const customer_email = 'eve@buyer.example';
    const earlier = { customer_email, charged_at: JANUARY };
    const ids = new Map<Step, string>();
    const correct = (amount_cents: number) => account.api.patch(`/sales/${ids.get('first')}`, { amount_cents, dry_run: false });
    const steps = {
      first: async () => {
        const { sale } = await sell(account, isReferred ? { referral_id, ...earlier } : earlier);
        ids.set('first', sale.id);
      },
      second: async () => ids.set('second', (await earn({ referral_id, customer_email })).sale_id!),
      corrected: async () => expect((await correct(0)).status).toBe(200),
    };
    for (const step of order) await steps[step]();
    await settle();
    const ofSecond = async () => {
      const { data } = await account.client.commissions.list.query({ limit: 100 });
      return data.filter(({ sale_id, state }) => sale_id === ids.get('second') && state !== 'voided')[0]!.amount_cents;
    };
    expect(await ofSecond()).toBe(5_000);
    await correct(10_000);
    await settle();
    expect(await ofSecond()).toBe(1_000);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a sale whose customer becomes known', () => {
  it('comes after the earlier sales of this customer', async () => {
    const { id: referral_id } = await firstSale({ customer: 'new' });
    const customer_email = 'eve@buyer.example';
    await sell(account, { customer_email, charged_at: JANUARY });
    const second = await earn({ referral_id });
    expect(second.amount_cents).toBe(5_000);
    expect((await account.api.patch(`/referrals/${referral_id}`, { customer_email })).status).toBe(200);
    await settle();
    const { data } = await account.client.commissions.list.query({ limit: 100 });
    expect(data.filter(({ state }) => state !== 'voided').map(({ amount_cents }) => amount_cents)).toEqual([5_000, 1_000]);
    expect(await amountOf(second)).toBe(1_000);
  });
});

describe('a merge of two customers', () => {
  it.each([true, false])('leaves one of them the first sale (first sale through a referral: %s)', async (isReferred) => {
    const { id: referral_id } = await firstSale({ customer: 'new' });
    const first = { customer_email: 'eve@buyer.example', charged_at: JANUARY };
    await sell(account, isReferred ? { referral_id, ...first } : first);
    const { id: other } = await refer(account, friends);
    const second = await earn({ referral_id: other, customer_email: 'bob@buyer.example' });
    const third = await earn({ referral_id: other, customer_email: 'bob@buyer.example' });
    expect([second, third].map(({ amount_cents }) => amount_cents)).toEqual([5_000, 1_000]);
    const { data: customers } = await account.client.customers.list.query({});
    const idOf = (email: string) => customers.find((customer) => customer.email === email)!.id;
    const merge = `/customers/${idOf('bob@buyer.example')}/merge`;
    await must(account, merge, { customer_id: idOf('eve@buyer.example') }, 200);
    await settle();
    const { data } = await account.client.commissions.list.query({ limit: 100 });
    const earned = new Map(data.filter(({ state }) => state !== 'voided').map((each) => [each.sale_id, each.amount_cents]));
    expect([second, third].map(({ sale_id }) => earned.get(sale_id))).toEqual([1_000, 1_000]);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a sale whose customer becomes known', () => {
  const bob = { customer_email: 'bob@buyer.example' };

  it.each([
    ['the first sale of the customer, which others follow', JANUARY, '2028-02-01T00:00:00.000Z', [5_000, 1_000]],
    ['a later sale of the customer', '2028-02-01T00:00:00.000Z', JANUARY, [1_000, 5_000]],
  ])('is %s', async (_, unknownAt, knownAt, expected) => {
    const { id: referral_id } = await firstSale({ customer: 'new' });
    const { id: other } = await refer(account, friends);
    const unknown = await earn({ referral_id, charged_at: unknownAt });
    const known = await earn({ referral_id: other, charged_at: knownAt, ...bob });
    expect([unknown, known].map(({ amount_cents }) => amount_cents)).toEqual([5_000, 5_000]);
    await earn({ referral_id, ...bob });
    await settle();
    const { data } = await account.client.commissions.list.query({ limit: 100 });
    const earned = new Map(data.filter(({ state }) => state !== 'voided').map((each) => [each.sale_id, each.amount_cents]));
    expect([unknown, known].map(({ sale_id }) => earned.get(sale_id))).toEqual(expected);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a corrected tier', () => {
  it('counts a refund once that was adjusted while the commission was claimed', async () => {
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { walleta_email: 'ada@pay.example' });
    await gold();
    await earn();
    service.clock.set(FEBRUARY);
    const external_id = unique('order');
    const { sale_id } = await earn({ external_id });
    const { id } = await must<{ id: string }>(account, '/payout_exports', {});
    await must(account, '/track/refunds', { external_id, refund_id: 'half', amount_cents: 5_000 });
    await account.api.delete(`/payout_exports/${id}`);
    await earn({ charged_at: JANUARY });
    await settle();
    const { data } = await account.client.commissions.list.query({ limit: 100 });
    const ofSale = data.filter((each) => each.sale_id === sale_id).map(({ kind, amount_cents }) => [kind, amount_cents]);
    expect(ofSale.toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual([
      ['adjustment', -500],
      ['adjustment', 500],
      ['sale', 1_250],
    ]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('corrects sales that were charged before the end of the month was settled', async () => {
    await gold();
    await earn();
    const external_id = unique('order');
    await earn({ external_id });
    await settle();
    service.clock.set('2028-02-01T00:00:30.000Z');
    const early = await earn();
    expect(early.amount_cents).toBe(2_500);
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    service.clock.set('2028-02-01T00:10:00.000Z');
    await settle();
    expect(await amountOf(early)).toBe(1_000);
  });
});

describe('a voided commission', () => {
  it('undoes a milestone that is not paid', async () => {
    await rule(account, friends.campaign, {
      event: 'milestone',
      milestone: { metric: 'sales', every: 3 },
      pay: { fixed: { amount_cents: 5_000, currency: 'USD' } },
    });
    const sales = [await earn(), await earn(), await earn()];
    expect(await stateOfMilestones()).toEqual(['due']);
    await account.api.delete(`/commissions/${sales[0]!.id}`);
    await settle();
    expect(await stateOfMilestones()).toEqual(['voided']);
    await earn();
    expect((await stateOfMilestones()).toSorted()).toEqual(['due', 'voided']);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a paid commission that becomes unpaid again', () => {
  const ways = ['by the return of its payout', 'by hand'];
  /** Pays a commission and calls `meanwhile`. Then makes the commission unpaid again. */
  async function unpaidAgain(way: string, { id, affiliate_id }: Commission, meanwhile: () => Promise<unknown>): Promise<void> {
    const payout = await openPayout(account, affiliate_id);
    const isByHand = way === 'by hand';
    if (isByHand) await account.api.patch(`/commissions/${id}`, { paid_at: FEBRUARY });
    else await must(account, `/payouts/${payout.id}/pay`, {}, 200);
    await meanwhile();
    await settle();
    expect(await discrepancies(account)).toHaveLength(1);
    if (isByHand) await account.api.patch(`/commissions/${id}`, { paid_at: null });
    else await must(account, `/payouts/${payout.id}/return`, { reason: 'bounced' }, 200);
    await settle();
    expect(await discrepancies(account)).toEqual([]);
  }

  it.each(ways)('%s earns by the tiers that are known now', async (way) => {
    await gold();
    await earn();
    service.clock.set(FEBRUARY);
    const paid = await earn();
    await unpaidAgain(way, paid, () => earn({ charged_at: JANUARY }));
    expect(await amountOf(paid)).toBe(2_500);
  });

  it.each(ways)('%s goes to the affiliate to whom the facts give the sale', async (way) => {
    const other = await account.client.affiliates.create.mutate({
      email: 'bob@partner.example',
      campaign_id: friends.campaign.id,
    });
    const of = { affiliate_id: other.id, campaign_id: friends.campaign.id };
    const earlier = await must<{ id: string }>(account, '/referrals', of);
    service.clock.set(FEBRUARY);
    const customer_email = 'eve@buyer.example';
    const paid = await earn({ customer_email });
    await unpaidAgain(way, paid, () => earn({ referral_id: earlier.id, customer_email, charged_at: JANUARY }));
    const { data } = await account.client.commissions.list.query({ limit: 100 });
    const statesOf = (id: string) => data.filter(({ affiliate_id }) => affiliate_id === id).map(({ state }) => state);
    expect([statesOf(paid.affiliate_id), statesOf(other.id)]).toEqual([['voided'], ['due', 'due']]);
  });
});

describe('a milestone that was marked as paid by hand', () => {
  it('is voided when it becomes unpaid again, if refunds have undone it meanwhile', async () => {
    await rule(account, friends.campaign, {
      event: 'milestone',
      milestone: { metric: 'sales', every: 1 },
      pay: { fixed: { amount_cents: 5_000, currency: 'USD' } },
    });
    const external_id = unique('order');
    await earn({ external_id });
    const { data } = await account.client.commissions.list.query({ limit: 100 });
    const { id } = data.find(({ kind }) => kind === 'milestone')!;
    await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() });
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await stateOfMilestones()).toEqual(['paid']);
    await account.api.patch(`/commissions/${id}`, { paid_at: null });
    await settle();
    expect(await stateOfMilestones()).toEqual(['voided']);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a payout', () => {
  it.each(['released', 'returned'])('that is %s loses the milestones that refunds have undone meanwhile', async (how) => {
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { walleta_email: 'ada@pay.example' });
    await rule(account, friends.campaign, {
      event: 'milestone',
      milestone: { metric: 'sales', every: 2 },
      pay: { fixed: { amount_cents: 5_000, currency: 'USD' } },
    });
    const external_id = unique('order');
    await earn({ external_id });
    await earn();
    const claimed = await openPayout(account, friends.affiliate.id);
    const { id } = await must<{ id: string }>(account, '/payout_exports', {});
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect(await stateOfMilestones()).toEqual(['due']);
    if (how === 'released') await account.api.delete(`/payout_exports/${id}`);
    else {
      await must(account, `/payout_exports/${id}/payment`, {}, 200);
      await must(account, `/payouts/${claimed.id}/return`, { reason: 'bounced' }, 200);
    }
    await settle();
    expect(await stateOfMilestones()).toEqual(['voided']);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 1_000 });
    expect(await discrepancies(account)).toEqual([]);
  });
});
