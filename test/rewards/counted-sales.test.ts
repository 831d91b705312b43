/** The sales that count for milestones and tiers: those from which the affiliate still earns something (docs/rules/rewards.md#milestones). */
import { beforeEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import { useService } from '../support/suite.ts';
import { type Commission, line, rule, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const usd = (amount_cents: number) => ({ fixed: { amount_cents, currency: 'USD' } });
const settle = () => service.worker!.sweepNow();
const milestone = (values: object, more: object = {}) =>
  rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'sales', ...values }, pay: usd(5_000), ...more });

async function commissions(kind: string): Promise<Commission[]> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  return body.data.filter((each) => each.kind === kind);
}
const earned = async (kind: string) =>
  (await commissions(kind)).filter(({ state }) => state !== 'voided').map(({ amount_cents }) => amount_cents);

describe('a sale all of whose paying lines are refunded', () => {
  const customer_email = 'eve@buyer.example';
  const order = 'order-of-two-lines';
  let tier: { id: string };
  beforeEach(async () => {
    const { campaign } = friends;
    await rule(account, campaign, { when: { products: ['free'] }, pay: { nothing: true } });
    await milestone({ at: 2 });
    tier = await must(account, '/tiers', { campaign_id: campaign.id, name: 'Gold', metric: 'sales', window: 'month', from: 2 });
    await rule(account, campaign, { when: { tier: [tier.id] }, pay: { percent: 25 } });
  });

  const at = (hour: number) => `2028-01-11T0${hour}:00:00.000Z`;
  const facts = {
    claim: () => sell(account, { referral_id: friends.referral.id, customer_email, charged_at: at(1) }),
    sale: () =>
      sell(account, {
        customer_email,
        external_id: order,
        charged_at: at(2),
        amount_cents: 10_000,
        lines: [line('pro', 5_000), line('free', 5_000)],
      }),
    refund: () =>
      must(account, '/track/refunds', {
        external_id: order,
        refund_id: 'refund',
        amount_cents: 5_000,
        lines: [line('pro', 5_000)],
      }),
  };

  it.each([[['claim', 'sale', 'refund']], [['sale', 'claim', 'refund']], [['sale', 'refund', 'claim']]])(
    'counts for no milestone and no tier (%s)',
    async (arrival) => {
      service.clock.set('2028-01-12T12:00:00.000Z');
      for (const fact of arrival) await facts[fact as keyof typeof facts]();
      await settle();
      expect(await earned('milestone')).toEqual([]);
      service.clock.set('2028-02-10T12:00:00.000Z');
      await settle();
      const { commission } = await sell(account, { referral_id: (await refer(account, friends)).id });
      expect(commission!.amount_cents).toBe(1_000);
      expect(await discrepancies(account)).toEqual([]);
      await assertNoContradictions(service.databaseUrl);
    },
  );
});

describe('a sale that earns nothing but a bonus', () => {
  it('counts until the bonus is refunded', async () => {
    await rule(account, friends.campaign, { when: { products: ['pro', 'free'] }, pay: { nothing: true } });
    await rule(account, friends.campaign, { apply: 'on_top', when: { products: ['pro'] }, pay: usd(50) });
    await milestone({ at: 1 });
    const { sale } = await sell(account, {
      referral_id: friends.referral.id,
      amount_cents: 10_000,
      lines: [line('pro', 5_000), line('free', 5_000)],
    });
    expect(await earned('milestone')).toEqual([5_000]);
    const refund = { refund_id: unique('refund'), amount_cents: 5_000, lines: [line('pro', 5_000)] };
    await must(account, '/track/refunds', { external_id: sale.external_id, ...refund });
    await settle();
    expect(await earned('milestone')).toEqual([]);
    await assertNoContradictions(service.databaseUrl);
  });
});

describe('a sale whose refund failed', () => {
  it('counts again, and no longer once a person has voided the adjustment that gave the amount back', async () => {
    await milestone({ at: 1 });
    const { sale } = await sell(account, { referral_id: friends.referral.id, amount_cents: 10_000 });
    await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: unique('refund'), amount_cents: 10_000 });
    await settle();
    expect(await earned('milestone')).toEqual([]);
    await account.api.patch(`/sales/${sale.id}`, { amount_cents: 30_000 });
    await settle();
    expect(await earned('milestone')).toEqual([5_000]);
    const [restored] = (await commissions('adjustment')).filter(({ amount_cents }) => amount_cents > 0);
    await account.api.delete(`/commissions/${restored!.id}`);
    await settle();
    expect(await earned('milestone')).toEqual([]);
    await assertNoContradictions(service.databaseUrl);
  });
});
