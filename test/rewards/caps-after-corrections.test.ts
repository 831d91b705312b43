/** Caps of rules, and sales that change after others have used them up (docs/rules/rewards.md#amounts). */
import { beforeEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Commission, rule, useShop } from './program.ts';

const service = useService();
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

    it('is not exceeded by a sale that is corrected upward after another sale has used it up', async () => {
      const first = await sold(1_000);
      const second = await sold(5_000);
      const shares = async () => [await creditedFor(first), await creditedFor(second)];
      expect(await shares()).toEqual([100 + base * 100, 200 + base * 500]);
      await correct(first, 10_000);
      expect(await shares()).toEqual([100 + base * 1_000, 200 + base * 500]);
      // What a refund takes back is free again.
      const { external_id } = second;
      await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 4_000 });
      expect(await shares()).toEqual([100 + base * 1_000, 100 + base * 100]);
      await correct(first, 11_000);
      expect(await shares()).toEqual([200 + base * 1_100, 100 + base * 100]);
      await correct(first, 500);
      expect(await shares()).toEqual([50 + base * 50, 100 + base * 100]);
      expect(await discrepancies(account)).toEqual([]);
      await assertNoContradictions(service.databaseUrl);
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
          const unpaid = (await commissions()).find(({ sale_id, state }) => sale_id === sale.id && state === 'due');
          const acts = {
            correct: () => account.api.patch(`/sales/${sale.id}`, { amount_cents: random.int(0, 6_000) }),
            refund: () => account.api.post('/track/refunds', refund),
            pay: () => account.api.patch(`/commissions/${unpaid?.id}`, { paid_at: service.clock.instant() }),
            void: () => account.api.delete(`/commissions/${unpaid?.id}`),
          };
          const { status } = await acts[random.weighted({ correct: 4, refund: 2, pay: 1, void: 1 })]();
          statuses.push(status);
        }
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
