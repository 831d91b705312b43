/** Rewards in test mode, whose clock the merchant moves forward (docs/rules/platform.md#test-clock). */
import { expect, it } from 'vitest';
import { inMode } from '../modes/accounts.ts';
import { must, refer, sell } from '../support/program.ts';
import type { Outputs, TestAccount } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { rule, shop } from './program.ts';

const service = useService();
const account = useAccount(service);

const advance = (test: TestAccount, days: number) => must(test, '/api/settings/v1/test_clock/advance', { days }, 200);

it('leads earn their rewards in test mode, and the live program has none of them', async () => {
  const test = await inMode(service, account, false);
  const friends = await shop(test);
  const pay = { fixed: { amount_cents: 300, currency: 'USD' } };
  await rule(test, friends.campaign, { event: 'lead', pay, hold_days: 10 });
  await must(test, '/leads', { referral_id: friends.referral.id, email: 'eve@buyer.example' });
  const listed = async (of: TestAccount) => (await of.client.commissions.list.query({})).data;
  expect(await listed(test)).toMatchObject([{ kind: 'lead', amount_cents: 300, state: 'pending', livemode: false }]);
  await advance(test, 11);
  expect(await listed(test)).toMatchObject([{ kind: 'lead', state: 'due' }]);
  expect(await listed(account)).toEqual([]);
});

it('tiers are settled when the test clock passes the end of a month', async () => {
  const test = await inMode(service, account, false);
  const friends = await shop(test);
  const tier = await must<Outputs['tiers']['create']>(test, '/tiers', {
    campaign_id: friends.campaign.id,
    name: 'Gold',
    metric: 'sales',
    window: 'ever',
    from: 1,
  });
  await rule(test, friends.campaign, { when: { tier: [tier.id] }, pay: { percent: 25 } });
  const earn = async () => (await sell(test, { referral_id: (await refer(test, friends)).id })).commission!.amount_cents;
  expect(await earn()).toBe(1_000);
  await advance(test, 35);
  const { body } = await test.api.get<Outputs['affiliates']['get']>(`/affiliates/${friends.affiliate.id}`, { expand: 'tiers' });
  expect(body.tiers).toMatchObject([{ name: 'Gold', until: null }]);
  expect(await earn()).toBe(2_500);
});
