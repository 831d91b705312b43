import { beforeEach, describe, expect, it } from 'vitest';
import { databaseRows } from '../support/dump.ts';
import type { ErrorBody } from '../support/http.ts';
import { must, sell } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { FirstPromoterServer } from './first-promoter-server/first-promoter-server.ts';
import { madeIn, makeAgain, Mover, outcomesOf } from './moving.ts';
import { forbidden, tooMany } from './rewardful-server/rewardful-server.ts';
import type { Element } from './tool-server.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);
let mover: Mover;
let double: FirstPromoterServer;

beforeEach(async () => {
  double = await new FirstPromoterServer().start();
  mover = new Mover(service, account);
  service.services.imports = { apiBases: { first_promoter: double.url }, pauseMs: 0 };
  return () => double.stop();
});

const input = () => ({ source: 'first_promoter', credentials: double.credentials });
const begin = () => mover.read(input());
const made = () => madeIn(service, account);

/** Fills the double: two campaigns, and promoters of whom every second has a referral. */
function fill(promoters: number): Element[] {
  const campaigns = [double.addCampaign(), double.addCampaign({ ref_token_param: 'ref', is_private: true })];
  const states = ['accepted', 'accepted', 'pending', 'rejected', 'blocked'];
  for (let i = 0; i < promoters; i += 1) {
    const campaign = campaigns[i % 2]!;
    const promoter = double.addPromoter([{ of: campaign, state: states[i % 5]! }]);
    if (i % 2 === 0) double.addReferral(promoter, campaign);
  }
  return campaigns;
}

describe('a program at FirstPromoter', () => {
  it('moves with all pages of promoters, their links and referrals, without the key staying', async () => {
    fill(130);
    const read = await begin();
    expect(read).toMatchObject({ state: 'ready', failure: null });
    expect(outcomesOf(read)).toEqual(['campaign new 0/2', 'affiliate new 0/130', 'link new 0/130', 'customer new 0/65']);
    expect(await made()).toEqual([]);
    expect(outcomesOf(await mover.run(read.id))).toEqual([
      'campaign new 2/2',
      'affiliate new 130/130',
      'link new 130/130',
      'customer new 65/65',
    ]);
    expect(await mover.list('/campaigns?sort=created_at')).toMatchObject([
      { name: 'Friends 1', commission_percent: 25, days_before_referrals_expire: 45, params: ['fpr'], private: false },
      { name: 'Friends 2', commission_percent: 25, params: ['ref'], private: true },
    ]);
    const [promoter] = double.promoters;
    expect(await mover.list('/affiliates?email=promoter.1@example.com')).toMatchObject([
      { external_id: String(promoter!['id']), state: 'active', created_at: '2023-02-03T04:05:06.000Z', last_name: 'No. 1' },
    ]);
    expect(await mover.list('/affiliates?state=disabled&limit=100')).toHaveLength(26);
    expect(await databaseRows(service)).not.toContain(double.key);
  });

  it('leaves links that go on working, without the former parameter in their address', async () => {
    const campaign = double.addCampaign();
    const promoter = double.addPromoter([{ of: campaign, token: 'Old-Post' }]);
    double.addReferral(promoter, campaign, { uid: 'cus_old' });
    const { id } = await begin();
    await mover.run(id);
    expect(await mover.list('/links')).toMatchObject([{ token: 'Old-Post', url: 'https://shop.example.com/' }]);
    expect((await fetch(`${service.url}/t/old-post?account_id=${account.id}`, { redirect: 'manual' })).status).toBe(302);
    await sell(account, { psp_customer_id: 'cus_old', amount_cents: 4_000 });
    expect(await mover.list('/commissions')).toMatchObject([{ amount_cents: 1_000 }]);
  });

  it('is the same after being stopped at any point, and read twice, and can be undone', async () => {
    fill(12);
    expect(await makeAgain(mover, input(), made)).not.toEqual([]);
  });

  it('keeps the campaign of each link and referral of a promoter who is in several', async () => {
    const [one, two, three] = [double.addCampaign(), double.addCampaign(), double.addCampaign()];
    const promoter = double.addPromoter([
      { of: one, state: 'blocked' },
      { of: two, token: 'second' },
      { of: three, token: 'third' },
    ]);
    double.addReferral(promoter, three);
    const { id } = await begin();
    await mover.run(id);
    const lines = (await made()).map((line) => line.replaceAll(/ \d{4}\S* .*| \d{4}$/g, ''));
    expect(lines.filter((line) => /^(affiliate|link|referral)/.test(line))).toEqual([
      'affiliate promoter.1@example.com active Promoter No. 1 Friends 2',
      'link second https://shop.example.com/ promoter.1@example.com Friends 2',
      'link third https://shop.example.com/ promoter.1@example.com Friends 3',
      'referral conversion Friends 3',
    ]);
  });
});

describe('records of FirstPromoter that have no equal here', () => {
  it('campaigns whose terms are not a percentage of all sales are those of the account, by name', async () => {
    const flat = double.addCampaign({ name: 'Flat' }, { unit: 'cash', amount: 2_000, flat_amount: true, rules: [] });
    double.addCampaign({ name: 'Credits' }, { unit: 'credits', amount: 5, flat_amount: false, rules: [] });
    double.addCampaign(
      { name: 'Year' },
      {
        unit: 'cash',
        amount: 20,
        flat_amount: false,
        rules: [{ type: 'customer_sales_count', condition: 'less than', value: 12 }],
      },
    );
    double.addPromoter([{ of: flat, token: 'flat' }]);
    const read = await begin();
    expect(outcomesOf(read)).toEqual(['campaign problem 0/3', 'affiliate problem 0/1', 'link problem 0/1']);
    expect(new Set((await mover.rows(read.id)).map(({ reason }) => reason))).toEqual(
      new Set(['campaign_missing', 'affiliate_missing']),
    );
    await must(account, '/campaigns', {
      name: 'FLAT',
      url: 'https://shop.example.com/',
      reward_type: 'fixed',
      commission_amount_cents: 2_000,
      commission_amount_currency: 'EUR',
    });
    expect(outcomesOf(await mover.run(read.id))).toEqual([
      'campaign existing 1/1',
      'campaign problem 2/2',
      'affiliate new 1/1',
      'link new 1/1',
    ]);
  });

  it('referrals that were moved or denied, or have expired, claim nobody, and marked addresses are read', async () => {
    const campaign = double.addCampaign();
    const [former, later] = [double.addPromoter([{ of: campaign }]), double.addPromoter([{ of: campaign }])];
    double.addReferral(former, campaign, { email: 'ben@shop.example (moved)', uid: null, state: 'moved' });
    double.addReferral(later, campaign, { email: 'ben@shop.example', uid: null });
    double.addReferral(later, campaign, { state: 'denied' });
    double.addReferral(later, campaign, { state: 'signup', customer_since: null, is_expired: true });
    double.addReferral(later, campaign, { email: 'eve@shop.example (moved)', uid: null, state: 'signup', customer_since: null });
    double.addReferral(later, campaign, { promoter_campaign: null });
    const { id } = await begin();
    await mover.run(id);
    const rows = (await mover.rows(id)).filter(({ kind }) => kind === 'customer');
    expect(rows.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'no_customer',
      'new',
      'no_customer',
      'no_customer',
      'new',
      'affiliate_missing',
    ]);
    expect((await made()).filter((line) => line.startsWith('referral')).map((line) => line.split(' ')[1])).toEqual([
      'conversion',
      'lead',
    ]);
    expect((await made()).filter((line) => line.startsWith('claim')).map((line) => line.split(' ')[1])).toEqual([
      'ben@shop.example',
      'eve@shop.example',
    ]);
  });

  it('hold up nothing if they have another form', async () => {
    const campaign = double.addCampaign();
    double.addPromoter([{ of: campaign }], { email: 7 });
    double.addPromoter([{ of: campaign, token: 'spaces in it' }]);
    double.addPromoter([{ of: campaign, token: null }]);
    double.addPromoter([], { archived_at: '2024-01-01T00:00:00.000Z' });
    const read = await begin();
    const problems = await mover.rows(read.id, '&outcome=problem');
    expect(problems.map(({ kind, detail }) => `${kind} ${detail?.split(':')[0]}`)).toEqual([
      'affiliate external_id',
      'link token',
    ]);
    expect(outcomesOf(await mover.run(read.id))).toContain('affiliate new 2/2');
  });
});

describe('commissions of FirstPromoter', () => {
  it('come in the currency that is given with the import, with the amounts of their payments as they were', async () => {
    fill(1);
    const [referral] = double.referrals;
    double.addCommission(referral!);
    double.addCommission(referral!, { original_sale_amount: 7_300, original_sale_currency: 'eur', is_paid: true });
    double.addCommission(referral!, { status: 'denied', event_id: null });
    double.addCommission(referral!, { fraud_check: 'same_ip_suspicion' });
    double.addCommission(referral!, { unit: 'points', amount: 300 });
    double.addCommission({ promoter_campaign: referral!['promoter_campaign'] }, { commission_type: 'custom', sale_amount: null });
    double.addCommission(referral!, { status: 'pending', created_at: '2023-01-01T00:00:00.000Z' });
    const unknown = await begin();
    expect(outcomesOf(unknown).filter((line) => line.startsWith('commission'))).toEqual([
      'commission problem 0/6',
      'commission skipped 0/1',
    ]);
    const read = await mover.read({ ...input(), currency: 'USD' });
    await mover.run(read.id);
    const commissions = await mover.list<Element>('/commissions?sort=created_at&expand=sale');
    const told = commissions.map(({ kind, state, amount_cents, currency, review_status, sale, campaign_id }) => {
      const { psp_charge_id, charge_amount_cents, currency: unit } = (sale ?? {}) as Element;
      expect(campaign_id).toBeTruthy();
      return [kind, state, amount_cents, currency, review_status, psp_charge_id, charge_amount_cents, unit].join(' ');
    });
    expect(told.toSorted()).toEqual(
      [
        'imported due 2000 USD  ch_fp1 8000 USD',
        'imported paid 2000 USD  ch_fp2 7300 EUR',
        'imported voided 2000 USD   8000 USD',
        'imported due 2000 USD suspicious ch_fp4 8000 USD',
        'imported due 2000 USD    ',
        // It waits for an approval, and not for a date.
        'imported pending 2000 USD suspicious ch_fp7 8000 USD',
      ].toSorted(),
    );
    await mover.act(read.id, 'undo');
    await mover.advance();
    expect(await made()).toEqual([]);
  });
});

describe('payouts and codes of FirstPromoter', () => {
  it('that were paid come with the commissions that they pay', async () => {
    fill(3);
    const [referral, other] = double.referrals;
    double.addPayout([double.addCommission(referral!), double.addCommission(referral!, { amount: 500 })]);
    double.addPayout([double.addCommission(other!)], { status: 'pending', paid_at: null });
    double.addPayout([double.addCommission(other!)], { status: 'processing', paid_at: null });
    double.addPayout([double.addCommission(other!, { unit: 'points', amount: 7 })], { unit: 'points' });
    double.addPayout([double.addCommission(other!)], { amount: 19.99 });
    double.addPayout([double.addCommission(other!)], { amount: 1_999 });
    const { id } = await mover.read({ ...input(), currency: 'USD' });
    await mover.run(id);
    const payouts = (await mover.rows(id, '&kind=payout')).map(({ outcome, reason }) => [outcome, reason].join(' ').trim());
    expect(payouts.toSorted()).toEqual([
      'new',
      'problem being_paid',
      'problem commissions_differ',
      'problem invalid',
      'skipped not_paid',
    ]);
    expect(await mover.list('/payouts?state=paid')).toMatchObject([
      { amount_cents: 2_500, commissions_count: 2, currency: 'USD', paid_at: '2023-07-01T00:00:00.000Z' },
    ]);
  });

  it('belong to the promoter and the campaign of their membership, and earn', async () => {
    const [one, two] = [double.addCampaign(), double.addCampaign()];
    const promoter = double.addPromoter([
      { of: one, state: 'accepted' },
      { of: two, state: 'blocked' },
    ]);
    const [, blocked] = promoter['promoter_campaigns'] as [Element, Element];
    double.addCode(promoter, { code: 'ADA20' });
    double.addCode(promoter, { code: 'SHOP20', ext_id: null });
    double.addCode(promoter, { promoter_campaign_id: blocked['id'] });
    const { id } = await begin();
    expect(outcomesOf(await mover.run(id)).filter((line) => line.startsWith('code'))).toEqual([
      'code new 2/2',
      'code problem 1/1',
    ]);
    const codes = await mover.list<Element>('/promo_codes');
    expect(codes.map(({ code, psp_promotion_code_id }) => `${String(code)} ${String(psp_promotion_code_id)}`).toSorted()).toEqual(
      ['ADA20 promo_fp1', 'SHOP20 null'],
    );
    await sell(account, { customer_email: 'eve@shop.example', promo_code: 'ada20' });
    expect(await mover.list('/commissions?expand[]=campaign')).toMatchObject([
      { amount_cents: 2_500, campaign: { name: 'Friends 1' } },
    ]);
  });
});

describe('a key of FirstPromoter', () => {
  it('without the id of the account, or with more than a key, is refused', async () => {
    for (const credentials of [double.key, `${double.key}:`, 'zwei Wörter:acc_123456', 'two\nlines:acc_123456'])
      expect(await mover.begin<ErrorBody>({ source: 'first_promoter', credentials })).toMatchObject({
        status: 422,
        body: { details: [{ path: 'credentials', code: 'invalid_format' }] },
      });
  });

  it('that is wrong, or of another account, fails the import', async () => {
    for (const credentials of ['wrong:acc_123456', `${double.key}:acc_other`])
      expect(await mover.read({ source: 'first_promoter', credentials })).toMatchObject({
        state: 'failed',
        failure: 'key_refused',
      });
    double.troubles.push(forbidden);
    expect(await begin()).toMatchObject({ state: 'failed', failure: 'no_api_access' });
  });

  it('that is asked too often goes on later', async () => {
    fill(3);
    double.troubles.push(null, null, tooMany);
    const waiting = await begin();
    expect(waiting).toMatchObject({ state: 'reading', resume_at: expect.any(String) });
    service.clock.advance(8, 'seconds');
    await mover.advance();
    expect(await mover.get(waiting.id)).toMatchObject({ state: 'ready' });
  });
});
