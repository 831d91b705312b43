/** Previews of changes, warnings, and explanations (docs/rules/rewards.md#effects). */
import { describe, expect, it } from 'vitest';
import { Assistant } from '../mcp/assistant.ts';
import type { ErrorBody, Fields } from '../support/http.ts';
import { must, program, refer, sell } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { line, rule, sellLines, useShop, withLines } from './program.ts';

type Effect = Outputs['rewardRules']['previewChange'];
type Warnings = Outputs['rewardRules']['warnings'];

const service = useService();
const { account, friends } = useShop(service, '2028-03-10T12:00:00.000Z');

async function effectOf(change: Fields): Promise<Effect> {
  return must<Effect>(account, `/campaigns/${friends.campaign.id}/rewards/preview_change`, change, 200);
}

/** Sells to a new customer. */
async function sold(lines: Fields[], more: Fields = {}) {
  return sellLines(account, { referral: await refer(account, friends) }, lines, more);
}

const rulesOf = async () =>
  (await account.api.get<{ data: { id: string; version: number }[] }>('/reward_rules', { campaign_id: friends.campaign.id })).body
    .data;

describe('the preview of a change', () => {
  it('counts the earlier sales of a referral whose customer is not known, as the sales themselves do', async () => {
    await rule(account, friends.campaign, { when: { customer: 'returning' }, pay: { percent: 1 } });
    service.clock.advance(1, 'hours');
    const { id: referral_id } = await refer(account, friends);
    const earned = [await sell(account, { referral_id }), await sell(account, { referral_id })];
    expect(earned.map(({ commission }) => commission!.amount_cents)).toEqual([1_000, 100]);
    expect((await effectOf({ base: { commission_percent: 20 } })).totals).toEqual([
      { currency: 'USD', current_cents: 1_100, changed_cents: 2_100 },
    ]);
  });

  it('says what the last 30 days would have cost, and changes nothing', async () => {
    await sold([line('pro', 10_000), line('addon', 2_000)], { charged_at: '2028-02-01T00:00:00.000Z' });
    await sold([line('pro', 10_000), line('addon', 2_000)]);
    await sold([line('addon', 3_000)]);
    const create = { name: 'Pro', when: { products: ['pro'] }, pay: { percent: 25 } };
    expect(await effectOf({ create })).toEqual({
      explanation: 'Applies to sales from now on; the last 30 days would have cost US$30.00 instead of US$15.00.',
      from: '2028-02-09T12:00:00.000Z',
      until: '2028-03-10T12:00:00.000Z',
      sales_count: 2,
      is_complete: true,
      totals: [{ currency: 'USD', current_cents: 1_500, changed_cents: 3_000 }],
      warnings: [],
    });
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const told = await assistant.call('manage_rewards', { action: 'effect', campaign_id: friends.campaign.id, create });
    expect(JSON.stringify(told)).toContain('would have cost US$30.00 instead of US$15.00');
    expect(await rulesOf()).toEqual([]);
    const { id } = await rule(account, friends.campaign, create);
    const nothing = await rule(account, friends.campaign, { when: { products: ['addon'] }, pay: { nothing: true } });
    const all = await rule(account, friends.campaign, { pay: { percent: 50 } });
    const cents = async (change: Fields) =>
      (await effectOf(change)).totals.map((each) => [each.current_cents, each.changed_cents]);
    expect(await cents({ update: { id, pay: { fixed: { amount_cents: 700, currency: 'USD', per: 'unit' } } } })).toEqual([
      [2_500, 700],
    ]);
    expect(await cents({ end: nothing.id })).toEqual([[2_500, 5_000]]);
    expect(await cents({ rule_ids: [all.id] })).toEqual([[2_500, 7_500]]);
    expect(await cents({ base: { commission_percent: 90 } })).toEqual([[2_500, 2_500]]);
    expect((await rulesOf()).map(({ version }) => version)).toEqual([1, 1, 1]);
  });

  it('counts caps, numbers of sales, bonuses and each currency', async () => {
    const once = await refer(account, friends);
    for (const currency of ['USD', 'USD', 'EUR'])
      await sell(account, { referral_id: once.id, customer_email: 'eve@buyer.example', amount_cents: 10_000, currency });
    const cap = { amount_cents: 1_500, currency: 'USD', per: 'affiliate' };
    expect((await effectOf({ create: { name: 'Capped', pay: { percent: 10 }, cap } })).totals).toEqual([
      { currency: 'EUR', current_cents: 1_000, changed_cents: 1_000 },
      { currency: 'USD', current_cents: 2_000, changed_cents: 1_500 },
    ]);
    const first = { name: 'First', when: { sale_number: { to: 1 } }, apply: 'on_top', pay: { percent: 5 } };
    expect((await effectOf({ create: first })).explanation).toBe(
      'Applies to sales from now on; the last 30 days would have cost €10.00 and US$25.00 instead of €10.00 and US$20.00.',
    );
    const later = { name: 'In December', from: '2028-12-01T00:00:00.000Z', pay: { percent: 30 } };
    expect((await effectOf({ create: later })).totals[0]).toMatchObject({ changed_cents: 3_000 });
  });

  it('refuses what the change itself would refuse', async () => {
    const { id } = await rule(account, friends.campaign, { pay: { percent: 50 } });
    const paths = async (change: Fields) => {
      const { status, body } = await account.api.post<ErrorBody>(
        `/campaigns/${friends.campaign.id}/rewards/preview_change`,
        change,
      );
      return [status, ...(body.details as { path: string }[]).map(({ path }) => path)];
    };
    expect(await paths({})).toEqual([422, 'create']);
    expect(await paths({ end: id, rule_ids: [id] })).toEqual([422, 'rule_ids.0']);
    expect(await paths({ end: 'rule_01k9v7m3q8e2t4r6w8y0a1b2c3' })).toEqual([422, 'end']);
    expect(await paths({ update: { id, when: { sale_number: { from: 5, to: 2 } } } })).toEqual([422, 'when.sale_number.to']);
    expect(await paths({ base: { reward_type: 'fixed' } })).toEqual([422, 'commission_amount_cents']);
    expect(await paths({ create: { name: 'Two', pay: { percent: 1, nothing: true } } })).toEqual([422, 'pay']);
  });

  it('warns of rules that could never match afterwards', async () => {
    const { id } = await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 50 } });
    const wide = { name: 'All', position: 0, pay: { percent: 20 } };
    expect((await effectOf({ create: { ...wide, affiliate_id: friends.affiliate.id } })).warnings).toEqual([]);
    await account.api.patch(`/reward_rules/${id}`, { position: 1 });
    expect((await effectOf({ create: wide })).warnings).toEqual([
      { rule_id: id, code: 'shadowed', by_rule_id: null, when: null },
    ]);
    const { id: first } = await rule(account, friends.campaign, wide);
    const { body } = await account.api.get<Warnings>(`/campaigns/${friends.campaign.id}/rewards/warnings`);
    expect(body.data).toEqual([{ rule_id: id, code: 'shadowed', by_rule_id: first, when: null }]);
  });
});

it('warns of a case that an earlier rule takes', async () => {
  const own = await program(account);
  const { id: first } = await rule(account, own.campaign, { when: { age_months: { from: 12 } }, pay: { percent: 10 } });
  const addOn = { when: { products: ['add-on'] }, pay: { nothing: true }, position: 1 };
  const { id } = await rule(account, own.campaign, addOn);
  const { body } = await account.api.get<Warnings>(`/campaigns/${own.campaign.id}/rewards/warnings`);
  const when = { products: ['add-on'], age_months: { from: 12 } };
  expect(body.data).toEqual([{ rule_id: id, code: 'partly_shadowed', by_rule_id: first, when }]);
});

describe('a commission', () => {
  it('explains its lines in words, also to assistants', async () => {
    await rule(account, friends.campaign, { name: 'Pro', when: { products: ['pro'] }, pay: { percent: 25 } });
    await rule(account, friends.campaign, { name: 'No add-ons', when: { products: ['addon'] }, pay: { nothing: true } });
    const { commission } = await sold([line('pro', 10_000), line('addon', 2_000), line('mug', 500)]);
    const explanations = [
      'The rule “Pro” (version 1) decides: 25% of US$100.00 is US$25.00.',
      'The rule “No add-ons” (version 1) decides: nothing.',
      'No rule matches, so the base reward decides: 10% of US$5.00 is US$0.50.',
    ];
    const { lines } = await withLines(account, commission!.id);
    expect(lines!.map(({ explanation }) => explanation)).toEqual(explanations);
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const told = await assistant.call('explain', { action: 'commission', id: commission!.id });
    expect(JSON.stringify(told)).toContain(explanations[0]);
  });
});
