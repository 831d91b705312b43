/** Corrections of sales whose lines reward rules decided (docs/rules/intake.md#corrected-sales). */
import { describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import { must, sell, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Commission, line, rule, sellLines, useShop } from './program.ts';

const service = useService();
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const LINES = [line('pro', 6_900), line('mug', 4_000), line('pen', 1_000)];

/** Sells the lines, at 30 % for one of them. Returns the ids of the sale. */
async function sold(): Promise<{ external_id: string; id: string }> {
  const { external_id, commission } = await sellLines(account, friends, LINES);
  return { external_id, id: commission!.sale_id! };
}

const correct = async (id: string, amounts: object) =>
  expect((await account.api.patch(`/sales/${id}`, amounts)).status).toBe(200);

/** Everything that a sale has earned. */
async function creditedFor(saleId: string): Promise<number> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { sale_id: saleId, limit: 100 });
  return body.data
    .filter(({ state, paid_at }) => state !== 'voided' || paid_at !== null)
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

describe('a sale with lines', () => {
  it.each([0, 1, 9_999])(
    'that is recorded with %d cents earns as if it had been recorded with its last amount',
    async (recorded) => {
      await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 30 } });
      const { sale } = await sell(account, { referral_id: friends.referral.id, amount_cents: recorded, lines: LINES });
      await correct(sale.id, { amount_cents: 11_900 });
      expect(await creditedFor(sale.id)).toBe(2_070 + 500);
      await assertNoContradictions(service.databaseUrl);
    },
  );

  it.each([0, 1, 17])('that was %d cents in between earns what it earned before', async (between) => {
    await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 30 } });
    const { id } = await sold();
    expect(await creditedFor(id)).toBe(2_070 + 500);
    await correct(id, { amount_cents: between });
    await correct(id, { amount_cents: 11_900 });
    expect(await creditedFor(id)).toBe(2_070 + 500);
    await assertNoContradictions(service.databaseUrl);
  });

  it.each(Array.from({ length: THOROUGH ? 40 : 3 }, (_, i) => SEED * 10 + i))(
    'earns by its last amounts, whatever it was in between (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 30 } });
      await rule(account, friends.campaign, {
        when: { products: ['mug'] },
        pay: { fixed: { amount_cents: 35, currency: 'USD' } },
      });
      const unit = { fixed: { amount_cents: 20, currency: 'USD', per: 'unit' } };
      await rule(account, friends.campaign, { apply: 'on_top', when: { products: ['pen', 'mug'] }, pay: unit });
      await rule(account, friends.campaign, {
        apply: 'on_top',
        pay: { percent: 2 },
        cap: { amount_cents: 300, currency: 'USD', per: 'sale' },
      });
      const isRefunded = random.chance(0.5);
      const [one, other] = [await sold(), await sold()];
      const refund = { amount_cents: 2_000, lines: [{ product: 'pro', amount_cents: 1_500 }] };
      const amounts = () => {
        const amount_cents = isRefunded || random.chance(0.8) ? random.int(2_000, 30_000) : 0;
        return { amount_cents, tax_amount_cents: random.int(0, amount_cents) };
      };
      const last = amounts();
      for (const { external_id } of isRefunded ? [one, other] : [])
        await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), ...refund });
      await correct(other.id, last);
      for (let step = 0; step < 5; step += 1) {
        await correct(one.id, amounts());
        if (random.chance(0.3)) {
          const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { sale_id: one.id, state: 'due' });
          for (const { id } of body.data) await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() });
        }
      }
      await correct(one.id, last);
      expect(await creditedFor(one.id)).toBe(await creditedFor(other.id));
      expect(await discrepancies(account)).toEqual([]);
      await assertNoContradictions(service.databaseUrl);
    },
  );

  // The refunds of the first seed differed by a cent.
  it.each([8_950_008_520, ...Array.from({ length: THOROUGH ? 40 : 3 }, (_, i) => SEED * 10 + i)])(
    'earns by all refunds of its lines, in every order (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const net = () => random.int(1_000, 9_999);
      const lines = [line('pro', net(), { price: 'monthly' }), line('pro', net(), { price: 'yearly' }), line('mug', net())];
      await rule(account, friends.campaign, { when: { prices: ['yearly'] }, pay: { percent: 90 } });
      await rule(account, friends.campaign, { when: { prices: ['monthly'] }, pay: { percent: 10 } });
      const refunds = Array.from({ length: 5 }, () => random.int(1, 300)).map((amount_cents) => ({
        amount_cents,
        ...(random.chance(0.7) && { lines: [{ product: random.chance(0.7) ? 'pro' : 'mug', amount_cents }] }),
      }));
      const credited = new Set<number>();
      for (const order of [refunds, random.shuffled(refunds), refunds.toReversed()]) {
        const { external_id, commission } = await sellLines(account, friends, lines);
        for (const refund of order)
          await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), ...refund });
        credited.add(await creditedFor(commission!.sale_id!));
      }
      expect(credited.size).toBe(1);
      expect(await discrepancies(account)).toEqual([]);
    },
  );
});
