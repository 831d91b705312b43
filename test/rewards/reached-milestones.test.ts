/** A milestone is reached at the charge that reaches it, whenever the charges become known (docs/rules/rewards.md#milestones). */
import { describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import { must, refer, sell } from '../support/program.ts';
import { useService } from '../support/suite.ts';
import { type Commission, rule, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-01T00:00:00.000Z', { days_until_commissions_are_due: 30 });

const JANUARY = '2028-01-10T12:00:00.000Z';
const FEBRUARY = '2028-02-10T12:00:00.000Z';
const MARCH = '2028-03-10T12:00:00.000Z';
const NOW = '2028-03-15T12:00:00.000Z';

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

async function milestones(): Promise<Commission[]> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  return body.data.filter(({ kind, state }) => kind === 'milestone' && state !== 'voided');
}

const milestone = (values: object) =>
  rule(account, friends.campaign, {
    event: 'milestone',
    milestone: { metric: 'sales', ...values },
    pay: { fixed: { amount_cents: 5_000, currency: 'USD' } },
  });

/** Reports a sale to a new customer. Returns its `external_id`. */
async function sellAt(charged_at: string, external_id = charged_at): Promise<void> {
  await sell(account, { referral_id: (await refer(account, friends)).id, external_id, charged_at });
}

const consistent = async () => {
  expect(await discrepancies(account)).toEqual([]);
  await assertNoContradictions(service.databaseUrl);
};

describe('a milestone at the second sale', () => {
  it.each(ordersOf([JANUARY, FEBRUARY, MARCH]).map((order) => [order]))('falls due by the second charge (%s)', async (order) => {
    await milestone({ at: 2 });
    service.clock.set(NOW);
    for (const at of order) await sellAt(at);
    expect(await milestones()).toMatchObject([{ amount_cents: 5_000, state: 'due', due_at: '2028-03-11T12:00:00.000Z' }]);
    await consistent();
  });

  it.each([
    [[JANUARY, FEBRUARY, MARCH, 'refund']],
    [[MARCH, JANUARY, 'refund', FEBRUARY]],
    [[JANUARY, 'refund', MARCH, FEBRUARY]],
  ])('falls due by the third charge if the first is refunded (%s)', async (order) => {
    await milestone({ at: 2 });
    service.clock.set(NOW);
    for (const fact of order) {
      if (fact === 'refund')
        await must(account, '/track/refunds', { external_id: JANUARY, refund_id: 'refund', amount_cents: 10_000 });
      else await sellAt(fact);
    }
    expect(await milestones()).toMatchObject([{ amount_cents: 5_000, state: 'pending', due_at: '2028-04-09T12:00:00.000Z' }]);
    await consistent();
  });

  it('keeps the due date that a person has set, and the charge that reaches it once it is paid', async () => {
    await milestone({ at: 2 });
    service.clock.set(NOW);
    await sellAt(JANUARY);
    await sellAt(MARCH);
    const [{ id } = { id: '' }] = await milestones();
    const due_at = '2028-06-01T00:00:00.000Z';
    await account.api.patch(`/commissions/${id}`, { due_at });
    await sellAt(FEBRUARY);
    expect(await milestones()).toMatchObject([{ id, due_at }]);
    await account.api.patch(`/commissions/${id}`, { paid_at: NOW });
    await sellAt('2028-01-02T12:00:00.000Z');
    expect(await milestones()).toMatchObject([{ id, state: 'paid', due_at }]);
    await consistent();
  });
});

it.each(ordersOf([JANUARY, FEBRUARY, MARCH]).map((order) => [order]))(
  'a milestone at every sale pays once for each charge, as of this charge (%s)',
  async (order) => {
    await milestone({ every: 1, metric: 'customers' });
    service.clock.set(NOW);
    for (const at of order) await sellAt(at);
    expect((await milestones()).map(({ due_at }) => due_at).toSorted()).toEqual([
      '2028-02-09T12:00:00.000Z',
      '2028-03-11T12:00:00.000Z',
      '2028-04-09T12:00:00.000Z',
    ]);
    await consistent();
  },
);
