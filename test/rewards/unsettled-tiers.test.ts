/** Sales that are decided while the tiers of their affiliate are not settled (docs/rules/rewards.md#tiers). The service has no worker. */
import { settleDueDecisions } from '@affiliate/core';
import { expect, it } from 'vitest';
import { discrepancies, planRun } from '../payouts/program.ts';
import type { Fields } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { onServer } from '../support/postgres.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
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

it('a sale waits if a run claims its payout while the sale is decided again', async () => {
  Object.assign(friends, await shop(account));
  await account.api.patch(`/affiliates/${friends.affiliate.id}`, { walleta_email: 'ada@pay.example' });
  const pay = { fixed: { amount_cents: 150, currency: 'USD' } };
  await rule(account, friends.campaign, { apply: 'on_top', when: { customer: 'new' }, pay });
  const earlier = service.clock.instant();
  service.clock.advance(1, 'hours');
  const sold = { referral_id: friends.referral.id, customer_email: 'eve@buyer.example' };
  const { sale } = await sell(account, sold);
  await sell(account, { ...sold, charged_at: earlier });
  const bonuses = async () => {
    const { data } = (await account.api.get<{ data: Commission[] }>('/commissions')).body;
    return data.filter(({ kind, sale_id }) => kind === 'bonus' && sale_id === sale.id).map(({ state }) => state);
  };
  await using locks = await Locks.open(service.databaseUrl, account.id);
  const { data } = await account.client.customers.list.query({});
  const held = await locks.customer(data[0]!.id);
  await held.held;
  const settled = settleDueDecisions(service.services);
  await locks.areWaiting(1);
  const { id } = await planRun(account);
  await held.release();
  await settled;
  expect(await bonuses()).toEqual(['due']);
  await account.api.put(`/payout_runs/${id}/remediate`, { remediation_action: 'cancel' });
  await settleDueDecisions(service.services);
  expect(await bonuses()).toEqual(['voided']);
  expect(await discrepancies(account)).toEqual([]);
});

it.each([
  ['tiers', 'tier_check', 'affiliate_id', 'affiliate_id, campaign_id, account_id, due_from, unsettled_since'],
  ['sales', 'queued_sale_decision', 'sale_id', 'sale_id, account_id'],
  ['leads', 'queued_lead_decision', 'referral_id', 'referral_id, account_id'],
] as const)('%s that cannot be settled hold up no others', async (_what, table, column, columns) => {
  const { services, databaseUrl } = service;
  for (let i = 0; i < 3; i += 1) {
    const { id } = await refer(account, await program(account));
    await sell(account, { referral_id: id });
  }
  await onServer(
    databaseUrl,
    `insert into ${table} (${columns}) select ${columns} from (
       select sale.id as sale_id, referral_id, sale.affiliate_id, referral.campaign_id, sale.account_id, sale.charged_at as due_from,
         sale.charged_at as unsettled_since
       from sale join referral on referral.id = sale.referral_id where sale.account_id = '${account.id}') waiting`,
  );
  const waiting = async () => {
    const query = services.database.kysely
      .selectFrom(table)
      .select(column as never)
      .where('account_id', '=', account.id);
    return (await query.execute()).map((row) => Object.values(row)[0] as string).toSorted();
  };
  const [stuck, ...others] = await waiting();
  expect(others).toHaveLength(2);
  await onServer(
    databaseUrl,
    `create function fail_settling() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_settling before delete on ${table} for each row when (old.${column} = '${stuck}') execute function fail_settling()`,
  );
  const logged: object[] = [];
  const log = { ...services.log, error: (fields: object) => logged.push(fields) };
  await expect(settleDueDecisions({ ...services, log })).rejects.toThrow('broken');
  expect(logged[0]).toMatchObject({ account_id: account.id, key: expect.stringContaining(stuck!) });
  expect(await waiting()).toEqual([stuck]);
  await onServer(databaseUrl, 'drop function fail_settling cascade');
  await settleDueDecisions(services);
  expect(await waiting()).toEqual([]);
});
