/** Caps of rules, and sales that change after others have used them up (docs/rules/rewards.md#amounts). */
import { beforeEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import type { Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Commission, rule, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

interface Sold {
  id: string;
  external_id: string;
}

const sold = async (amount_cents: number, referral_id?: string): Promise<Sold> => {
  const external_id = unique('order');
  const { id } = referral_id === undefined ? await refer(account, friends) : { id: referral_id };
  const { sale } = await sell(account, { referral_id: id, external_id, amount_cents });
  return { id: sale.id, external_id };
};
const correct = async ({ id }: Sold, amount_cents: number) =>
  expect((await account.api.patch(`/sales/${id}`, { amount_cents })).status).toBe(200);
const commissions = async () => (await account.api.get<{ data: Commission[] }>('/commissions', { limit: 100 })).body.data;
const isCredited = ({ state, paid_at }: Commission) => state !== 'voided' || paid_at !== null;
const netOf = async ({ id }: Sold) => {
  const { charge_amount_cents, refund_amount_cents } = await account.client.sales.get.query({ id });
  return charge_amount_cents - refund_amount_cents;
};
const creditedFor = async ({ id }: Sold) =>
  (await commissions())
    .filter((each) => each.sale_id === id && isCredited(each))
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);

describe.each([['instead'], ['on_top']])('the cap of a rule that pays %s', (apply) => {
  const base = apply === 'on_top' ? 1 : 0;

  describe('for each affiliate', () => {
    beforeEach(async () => {
      await rule(account, friends.campaign, {
        apply,
        pay: { percent: 10 },
        cap: { amount_cents: 300, currency: 'USD', per: 'affiliate' },
      });
    });

    it('leaves to later sales what a sale that is corrected upward does not need', async () => {
      const first = await sold(1_000);
      const second = await sold(5_000);
      const shares = async () => [await creditedFor(first), await creditedFor(second)];
      expect(await shares()).toEqual([100 + base * 100, 200 + base * 500]);
      await correct(first, 2_500);
      await service.worker!.sweepNow();
      expect(await shares()).toEqual([250 + base * 250, 50 + base * 500]);
      await correct(first, 10_000);
      await service.worker!.sweepNow();
      expect(await shares()).toEqual([300 + base * 1_000, base * 500]);
      // What a refund takes back is free again.
      const { external_id } = first;
      await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 8_000 });
      await service.worker!.sweepNow();
      expect(await shares()).toEqual([200 + base * 200, 100 + base * 500]);
      expect(await discrepancies(account)).toEqual([]);
      await assertNoContradictions(service.databaseUrl);
    });
  });

  it('gives later sales what refunds have freed', async () => {
    await rule(account, friends.campaign, {
      apply,
      pay: { percent: 10 },
      cap: { amount_cents: 300, currency: 'USD', per: 'affiliate' },
    });
    const refund = ({ external_id }: Sold, amount_cents: number) =>
      must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents });
    const first = await sold(2_000);
    const second = await sold(5_000);
    const byRule = async () => (await creditedFor(second)) - base * (await netOf(second)) * 0.1;
    expect(await byRule()).toBe(100);
    await correct(second, 6_000);
    expect(await byRule()).toBe(100);
    await refund(first, 2_000);
    await service.worker!.sweepNow();
    expect(await byRule()).toBe(300);
    // It keeps that, also after a refund of its own.
    await refund(second, 1_000);
    expect(await byRule()).toBe(300);
    await correct(second, 3_000);
    expect(await byRule()).toBe(200);
    await assertNoContradictions(service.databaseUrl);
  });

  describe('for each referral, of two customers who turn out to be one', () => {
    const email = { customer_email: 'eve@buyer.example' };
    const id = { external_customer_id: 'eve' };
    const day = (n: number) => `2028-01-1${n}T12:00:00.000Z`;
    let facts: Record<'first' | 'second' | 'join', Fields>;
    beforeEach(async () => {
      const cap = { amount_cents: 6_000, currency: 'USD', per: 'referral' };
      await rule(account, friends.campaign, { apply, pay: { percent: 50 }, cap });
      const [one, other] = [await refer(account, friends), await refer(account, friends)];
      facts = {
        first: { ...email, referral_id: one.id, charged_at: day(1), amount_cents: 12_000 },
        second: { ...id, referral_id: other.id, charged_at: day(2), amount_cents: 10_000 },
        join: { ...email, ...id, charged_at: day(3), amount_cents: 0 },
      };
      service.clock.set(day(8));
    });
    const report = (name: keyof typeof facts) => sell(account, { ...facts[name], external_id: name });
    const byRule = async () => {
      const all = (await commissions()).filter((each) => isCredited(each));
      const paid = all.filter(({ kind, rule_id }) => (apply === 'on_top' ? rule_id !== null : kind !== 'bonus'));
      return paid.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    };

    it.each([
      [['first', 'second', 'join']],
      [['second', 'first', 'join']],
      [['first', 'join', 'second']],
      [['second', 'join', 'first']],
      [['join', 'first', 'second']],
      [['join', 'second', 'first']],
    ] as const)('is that of one person (%s)', async (order) => {
      for (const name of order) await report(name);
      await service.worker!.sweepNow();
      expect(await byRule()).toBe(6_000);
      expect(await discrepancies(account)).toEqual([]);
      await assertNoContradictions(service.databaseUrl);
    });

    it('leaves what is paid, and lists what is over the cap until a refund makes room', async () => {
      await report('first');
      await report('second');
      for (const each of await commissions())
        await account.api.patch(`/commissions/${each.id}`, { paid_at: service.clock.instant() });
      await report('join');
      await service.worker!.sweepNow();
      expect(await byRule()).toBe(11_000);
      const second = (await commissions()).filter(({ amount_cents }) => amount_cents === 5_000).map((each) => each.sale_id);
      expect(await discrepancies(account)).toMatchObject([{ code: 'paid_reward', sale_id: second[0] }]);
      await must(account, '/track/refunds', { external_id: 'first', refund_id: unique('refund'), amount_cents: 12_000 });
      await service.worker!.sweepNow();
      expect(await discrepancies(account)).toEqual([]);
    });
  });

  it.each(Array.from({ length: THOROUGH ? 30 : 2 }, (_, i) => SEED * 10 + i))(
    'is never exceeded, whatever is sold, corrected, refunded, paid and voided (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const per = random.chance(0.5) ? 'affiliate' : 'referral';
      const window = random.chance(0.5) ? 'month' : 'ever';
      const cap = { amount_cents: 300, currency: 'USD', per, window };
      const { id: ruleId } = await rule(account, friends.campaign, { apply, pay: { percent: 10 }, cap });
      const { id: referral_id } = await refer(account, friends);
      const sales: Sold[] = [];
      const statuses: number[] = [];
      for (let step = 0; step < 14; step += 1) {
        const sale = random.pick(sales);
        if (sale === undefined || random.chance(0.3)) sales.push(await sold(random.int(100, 3_000), referral_id));
        else {
          const { external_id } = sale;
          const refund = { external_id, refund_id: unique('refund'), amount_cents: random.int(1, 1_000) };
          const own = (await commissions()).filter(({ sale_id }) => sale_id === sale.id);
          const unpaid = own.find(({ state }) => state === 'due');
          // A bonus that is paid stays, and is listed, when the commission of its sale is voided.
          const isPaid = own.some(({ state }) => state === 'paid');
          const acts = {
            correct: () => account.api.patch(`/sales/${sale.id}`, { amount_cents: random.int(0, 6_000) }),
            refund: () => account.api.post('/track/refunds', refund),
            pay: () => account.api.patch(`/commissions/${unpaid?.id}`, { paid_at: service.clock.instant() }),
            void: () => account.api.delete(`/commissions/${unpaid?.id}`),
          };
          const { status } = await acts[random.weighted({ correct: 4, refund: 2, pay: 1, void: isPaid ? 0 : 1 })]();
          statuses.push(status);
        }
        await service.worker!.sweepNow();
        const all = await Promise.all(
          (await commissions())
            .filter(isCredited)
            .map(({ id }) => account.client.commissions.get.query({ id, expand: ['lines'] })),
        );
        const byRule = all.filter(({ state }) => state !== 'voided').flatMap(({ lines }) => lines ?? []);
        const paid = byRule.filter(({ rule_id }) => rule_id === ruleId).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        expect(paid).toBeLessThanOrEqual(300);
        service.clock.advance(1, 'minutes');
      }
      // The amount may be less than the refunds, and the refunds may exceed the charge. A sale may have no unpaid commission.
      expect(statuses.filter((status) => ![200, 201, 204, 404, 422].includes(status))).toEqual([]);
      expect(await discrepancies(account)).toEqual([]);
      await assertNoContradictions(service.databaseUrl);
    },
  );
});
