/** Sales that are decided while the tiers of their affiliate are not settled (docs/rules/rewards.md#tiers). The service has no worker. */
import { settleDueDecisions } from '@affiliate/core';
import { expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { type Commission, rule, shop, useShop } from './program.ts';

const service = useService();
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

async function earn(more: Fields = {}): Promise<Commission> {
  const { id } = await refer(account, friends);
  return (await sell(account, { referral_id: id, ...more })).commission as Commission;
}

it('a sale earns by the tier that its affiliate has in the end, even if the tier was lost for a moment', async () => {
  Object.assign(friends, await shop(account, { days_until_commissions_are_due: 365 }));
  const gold = await must<Outputs['tiers']['create']>(account, '/tiers', {
    campaign_id: friends.campaign.id,
    name: 'Gold',
    metric: 'sales',
    from: 2,
  });
  await rule(account, friends.campaign, { when: { tier: [gold.id] }, pay: { percent: 25 } });
  const order = unique('order');
  await earn({ external_id: order });
  await earn();
  service.clock.set('2028-02-10T00:00:00.000Z');
  await settleDueDecisions(service.services);
  await must(account, '/track/refunds', { external_id: order, refund_id: 'all', amount_cents: 10_000 });
  const { id, amount_cents } = await earn();
  expect(amount_cents).toBe(1_000);
  await earn({ charged_at: '2028-01-20T00:00:00.000Z' });
  await settleDueDecisions(service.services);
  expect((await account.api.get<Commission>(`/commissions/${id}`)).body.amount_cents).toBe(2_500);
});
