import { testAccountOf } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Api } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount, credentials } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { inMode } from './accounts.ts';

type Rule = Outputs['rewardRules']['create'];
type Tier = Outputs['tiers']['create'];
type Copied = Outputs['testMode']['copyCampaigns'];

const COPY = '/api/settings/v1/test_data/copy_campaigns';

const service = useService();
let account: TestAccount;
/** The account in test mode, by a key without a mode. */
let test: TestAccount;

beforeEach(async () => {
  account = await service.createAccount();
  const id = testAccountOf(account.id);
  test = { ...account, id, api: new Api(service.url, credentials(id, account.apiKey)), client: account.client };
});

const copy = (of = test, body: { dry_run?: boolean } = {}) => must<Copied>(of, COPY, body, 200);
const list = async <Record>(of: TestAccount, path: string) => (await of.api.get<{ data: Record[] }>(path)).body.data;

/** Creates a campaign with 30 % for a year, then 10 %, an excluded add-on, a bonus, a tier that pays more, and a rule for one affiliate. */
async function usualProgram(of: TestAccount) {
  const started = await program(of, {
    name: 'Friends',
    external_id: 'friends',
    metadata: { team: 'growth' },
    commission_percent: 10,
    max_commissions: 24,
    max_commission_period_months: 36,
    days_until_commissions_are_due: 14,
    params: ['ref'],
    welcome_text: 'Hello!',
    default: true,
  });
  const rule = (body: object) =>
    must<Rule>(of, '/reward_rules', { campaign_id: started.campaign.id, event: 'sale', name: 'Rule', ...body });
  const gold = await must<Tier>(of, '/tiers', {
    campaign_id: started.campaign.id,
    name: 'Gold',
    metric: 'customers',
    window: 'ever',
    from: 1,
  });
  await rule({ name: 'Gold', when: { tier: [gold.id] }, pay: { percent: 50 } });
  await rule({ name: 'First year', when: { age_months: { to: 12 } }, pay: { percent: 30 } });
  await rule({ name: 'Add-on', when: { products: ['prod_addon'] }, pay: { nothing: true } });
  const bonus = { amount_cents: 5_000, currency: 'USD', per: 'sale' };
  await rule({ name: 'Bonus', event: 'milestone', milestone: { metric: 'customers', at: 1 }, pay: { fixed: bonus } });
  await rule({ name: 'Ada', affiliate_id: started.affiliate.id, pay: { percent: 60 } });
  const ended = await rule({ name: 'Ended', pay: { percent: 1 } });
  await of.api.delete(`/reward_rules/${ended.id}`);
  return { ...started, gold };
}

describe('a copy of live campaigns', () => {
  it('has their terms, tiers and rules, and nothing of single affiliates', async () => {
    const { campaign, gold } = await usualProgram(account);
    const archived = await program(account, { name: 'Archived' });
    await account.api.delete(`/campaigns/${archived.campaign.id}`);
    const { data } = await copy();
    expect(data).toEqual([
      {
        live_campaign_id: campaign.id,
        campaign_id: expect.not.stringMatching(campaign.id) as string,
        name: 'Friends',
        copied: true,
        rules_count: 4,
        tiers_count: 1,
        left_out_rules_count: 1,
        provider_ids: ['prod_addon'],
      },
    ]);
    const campaign_id = data[0]!.campaign_id!;
    const own = { id: campaign_id, livemode: false, created_at: expect.any(String), updated_at: expect.any(String) };
    expect(await list(test, '/campaigns')).toEqual([{ ...campaign, ...own }]);
    const [tier] = await list<Tier>(test, '/tiers');
    expect(tier).toMatchObject({ campaign_id, name: 'Gold', metric: 'customers', from: 1, livemode: false });
    const shown = async (of: TestAccount) =>
      (await list<Rule>(of, '/reward_rules'))
        .filter(({ affiliate_id }) => affiliate_id === null)
        .map(({ name, event, position, when, pay, milestone }) => ({ name, event, position, when, pay, milestone }));
    expect(JSON.stringify(await shown(test))).toBe(JSON.stringify(await shown(account)).replaceAll(gold.id, tier!.id));
    expect(await list(test, '/affiliates')).toEqual([]);
    expect(await list(test, '/links')).toEqual([]);
  });

  it('decides about test sales, tiers and bonuses as the original does about live ones', async () => {
    await usualProgram(account);
    await copy();
    const [campaign] = await list<{ id: string }>(test, '/campaigns');
    const affiliate = await must<{ id: string }>(test, '/affiliates', { email: 'eve@partner.example' });
    const link = await must<{ id: string }>(test, '/links', {
      affiliate_id: affiliate.id,
      campaign_id: campaign!.id,
      url: 'https://shop.example.com/',
    });
    const referral = await refer(test, { link } as never);
    const sale = {
      referral_id: referral.id,
      customer_email: 'c@example.com',
      lines: [
        { product: 'prod_pro', amount_cents: 6_000 },
        { product: 'prod_addon', amount_cents: 4_000 },
      ],
    };
    expect((await sell(test, sale)).commission).toMatchObject({ amount_cents: 1_800 });
    const commissions = await list<{ kind: string; amount_cents: number }>(test, '/commissions');
    expect(commissions.map(({ kind, amount_cents }) => [kind, amount_cents])).toContainEqual(['milestone', 5_000]);
    await must(test, '/api/settings/v1/test_clock/advance', { days: 40 }, 200);
    expect((await sell(test, sale)).commission).toMatchObject({ amount_cents: 3_000 });
  });

  it('is made once, also by calls at the same time, and changes nothing that test mode has', async () => {
    const { campaign } = await usualProgram(account);
    const results = await Promise.all([copy(), copy(), copy()]);
    expect(results.filter(({ data }) => data[0]!.copied)).toHaveLength(1);
    expect(new Set(results.map(({ data }) => data[0]!.campaign_id)).size).toBe(1);
    const [rules, tiers] = [await list(test, '/reward_rules'), await list(test, '/tiers')];
    expect([rules.length, tiers.length]).toEqual([4, 1]);

    // Later changes of either do not reach the other.
    await account.api.patch(`/campaigns/${campaign.id}`, { name: 'Renamed', commission_percent: 99 });
    const [made] = await list<{ id: string }>(test, '/campaigns');
    await test.api.patch(`/campaigns/${made!.id}`, { welcome_text: 'Try it!' });
    expect((await copy()).data).toMatchObject([{ copied: false, campaign_id: made!.id, rules_count: 0 }]);
    expect(await list(test, '/campaigns')).toMatchObject([{ name: 'Friends', commission_percent: 10, welcome_text: 'Try it!' }]);
    expect(await list(account, '/campaigns')).toMatchObject([{ name: 'Renamed', welcome_text: 'Hello!' }]);
  });

  it('leaves the default campaign of test mode, and campaigns with the same external id', async () => {
    await program(test, { name: 'Own', default: true });
    await program(test, { name: 'Other', external_id: 'friends' });
    await program(account, { name: 'Friends', external_id: 'friends' });
    await program(account, { name: 'Main', default: true });
    expect((await copy()).data).toMatchObject([
      { name: 'Friends', copied: false },
      { name: 'Main', copied: true },
    ]);
    const campaigns = await list<{ name: string; default: boolean }>(test, '/campaigns');
    expect(campaigns.map((each) => [each.name, each.default])).toEqual([
      ['Main', false],
      ['Other', false],
      ['Own', true],
    ]);
  });

  it('is previewed without a trace', async () => {
    await usualProgram(account);
    expect((await copy(test, { dry_run: true })).data).toMatchObject([{ campaign_id: null, copied: true, rules_count: 4 }]);
    expect(await list(test, '/campaigns')).toEqual([]);
  });

  it('is refused in live mode, and to credentials of test mode, which do not see live records', async () => {
    await usualProgram(account);
    expect((await account.api.post(COPY, {})).body).toMatchObject({ code: 'CONFLICT' });
    const ofTest = await inMode(service, account, false);
    expect((await ofTest.api.post(COPY, {})).body).toMatchObject({ code: 'FORBIDDEN' });
    expect(await list(test, '/campaigns')).toEqual([]);
  });
});

describe('a person who turns to test mode', () => {
  const turn = async (role: 'owner' | 'member') => {
    const { browser } = role === 'owner' ? await ownerOf(service, account) : await newMember(service, account, role);
    const { status } = await browser.mutate('session.switchAccount', { account_id: test.id });
    expect(status).toBe(200);
  };

  it('finds a copy of the campaigns while test mode has none, and the audit log names it', async () => {
    await usualProgram(account);
    await turn('member');
    // A member may not write campaigns.
    expect(await list(test, '/campaigns')).toEqual([]);
    await Promise.all([turn('owner'), turn('owner')]);
    expect(await list(test, '/campaigns')).toMatchObject([{ name: 'Friends', default: true }]);
    await program(account, { name: 'Later' });
    await turn('owner');
    expect(await list(test, '/campaigns')).toHaveLength(1);
    const acts = await list<{ tool: string; action: string }>(test, '/api/settings/v1/audit_log');
    expect(acts.filter(({ action }) => action === 'copy_campaigns')).toMatchObject([{ tool: 'test_mode', outcome: 'succeeded' }]);

    await must(test, '/api/settings/v1/test_data/delete', {}, 200);
    await turn('owner');
    expect(await list(test, '/campaigns')).toHaveLength(2);
  });
});
