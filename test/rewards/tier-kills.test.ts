/** The settlement of tiers survives the death of its process anywhere (docs/rules/rewards.md#tiers). */
import { type Services, settleDueDecisions } from '@affiliate/core';
import { expect, it, vi } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { must, refer, sell } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { type Commission, rule, shop } from './program.ts';

const service = useService();
const account = useAccount(service);

/**
 * Settles tiers in a process that dies while its second transaction commits: the first one commits, the second one does everything but that, and
 * nothing happens after it. Returns true if the process had nothing left to do when it died.
 */
async function settleUntilDeath({ database }: Services): Promise<boolean> {
  const commit = database.transaction.bind(database);
  let begun = 0;
  using transaction = vi.spyOn(database, 'transaction');
  transaction.mockImplementation(async (inner) => {
    begun += 1;
    if (begun === 1) return commit(inner);
    if (begun > 2) throw new Error('The process is dead');
    return commit(async (db) => {
      await inner(db);
      throw new Error('The process died');
    });
  });
  await settleDueDecisions(service.services).catch(() => undefined);
  return begun < 2;
}

it('tiers are announced, and sales corrected, exactly once however often the process dies', async () => {
  service.clock.set('2028-01-10T12:00:00.000Z');
  const friends = await shop(account, { days_until_commissions_are_due: 90 });
  const { campaign, affiliate } = friends;
  const gold = await must<Outputs['tiers']['create']>(account, '/tiers', {
    campaign_id: campaign.id,
    name: 'Gold',
    metric: 'sales',
    from: 2,
  });
  await rule(account, campaign, { when: { tier: [gold.id] }, pay: { percent: 25 } });
  await rule(account, campaign, { when: { tier: [gold.id] }, apply: 'on_top', pay: { percent: 5 } });
  await PortalVisitor.enter(service, account, affiliate.email);
  const earn = async (charged_at?: string) =>
    (await sell(account, { referral_id: (await refer(account, friends)).id, ...(charged_at && { charged_at }) })).commission!;
  await earn();
  service.clock.set('2028-02-10T00:00:00.000Z');
  const corrected = [await earn(), await earn(), await earn()];
  await earn('2028-01-20T00:00:00.000Z');
  let deaths = 0;
  while (!(await settleUntilDeath(service.services))) deaths += 1;
  await settleDueDecisions(service.services);
  // Of the transactions, one ends the months, one settles the affiliate and four decide about a sale: the three of February, and the late one, which
  // was decided while the tiers were not settled. Each but the first died once before it was committed.
  expect(deaths).toBe(5);
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  const live = body.data.filter(({ state }) => state !== 'voided');
  for (const { sale_id } of corrected)
    expect(live.filter((each) => each.sale_id === sale_id).map(({ kind, amount_cents }) => `${kind} ${amount_cents}`)).toEqual(
      expect.arrayContaining(['bonus 500', 'sale 2500']),
    );
  expect(live).toHaveLength(8);
  const events = await account.api.get<{ data: object[] }>('/events', { type: 'affiliate.tier_changed' });
  expect(events.body.data).toHaveLength(1);
  await sendAllMail(service.services);
  expect(service.mailbox.takeAll(affiliate.email, /reached Gold/)).toHaveLength(1);
});
