/** The payments of rules besides the commission of a sale: bonuses, rewards for leads, and milestones (docs/rules/rewards.md). */
import { sweepDueCommissions, writeMemberDigests } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { discrepancies, openPayout } from '../payouts/program.ts';
import { PortalVisitor } from '../portal/people.ts';
import type { ErrorBody, Fields } from '../support/http.ts';
import { newMember } from '../support/people.ts';
import { must, type Program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { line, linesOf, rule, sellLines, shop, withLines } from './program.ts';

type Listed = Outputs['commissions']['list']['data'][number];

const service = useService();
const account = useAccount(service);

const usd = (amount_cents: number) => ({ fixed: { amount_cents, currency: 'USD' } });

async function commissions(kind?: string): Promise<Listed[]> {
  const { data } = await account.client.commissions.list.query({ limit: 100 });
  return data.filter((commission) => kind === undefined || commission.kind === kind);
}

const refund = (external_id: string, amount_cents: number) =>
  must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents });

describe('a rule on top', () => {
  const bonusRule = (friends: Program, more: Fields = {}) =>
    rule(account, friends.campaign, { apply: 'on_top', when: { products: ['pro'] }, pay: { percent: 5 }, ...more });

  it('pays a commission of its own, which follows refunds by its own terms', async () => {
    const friends = await shop(account);
    const { id } = await bonusRule(friends);
    const { external_id, commission } = await sellLines(account, friends, [line('pro', 4_000), line('mug', 1_000)]);
    expect(commission).toMatchObject({ kind: 'sale', amount_cents: 500, rule_id: null, lines: null });
    const [bonus] = await commissions('bonus');
    expect(bonus).toMatchObject({ amount_cents: 200, rule_id: id, sale_id: commission!.sale_id, state: 'due' });
    expect(linesOf(await withLines(account, bonus!.id))).toEqual([['pro', id, 200]]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 700 });
    await refund(external_id, 2_500);
    expect((await commissions()).map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
      ['bonus', 100],
      ['sale', 250],
    ]);
    const payout = await openPayout(account, friends.affiliate.id);
    await must(account, `/payouts/${payout.id}/pay`, {}, 200);
    await refund(external_id, 2_500);
    const clawbacks = await commissions('adjustment');
    expect(new Map(clawbacks.map(({ amount_cents, rule_id }) => [rule_id, amount_cents]))).toEqual(
      new Map([
        [id, -100],
        [null, -250],
      ]),
    );
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is reconciled with the commission of its sale, also if only one of them has changed lately', async () => {
    const friends = await shop(account);
    await bonusRule(friends);
    await sellLines(account, friends, [line('pro', 4_000)]);
    service.clock.advance(40, 'days');
    const [bonus] = await commissions('bonus');
    await account.api.delete(`/commissions/${bonus!.id}`);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('pays even if the sale earns nothing else, and then shows a commission of 0', async () => {
    const friends = await shop(account, { commission_percent: 0 });
    await bonusRule(friends, { pay: usd(700) });
    const { commission } = await sellLines(account, friends, [line('pro', 4_000)]);
    expect(commission).toMatchObject({ amount_cents: 0, state: 'due' });
    expect(await commissions('bonus')).toMatchObject([{ amount_cents: 700 }]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 700 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('has a cap of its own, also for sales at once', async () => {
    const friends = await shop(account);
    await bonusRule(friends, { cap: { amount_cents: 1_050, currency: 'USD', per: 'affiliate' } });
    const referrals = await Promise.all(Array.from({ length: 20 }, () => refer(account, friends)));
    await Promise.all(referrals.map((referral) => sellLines(account, { referral }, [line('pro', 2_000)])));
    expect((await commissions('bonus')).map(({ amount_cents }) => amount_cents).toSorted((a, b) => a - b)).toEqual([
      50,
      ...Array.from({ length: 10 }, () => 100),
    ]);
  });

  it('moves with its sale to the affiliate to whom facts that arrive later give it', async () => {
    const ada = await shop(account);
    const { id } = await bonusRule(ada);
    const bob = await must<{ id: string }>(account, '/affiliates', {
      email: `${unique('bob')}@example.com`,
      campaign_id: ada.campaign.id,
    });
    const ofBob = await must<{ id: string }>(account, '/referrals', { affiliate_id: bob.id, campaign_id: ada.campaign.id });
    const customer = { customer_email: `${unique('eve')}@buyer.example`, external_customer_id: unique('eve') };
    service.clock.advance(1, 'hours');
    const earlier = service.clock.instant();
    service.clock.advance(1, 'hours');
    const { commission } = await sellLines(account, { referral: ofBob }, [line('pro', 4_000)], customer);
    const ofSale = async () =>
      (await commissions())
        .filter(({ state, sale_id }) => state !== 'voided' && sale_id === commission!.sale_id)
        .map(({ affiliate_id, kind, amount_cents, rule_id }) => `${affiliate_id} ${kind} ${amount_cents} ${rule_id}`)
        .toSorted();
    const earnedBy = (affiliate: string) => [`${affiliate} bonus 200 ${id}`, `${affiliate} sale 400 null`];
    expect(await ofSale()).toEqual(earnedBy(bob.id));
    await sellLines(account, ada, [line('mug', 1_000)], { ...customer, charged_at: earlier });
    expect(await ofSale()).toEqual(earnedBy(ada.affiliate.id));
    expect(await openPayout(account, ada.affiliate.id)).toMatchObject({ amount_cents: 700 });
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a rule for leads', () => {
  let friends: Awaited<ReturnType<typeof shop>>;
  let id: string;
  beforeEach(async () => {
    service.clock.set('2028-03-01T12:00:00.000Z');
    friends = await shop(account);
    ({ id } = await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days: 10 }));
  });
  const lead = (path: string, body: Fields = {}) =>
    account.api.post(path, { referral_id: friends.referral.id, email: 'eve@buyer.example', ...body });

  it('pays once for a proven lead, held until the customer pays', async () => {
    await lead('/leads');
    await lead('/leads');
    const [reward, ...others] = await commissions();
    expect(others).toEqual([]);
    expect(reward).toMatchObject({
      kind: 'lead',
      amount_cents: 300,
      rule_id: id,
      referral_id: friends.referral.id,
      sale_id: null,
      state: 'pending',
      review_status: 'suspicious',
      review_reason: 'unpaid_lead',
      due_at: '2028-03-11T12:00:00.000Z',
    });
    service.clock.advance(1, 'days');
    await sell(account, { customer_email: 'eve@buyer.example' });
    expect(await commissions('lead')).toMatchObject([{ state: 'due', review_status: null, review_reason: null }]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 1_300 });
    await sell(account, { customer_email: 'eve@buyer.example' });
    expect(await commissions('lead')).toHaveLength(1);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('pays when the days of the rule have passed, without a payment', async () => {
    await lead('/leads');
    service.clock.advance(9, 'days');
    await sweepDueCommissions(service.services);
    expect(await commissions()).toMatchObject([{ state: 'pending', review_reason: 'unpaid_lead' }]);
    service.clock.advance(1, 'days');
    await sweepDueCommissions(service.services);
    expect(await commissions()).toMatchObject([{ state: 'due', review_status: null, review_reason: null }]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 300 });
  });

  it('is under review nowhere, until a person flags it, and then everywhere', async () => {
    await lead('/leads');
    await sell(account, { referral_id: (await refer(account, friends)).id });
    const [reward] = await commissions('lead');
    const portal = await PortalVisitor.enter(service, account, friends.affiliate.email);
    const everywhere = async () => {
      const { data: listed } = await account.client.commissions.list.query({ needs_review: true });
      const { data: others } = await account.client.commissions.list.query({ needs_review: false });
      const { affiliate } = friends;
      const { commission_stats } = await account.client.affiliates.get.query({ id: affiliate.id, expand: ['commission_stats'] });
      const { data: payouts } = await account.client.payouts.list.query({ expand: ['under_review'] });
      const overview = await account.client.overview.get.query({});
      const { currencies } = await account.client.overview.payable.query({ at: service.clock.instant() });
      const home = await portal.query<{ earnings: { pending_cents: number; in_review_cents: number }[] }>('portal.home');
      const own = await portal.query<{ data: { id: string; in_review: boolean }[] }>('portal.listCommissions');
      return {
        cents: [
          listed.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
          commission_stats!.currencies[0]!.under_review_cents,
          payouts[0]!.under_review!.amount_cents,
          overview.due[0]!.under_review.amount_cents,
          currencies[0]!.under_review.amount_cents,
          home.earnings[0]!.in_review_cents,
        ],
        counts: [
          listed.length,
          2 - others.length,
          payouts[0]!.under_review!.commissions_count,
          overview.due[0]!.under_review.count,
          overview.needs_review.commissions_count,
          currencies[0]!.under_review.count,
          own.data.filter(({ in_review }) => in_review).length,
        ],
        pending: [home.earnings[0]!.pending_cents, overview.due[0]!.not_due_yet.amount_cents],
      };
    };
    expect(await everywhere()).toEqual({ cents: Array(6).fill(0), counts: Array(7).fill(0), pending: [300, 300] });
    await must(account, `/commissions/${reward!.id}/review`, { review_action: 'suspicious' }, 200);
    expect(await everywhere()).toEqual({ cents: Array(6).fill(300), counts: Array(7).fill(1), pending: [0, 0] });
    await must(account, `/commissions/${reward!.id}/review`, { review_action: 'approve' }, 200);
    expect(await everywhere()).toEqual({ cents: Array(6).fill(0), counts: Array(7).fill(0), pending: [300, 300] });
  });

  it('is paid when a person sets its due date to a time that has come', async () => {
    await lead('/leads');
    const [reward] = await commissions('lead');
    const { status } = await account.api.patch(`/commissions/${reward!.id}`, { due_at: '2028-03-01T00:00:00.000Z' });
    expect(status).toBe(200);
    expect(await commissions()).toMatchObject([{ state: 'due', review_status: null, review_reason: null }]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 300 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is expected to be payable at its due date, and not before', async () => {
    await lead('/leads');
    const expectedAt = async (at: string) => (await account.client.overview.payable.query({ at })).currencies;
    const reward = { count: 1, amount_cents: 300 };
    expect(await expectedAt('2028-03-11T11:59:59.000Z')).toEqual([]);
    expect(await expectedAt('2028-03-11T12:00:00.000Z')).toMatchObject([{ payable: reward, under_review: { count: 0 } }]);
  });

  it('waits for no review while it is held', async () => {
    const member = await newMember(service, account, 'member');
    await member.browser.mutate('profile.chooseMails', { account_id: account.id, mails: ['flagged_commissions'] });
    service.clock.advance(1, 'seconds');
    await lead('/leads');
    const held = { count: 1, amount_cents: 300 };
    const asked = async () => {
      const { due, needs_review } = await account.client.overview.get.query({});
      const { data: queue } = await account.client.commissions.list.query({ needs_review: true });
      const { data: others } = await account.client.commissions.list.query({ needs_review: false });
      return { due, counted: needs_review.commissions_count, queue: queue.length, others: others.length };
    };
    expect(await asked()).toMatchObject({
      due: [{ not_due_yet: held, under_review: { count: 0 } }],
      counted: 0,
      queue: 0,
      others: 1,
    });
    service.clock.advance(3, 'minutes');
    expect(await writeMemberDigests(service.services, () => false)).toBe(0);
    const [reward] = await commissions();
    await account.api.post(`/commissions/${reward!.id}/review`, { review_action: 'suspicious' });
    expect(await asked()).toMatchObject({
      due: [{ not_due_yet: { count: 0 }, under_review: held }],
      counted: 1,
      queue: 1,
      others: 0,
    });
  });

  it('stays approved if a person has approved it before', async () => {
    await lead('/leads');
    const [{ id: held } = { id: '' }] = await commissions();
    await must(account, `/commissions/${held}/review`, { review_action: 'approve' }, 200);
    service.clock.advance(10, 'days');
    await sweepDueCommissions(service.services);
    expect(await commissions()).toMatchObject([{ state: 'due', review_status: 'approved' }]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 300 });
  });

  it('pays once for two leads of the affiliate who turn out to be one customer', async () => {
    await lead('/leads');
    service.clock.advance(1, 'minutes');
    const other = await refer(account, friends);
    await lead('/leads', { referral_id: other.id, email: 'eve@private.example' });
    expect(await commissions('lead')).toHaveLength(2);
    const { data } = await account.client.customers.list.query({});
    const idOf = (email: string) => data.find((customer) => customer.email === email)!.id;
    await must(account, `/customers/${idOf('eve@private.example')}/merge`, { customer_id: idOf('eve@buyer.example') }, 200);
    const states = (await commissions('lead')).map(({ referral_id, state }) => [referral_id, state]);
    expect(states).toContainEqual([friends.referral.id, 'pending']);
    expect(states).toContainEqual([other.id, 'voided']);
    await sell(account, { customer_email: 'eve@private.example' });
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 1_300 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it.each([[['email', 'id']], [['id', 'email']]])(
    'pays by the earlier of two namings of a referral if they turn out to be of one customer (%s first)',
    async (order) => {
      service.clock.advance(1, 'hours');
      const earlier = service.clock.instant();
      service.clock.advance(1, 'hours');
      expect((await account.api.patch(`/reward_rules/${id}`, { pay: usd(900) })).status).toBe(200);
      service.clock.advance(1, 'hours');
      const names = {
        email: { customer_email: 'eve@buyer.example', charged_at: earlier },
        id: { external_customer_id: 'eve', charged_at: service.clock.instant() },
      };
      const referral_id = friends.referral.id;
      for (const name of order) await sell(account, { referral_id, ...names[name as keyof typeof names] });
      await sell(account, { referral_id, ...names.email, ...names.id });
      const leads = (await commissions('lead')).filter(({ state }) => state !== 'voided');
      expect(leads.map(({ amount_cents }) => amount_cents)).toEqual([300]);
      expect(await discrepancies(account)).toEqual([]);
    },
  );

  it('pays nothing for a lead that only a page has reported, until something proves it', async () => {
    await lead('/track/leads');
    expect(await commissions()).toEqual([]);
    service.clock.advance(1, 'minutes');
    await lead('/leads');
    expect(await commissions()).toMatchObject([{ kind: 'lead', amount_cents: 300 }]);
  });

  it('pays nothing for a lead from before the rule, and keeps the reward when the rule ends', async () => {
    await lead('/leads');
    await account.api.delete(`/reward_rules/${id}`);
    service.clock.advance(1, 'minutes');
    const other = await refer(account, friends);
    await lead('/leads', { referral_id: other.id, email: 'late@buyer.example' });
    expect(await commissions()).toMatchObject([{ referral_id: friends.referral.id, state: 'pending' }]);
  });
});

describe('a milestone', () => {
  const milestone = (friends: Program, values: Fields, more: Fields = {}) =>
    rule(account, friends.campaign, {
      event: 'milestone',
      milestone: { metric: 'customers', ...values },
      pay: usd(5_000),
      ...more,
    });
  const sellTo = async (friends: Program, count: number, more: Fields = {}) => {
    const referrals = await Promise.all(Array.from({ length: count }, () => refer(account, friends)));
    return Promise.all(referrals.map((referral) => sell(account, { referral_id: referral.id, ...more })));
  };
  const amounts = async () => (await commissions('milestone')).map(({ amount_cents, state }) => [amount_cents, state]);

  it('counts from 0 when its beginning changes, so that no sale is paid for twice', async () => {
    const friends = await shop(account);
    const { id } = await milestone(friends, { every: 3 });
    service.clock.advance(1, 'days');
    const from = service.clock.instant();
    service.clock.advance(1, 'days');
    await sellTo(friends, 3);
    expect(await amounts()).toEqual([[5_000, 'due']]);
    service.clock.advance(1, 'days');
    expect((await account.api.patch(`/reward_rules/${id}`, { from })).status).toBe(200);
    service.clock.advance(1, 'days');
    await sellTo(friends, 2);
    expect(await amounts()).toEqual([[5_000, 'due']]);
    await sellTo(friends, 1);
    expect(await amounts()).toEqual([
      [5_000, 'due'],
      [5_000, 'due'],
    ]);
  });

  it('is paid at every tenth customer, exactly, with 50 sales at once', async () => {
    const friends = await shop(account);
    await sellTo(friends, 3);
    service.clock.advance(1, 'minutes');
    const { id } = await milestone(friends, { every: 10 });
    await sellTo(friends, 9);
    expect(await amounts()).toEqual([]);
    await sellTo(friends, 50);
    const paid = await commissions('milestone');
    expect(paid.map(({ amount_cents, rule_id }) => [amount_cents, rule_id])).toEqual(
      Array.from({ length: 5 }, () => [5_000, id]),
    );
    expect(await discrepancies(account)).toEqual([]);
  });

  it('counts a customer once, and sales of a calendar month', async () => {
    service.clock.set('2028-05-20T12:00:00.000Z');
    const friends = await shop(account);
    await milestone(friends, { at: 2 });
    const bySales = await milestone(friends, { metric: 'sales', window: 'month', at: 3 }, { pay: usd(100) });
    const again = () => sell(account, { referral_id: friends.referral.id });
    for (let i = 0; i < 3; i += 1) await again();
    expect((await commissions('milestone')).map(({ rule_id }) => rule_id)).toEqual([bySales.id]);
    await again();
    service.clock.set('2028-06-01T00:00:00.000Z');
    for (let i = 0; i < 2; i += 1) await again();
    expect(await amounts()).toEqual([[100, 'due']]);
    await again();
    expect(await amounts()).toEqual([
      [100, 'due'],
      [100, 'due'],
    ]);
  });

  it('of revenue follows refunds until it is paid', async () => {
    const friends = await shop(account);
    await milestone(friends, { metric: 'revenue', every: 10_000 }, { pay: usd(700) });
    const external_id = unique('order');
    await sellTo(friends, 1, { amount_cents: 25_000, external_id });
    expect(await amounts()).toEqual([[1_400, 'due']]);
    await refund(external_id, 10_000);
    expect(await amounts()).toEqual([
      [700, 'due'],
      [1_400, 'voided'],
    ]);
    const payout = await openPayout(account, friends.affiliate.id);
    expect(payout.amount_cents).toBe(2_200);
    await must(account, `/payouts/${payout.id}/pay`, {}, 200);
    await refund(external_id, 10_000);
    expect((await amounts())[0]).toEqual([700, 'paid']);
    await sellTo(friends, 1, { amount_cents: 10_000 });
    expect(await amounts()).toHaveLength(2);
    await sellTo(friends, 1, { amount_cents: 10_000 });
    expect((await amounts())[0]).toEqual([700, 'due']);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('counts again after a change of the rule, and not after another order of the rules', async () => {
    const friends = await shop(account);
    const { id } = await milestone(friends, { every: 2 });
    await sellTo(friends, 1);
    service.clock.advance(1, 'minutes');
    const other = await rule(account, friends.campaign, { pay: { percent: 10 } });
    await must(account, '/reward_rules/reorder', { campaign_id: friends.campaign.id, rule_ids: [other.id, id] }, 200);
    await sellTo(friends, 1);
    expect(await amounts()).toEqual([[5_000, 'due']]);
    service.clock.advance(1, 'minutes');
    await account.api.patch(`/reward_rules/${id}`, { milestone: { metric: 'customers', every: 3 } });
    await sellTo(friends, 2);
    expect(await amounts()).toHaveLength(1);
    await sellTo(friends, 1);
    expect(await amounts()).toHaveLength(2);
  });
});

it.each<[Fields, string]>([
  [{ event: 'lead', pay: { percent: 10 } }, 'pay'],
  [{ event: 'lead', when: { products: ['pro'] } }, 'when.products'],
  [{ event: 'lead', apply: 'on_top' }, 'apply'],
  [{ event: 'milestone' }, 'milestone'],
  [{ event: 'milestone', milestone: { metric: 'sales', every: 2, at: 2 } }, 'milestone'],
  [{ event: 'milestone', milestone: { metric: 'revenue', every: 99 } }, 'milestone.every'],
  [{ milestone: { metric: 'sales', every: 2 } }, 'milestone'],
  [{ hold_days: 3 }, 'hold_days'],
  [{ apply: 'on_top', pay: { nothing: true } }, 'pay'],
])('a rule with %j is refused, naming %s', async (values, path) => {
  const friends = await shop(account);
  const { status, body } = await account.api.post<ErrorBody>('/reward_rules', {
    campaign_id: friends.campaign.id,
    name: 'Wrong',
    pay: usd(100),
    ...values,
  });
  expect({ status, paths: (body.details as { path: string }[]).map((detail) => detail.path) }).toEqual({
    status: 422,
    paths: [path],
  });
});
