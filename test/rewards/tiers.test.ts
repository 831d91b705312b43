/** Tiers of campaigns (docs/rules/rewards.md#tiers). */
import { describe, expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import type { ErrorBody, Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { line, rule, sellLines, shop, useShop } from './program.ts';

type Tier = Outputs['tiers']['create'];

const service = useService();
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const tier = (values: Fields = {}) =>
  must<Tier>(account, '/tiers', { campaign_id: friends.campaign.id, name: 'Gold', metric: 'customers', from: 2, ...values });

/** Sells 100.00 to a new customer. Returns what the sale has earned. */
async function earn(more: Fields = {}): Promise<number> {
  const { id } = await refer(account, friends);
  const { commission } = await sell(account, { referral_id: id, ...more });
  return commission!.amount_cents;
}

describe('a tier', () => {
  it('that was reached in a month holds in the next month, and not in the one after', async () => {
    const { id } = await tier();
    await rule(account, friends.campaign, { when: { tier: [id] }, pay: { percent: 25 } });
    expect([await earn(), await earn(), await earn()]).toEqual([1_000, 1_000, 1_000]);
    service.clock.set('2028-02-01T00:00:00.000Z');
    expect([await earn(), await earn({ charged_at: '2028-01-31T23:59:59.999Z' })]).toEqual([2_500, 1_000]);
    service.clock.set('2028-03-01T00:00:00.000Z');
    expect(await earn()).toBe(1_000);
  });

  it('counts revenue in its currency after refunds, and everything before the month', async () => {
    const { id } = await tier({ metric: 'revenue', currency: 'USD', window: 'ever', from: 15_000 });
    await rule(account, friends.campaign, { when: { tier: [id] }, pay: { percent: 25 } });
    const external_id = unique('order');
    await earn({ external_id });
    await earn({ currency: 'EUR' });
    await earn();
    service.clock.set('2028-02-10T00:00:00.000Z');
    expect(await earn()).toBe(2_500);
    await must(account, '/track/refunds', { external_id, refund_id: 'half', amount_cents: 5_001 });
    expect(await earn()).toBe(1_000);
    service.clock.set('2028-12-10T00:00:00.000Z');
    expect(await earn()).toBe(2_500);
  });

  it('gives the same rate to sales at once, whatever they reach together', async () => {
    const { id } = await tier({ from: 3 });
    await rule(account, friends.campaign, { when: { tier: [id] }, pay: { percent: 25 } });
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => earn())))).toEqual(new Set([1_000]));
    service.clock.set('2028-02-10T00:00:00.000Z');
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => earn())))).toEqual(new Set([2_500]));
  });

  it('that has ended still holds for charges before its end', async () => {
    const { id } = await tier({ from: 1 });
    await rule(account, friends.campaign, { when: { tier: [id] }, pay: { percent: 25 } });
    await earn();
    service.clock.set('2028-02-10T12:00:00.000Z');
    expect((await account.api.delete(`/tiers/${id}`)).status).toBe(204);
    service.clock.advance(1, 'minutes');
    expect([await earn(), await earn({ charged_at: '2028-02-10T11:00:00.000Z' })]).toEqual([1_000, 2_500]);
    const listed = async (query: Record<string, string>) =>
      (await account.api.get<{ data: Tier[] }>('/tiers', query)).body.data.map((each) => each.id);
    expect([await listed({}), await listed({ ended: 'true' })]).toEqual([[], [id]]);
    expect((await account.api.patch(`/tiers/${id}`, { name: 'Silver' })).status).toBe(409);
  });

  it('is renamed, and refused where it makes no sense', async () => {
    const { id } = await tier();
    expect((await account.api.patch(`/tiers/${id}`, { name: 'Silver' })).body).toMatchObject({ name: 'Silver', from: 2 });
    const refused = async (path: string, values: Fields) =>
      ((await account.api.post<ErrorBody>(path, values)).body.details as { path: string }[]).map((detail) => detail.path);
    const values = { campaign_id: friends.campaign.id, name: 'Gold', metric: 'revenue', from: 2 };
    expect(await refused('/tiers', values)).toEqual(['currency']);
    expect(await refused('/tiers', { ...values, metric: 'sales', currency: 'USD' })).toEqual(['currency']);
    const other = await shop(account);
    const foreign = { campaign_id: other.campaign.id, name: 'Rule', when: { tier: [id] }, pay: { percent: 1 } };
    expect(await refused('/reward_rules', foreign)).toEqual(['when.tier.0']);
  });
});

describe('the portal', () => {
  it('says in words what the affiliate earns, and how far the tiers are', async () => {
    const [gold, platinum] = [await tier(), await tier({ name: 'Platinum', from: 20 })];
    const { campaign, affiliate } = friends;
    const other = await shop(account);
    await rule(account, campaign, { when: { tier: [gold.id, platinum.id] }, pay: { percent: 25 } });
    await rule(account, campaign, { when: { products: ['prod_addon', 'prod_pro'] }, pay: { nothing: true } });
    await rule(account, campaign, { affiliate_id: affiliate.id, when: { codes: ['ADA'] }, pay: { percent: 40 } });
    await rule(account, campaign, { affiliate_id: other.affiliate.id, when: { codes: ['EVE'] }, pay: { percent: 90 } });
    await rule(account, other.campaign, { when: { codes: ['OTHER'] }, pay: { percent: 90 } });
    await sellLines(account, friends, [line('prod_pro', 100, { name: 'Pro' }), line('mug', 100)]);
    await earn();
    service.clock.set('2028-02-10T12:00:00.000Z');
    await earn();
    const ada = await PortalVisitor.enter(service, account, affiliate.email);
    const { rewards, tiers } = await ada.query<Outputs['portal']['home']>('portal.home');
    expect(rewards.map(({ en }) => en)).toEqual([
      '40% with the code ADA.',
      'Nothing for prod_addon and Pro.',
      '25% from tier Gold and Platinum.',
    ]);
    expect(tiers).toMatchObject([
      { name: 'Gold', from: 2, is_reached: true, count: 1 },
      { name: 'Platinum', from: 20, is_reached: false, count: 1 },
    ]);
  });
});
