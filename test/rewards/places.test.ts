/** The sales that take a place under the limits of a campaign (docs/rules/attribution.md#limits). */
import { expect, it } from 'vitest';
import { discrepancies } from '../payouts/program.ts';
import { sell } from '../support/program.ts';
import { useService } from '../support/suite.ts';
import { type Commission, line, rule, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z', { max_commissions: 1 });

it.each([[['first', 'second', 'third']], [['second', 'first', 'third']], [['third', 'second', 'first']]])(
  'a sale that earns nothing but a bonus takes no place, and the next one earns (%s)',
  async (order) => {
    const fifty = { fixed: { amount_cents: 50, currency: 'USD' } };
    await rule(account, friends.campaign, { when: { products: ['free'] }, pay: { nothing: true } });
    await rule(account, friends.campaign, { apply: 'on_top', pay: fifty });
    const at = { first: '2028-01-11', second: '2028-01-12', third: '2028-01-13' };
    service.clock.set('2028-01-20T12:00:00.000Z');
    for (const name of order as (keyof typeof at)[])
      await sell(account, {
        referral_id: friends.referral.id,
        customer_email: 'eve@buyer.example',
        external_id: name,
        charged_at: `${at[name]}T12:00:00.000Z`,
        amount_cents: 10_000,
        lines: [line(name === 'first' ? 'free' : 'pro', 10_000)],
      });
    await service.worker!.sweepNow();
    const { data: sales } = await account.client.sales.list.query({});
    const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
    const earned = (name: string) =>
      body.data
        .filter(({ sale_id, state }) => state !== 'voided' && sale_id === sales.find((each) => each.external_id === name)!.id)
        .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    expect(['first', 'second', 'third'].map(earned)).toEqual([50, 1_050, 0]);
    expect(await discrepancies(account)).toEqual([]);
  },
);
