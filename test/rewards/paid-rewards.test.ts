/** Paid rewards for leads and milestones that later facts contradict (docs/rules/rewards.md#paid-rewards). */
import { describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies, openPayout, planRun, executeRun } from '../payouts/program.ts';
import { PortalVisitor } from '../portal/people.ts';
import type { Fields } from '../support/http.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { type Commission, rule, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const usd = (amount_cents: number) => ({ fixed: { amount_cents, currency: 'USD' } });
const settle = () => service.worker!.sweepNow();

async function rewards(kind: 'lead' | 'milestone'): Promise<Commission[]> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' });
  return body.data.filter((each) => each.kind === kind && each.void_reason === null);
}

/** Pays the reward of a kind by hand. Returns it. */
async function pay(kind: 'lead' | 'milestone'): Promise<Commission> {
  const [reward] = await rewards(kind);
  const { status, body } = await account.api.patch<Commission>(`/commissions/${reward!.id}`, {
    paid_at: service.clock.instant(),
  });
  expect(status).toBe(200);
  return body;
}

const reconsider = (id: string) => account.api.post<Commission>(`/commissions/${id}/review`, { review_action: 'reconsider' });

/** The reward that the facts known now give instead, as a record of the commission says on request. */
const contestOf = async (id: string) => (await account.client.commissions.get.query({ id, expand: ['contested'] })).contested;

const listed = async () =>
  (await discrepancies(account)).map(({ code, affiliate_id, expected_cents, actual_cents, commission_ids }) => ({
    code,
    affiliate_id,
    expected_cents,
    actual_cents,
    commission_ids,
  }));

describe('a paid milestone', () => {
  const milestone = (values: Fields) =>
    rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'sales', ...values }, pay: usd(700) });
  const earn = async (more: Fields = {}) => {
    const external_id = unique('order');
    await sell(account, { referral_id: (await refer(account, friends)).id, external_id, ...more });
    return external_id;
  };
  const refund = async (external_id: string, amount_cents = 10_000) => {
    await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents });
    await settle();
  };

  it('that a refund undoes is listed until it is reached again', async () => {
    await milestone({ at: 2 });
    const order = await earn();
    await earn();
    const { id } = await pay('milestone');
    expect(await listed()).toEqual([]);
    await refund(order);
    const found = { affiliate_id: null, expected_cents: 0, actual_cents: 700, commission_ids: [id] };
    expect(await listed()).toEqual([{ code: 'paid_milestone', ...found }]);
    expect(await rewards('milestone')).toMatchObject([{ state: 'paid', amount_cents: 700 }]);
    await earn();
    await settle();
    expect(await listed()).toEqual([]);
    expect(await rewards('milestone')).toMatchObject([{ state: 'paid' }]);
  });

  it('is not listed if the refund came before the payment, because the milestone was voided then', async () => {
    await milestone({ at: 2 });
    const order = await earn();
    await earn();
    await refund(order);
    expect(await rewards('milestone')).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('that was reached several times at once is listed with the amount of the times that are left', async () => {
    await rule(account, friends.campaign, {
      event: 'milestone',
      milestone: { metric: 'revenue', every: 10_000 },
      pay: usd(700),
    });
    const order = await earn({ amount_cents: 35_000 });
    const { id } = await pay('milestone');
    for (const [refunded, expected_cents] of [
      [10_000, 1_400],
      [20_000, 0],
    ] as const) {
      await refund(order, refunded);
      expect(await listed()).toMatchObject([
        { code: 'paid_milestone', expected_cents, actual_cents: 2_100, commission_ids: [id] },
      ]);
    }
  });

  it('can be kept, and is not listed again until facts give another amount', async () => {
    await rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'revenue', every: 10_000 }, pay: usd(700) });
    const order = await earn({ amount_cents: 35_000 });
    const { id } = await pay('milestone');
    const keep = () => account.api.post<Commission>(`/commissions/${id}/review`, { review_action: 'keep' });
    const counted = async () => (await account.client.overview.get.query({})).needs_review.rewards_count;
    expect(await keep()).toMatchObject({ status: 422, body: { details: [{ path: 'review_action' }] } });
    await refund(order, 10_000);
    expect(await counted()).toBe(1);
    for (const _ of [1, 2]) expect((await keep()).body).toMatchObject({ state: 'paid', amount_cents: 2_100 });
    await settle();
    expect([await listed(), await contestOf(id), await counted()]).toEqual([[], null, 0]);
    // Another sale changes nothing about the milestone.
    await earn({ amount_cents: 1_000 });
    await settle();
    expect(await listed()).toEqual([]);
    await refund(order, 15_000);
    expect(await listed()).toMatchObject([{ code: 'paid_milestone', expected_cents: 700, actual_cents: 2_100 }]);
    expect(await counted()).toBe(1);
    // A person may still have a kept reward decided again.
    await keep();
    expect((await reconsider(id)).body).toMatchObject({ state: 'voided' });
    await settle();
    expect(await rewards('milestone')).toMatchObject([{ state: 'due', amount_cents: 700 }]);
    await assertNoContradictions(service.databaseUrl);
  });

  it('can be reconsidered, so that the affiliate keeps the times that are left, and follows further facts', async () => {
    await rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'revenue', every: 10_000 }, pay: usd(700) });
    const order = await earn({ amount_cents: 35_000 });
    const sold = 3_500;
    const { id } = await pay('milestone');
    expect(await reconsider(id)).toMatchObject({ status: 422, body: { details: [{ path: 'review_action' }] } });
    expect(await contestOf(id)).toBeNull();
    await refund(order, 10_000);
    expect(await contestOf(id)).toEqual({ affiliate_id: null, amount_cents: 1_400 });
    const having = async (contested: boolean) =>
      (await account.client.commissions.list.query({ contested })).data.map((each) => each.id);
    expect(await having(true)).toEqual([id]);
    expect(await having(false)).not.toContain(id);
    expect((await reconsider(id)).body).toMatchObject({ state: 'voided', void_reason: 'reconsidered' });
    await settle();
    expect(await listed()).toEqual([]);
    // 2,100 were paid, and 1,400 are right: the next payout is reduced by 700.
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: sold - 1_000 - 700 });
    expect(await rewards('milestone')).toMatchObject([{ state: 'due', amount_cents: 1_400 }]);
    expect((await reconsider(id)).status).toBe(422);
    expect(await contestOf(id)).toBeNull();
    // The new commission follows the facts as long as it is unpaid, and is contested once it is paid.
    await earn({ amount_cents: 15_000 });
    await settle();
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: sold - 1_000 + 1_500 + 700 });
    const due = await openPayout(account, friends.affiliate.id);
    await must(account, `/payouts/${due.id}/pay`, {}, 200);
    await refund(order, 25_000);
    const [found] = await listed();
    expect(found).toMatchObject({ code: 'paid_milestone', expected_cents: 700, actual_cents: 1_400 });
    await reconsider(found!.commission_ids[0]!);
    await settle();
    const again = await listed();
    for (const { commission_ids } of again) await reconsider(commission_ids[0]!);
    await settle();
    expect(await listed()).toEqual([]);
    expect((await rewards('milestone')).reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(700);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: -2_500 - 2_800 + 700 });
    await must(account, `/payouts/${due.id}/return`, { reason: 'closed' }, 200);
    await settle();
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({
      amount_cents: -2_500 - 2_800 + 700 + due.amount_cents,
    });
    expect(await listed()).toEqual([]);
    await assertNoContradictions(service.databaseUrl);
  });

  it('is listed latest first, and no longer when a person has voided as much as was paid too much', async () => {
    await milestone({ every: 1 });
    const orders = [await earn(), await earn(), await earn()];
    const ids = (await rewards('milestone')).map(({ id }) => id).toSorted();
    for (const id of ids) await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() });
    await refund(orders[0]!);
    expect(await listed()).toMatchObject([{ code: 'paid_milestone', commission_ids: [ids[2]] }]);
    // Voiding takes the money back, and the milestone is right again, whichever commission is voided.
    await account.api.delete(`/commissions/${ids[0]}`, { void_reason: 'Undone' });
    await settle();
    expect(await listed()).toEqual([]);
    await refund(orders[1]!);
    expect(await listed()).toMatchObject([{ code: 'paid_milestone', commission_ids: [ids[2]] }]);
    await account.api.delete(`/commissions/${ids[2]}`);
    expect(await listed()).toEqual([]);
  });

  /** A milestone that a refund undoes while a run holds it. Returns the id of the run. */
  async function undoneWhileClaimed() {
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { walleta_email: 'a@pay.example' });
    await milestone({ at: 2 });
    const order = await earn();
    await earn();
    const { id } = await planRun(account);
    await refund(order);
    expect((await listed()).filter(({ code }) => code === 'paid_milestone')).toEqual([]);
    return id;
  }

  it('that was claimed when a refund undid it is listed once the run has paid it', async () => {
    await executeRun(account, await undoneWhileClaimed());
    const [found, ...others] = await listed();
    expect([found, others]).toMatchObject([{ code: 'paid_milestone', expected_cents: 0, actual_cents: 700 }, []]);
    await account.api.delete(`/commissions/${found!.commission_ids[0]}`);
    expect(await listed()).toEqual([]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: -1_700 });
  });

  it('that was claimed when a refund undid it is voided once the run has released it', async () => {
    const id = await undoneWhileClaimed();
    await account.api.put(`/payout_runs/${id}/remediate`, { remediation_action: 'cancel' });
    await settle();
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 1_000 });
    expect(await listed()).toEqual([]);
  });

  it('is voided when its payment is taken back or returned, and listed no longer', async () => {
    await milestone({ at: 2 });
    const order = await earn();
    await earn();
    const { id } = await openPayout(account, friends.affiliate.id);
    await account.api.post(`/payouts/${id}/pay`);
    await refund(order);
    expect(await listed()).toMatchObject([{ code: 'paid_milestone' }]);
    await must(account, `/payouts/${id}/return`, { reason: 'closed' }, 200);
    await settle();
    expect(await listed()).toEqual([]);
    expect(await rewards('milestone')).toEqual([]);
  });
});

describe('a paid milestone of an affiliate whose sales all turn out to be of another one', () => {
  it('is listed, and voided when it becomes unpaid again', async () => {
    const { campaign } = friends;
    const email = `${unique('bob')}@example.com`;
    const bob = await must<{ id: string }>(account, '/affiliates', { email, campaign_id: campaign.id });
    const link = await must<{ id: string }>(account, '/links', {
      affiliate_id: bob.id,
      campaign_id: campaign.id,
      url: 'https://shop.example.com/bob',
    });
    const byBob = await must<{ id: string }>(account, '/referrals', { link_id: link.id });
    await rule(account, campaign, { event: 'milestone', milestone: { metric: 'sales', at: 1 }, pay: usd(700) });
    const sold = { customer_email: 'eve@buyer.example' };
    const earlier = '2028-01-12T12:00:00.000Z';
    service.clock.set('2028-01-20T12:00:00.000Z');
    await sell(account, { ...sold, referral_id: byBob.id });
    const { id } = await pay('milestone');
    await sell(account, { ...sold, referral_id: friends.referral.id, charged_at: earlier });
    await settle();
    expect(await listed()).toMatchObject([{ code: 'paid_milestone', expected_cents: 0, actual_cents: 700 }]);
    await account.api.patch(`/commissions/${id}`, { paid_at: null });
    await settle();
    expect((await account.api.get(`/commissions/${id}`)).body).toMatchObject({ state: 'voided' });
    expect(await listed()).toEqual([]);
    await assertNoContradictions(service.databaseUrl);
  });
});

describe('a bonus that is paid without the commission of its sale', () => {
  const late = '2028-01-08T12:00:00.000Z';
  const customer_email = 'eve@buyer.example';

  /** A sale to a new customer, whose bonus is paid. An earlier sale to this customer then becomes known. */
  async function contested(): Promise<{ bonus: string; earlier: string }> {
    await rule(account, friends.campaign, { apply: 'on_top', when: { customer: 'new' }, pay: usd(150) });
    service.clock.set('2028-01-20T12:00:00.000Z');
    const { id: referral_id } = await refer(account, friends);
    await sell(account, { referral_id, customer_email });
    const { data } = (await account.api.get<{ data: Commission[] }>('/commissions')).body;
    const bonus = data.find(({ kind }) => kind === 'bonus')!.id;
    await account.api.patch(`/commissions/${bonus}`, { paid_at: service.clock.instant() });
    const earlier = unique('order');
    await sell(account, { referral_id, customer_email, charged_at: late, external_id: earlier });
    await settle();
    return { bonus, earlier };
  }

  it('is listed if facts contradict it, until they agree again', async () => {
    const { earlier } = await contested();
    expect(await listed()).toMatchObject([{ code: 'paid_reward', expected_cents: 1_000, actual_cents: 1_150 }]);
    const needing = await account.client.sales.list.query({ needs_review: true, expand: ['review'] });
    expect(needing.data.map(({ review }) => review)).toMatchObject([
      { contested: { commission_cents: 1_000, earned_cents: 1_150, amount_cents: 1_000, affiliate_id: friends.affiliate.id } },
    ]);
    const { data } = (await account.api.get<Outputs['sales']['list']>('/sales')).body;
    await account.api.patch(`/sales/${data.find(({ external_id }) => external_id === earlier)!.id}`, { amount_cents: 0 });
    await settle();
    expect(await listed()).toEqual([]);
  });

  it('is voided when it becomes unpaid again', async () => {
    const { bonus } = await contested();
    await account.api.patch(`/commissions/${bonus}`, { paid_at: null });
    await settle();
    expect((await account.api.get(`/commissions/${bonus}`)).body).toMatchObject({ state: 'voided' });
    expect(await listed()).toEqual([]);
    await assertNoContradictions(service.databaseUrl);
  });
});

describe('a paid reward for a lead', () => {
  const january = '2028-01-20T00:00:00.000Z';
  const february = '2028-02-10T00:00:00.000Z';
  const email = () => `${unique('eve')}@buyer.example`;

  /** A lead that is rewarded by a tier, which a sale has reached. Returns the sale's external id. */
  async function leadWithTier(): Promise<string> {
    const tier = await must<Outputs['tiers']['create']>(account, '/tiers', {
      campaign_id: friends.campaign.id,
      name: 'Gold',
      metric: 'sales',
      from: 1,
    });
    await rule(account, friends.campaign, { event: 'lead', when: { tier: [tier.id] }, pay: usd(500), hold_days: 0 });
    await rule(account, friends.campaign, { event: 'lead', pay: usd(100), hold_days: 0 });
    const order = unique('order');
    service.clock.set(january);
    await sell(account, { referral_id: friends.referral.id, charged_at: january, external_id: order });
    service.clock.set(february);
    await settle();
    await must(account, '/leads', { referral_id: (await refer(account, friends)).id, email: email() });
    return order;
  }

  it('that a corrected tier changes is listed until the tier is right again', async () => {
    const sold = { referral_id: friends.referral.id, charged_at: january };
    const order = await leadWithTier();
    const { id } = await pay('lead');
    expect(await listed()).toEqual([]);
    await must(account, '/track/refunds', { external_id: order, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    const found = { affiliate_id: null, expected_cents: 100, actual_cents: 500, commission_ids: [id] };
    expect(await listed()).toEqual([{ code: 'paid_lead', ...found }]);
    await sell(account, sold);
    await settle();
    expect(await listed()).toEqual([]);
    expect(await rewards('lead')).toMatchObject([{ state: 'paid', amount_cents: 500 }]);
  });

  it('that a corrected tier changes has the right amount when a person reconsiders it, and follows the tier from then on', async () => {
    const order = await leadWithTier();
    const { id } = await pay('lead');
    const before = (await openPayout(account, friends.affiliate.id)).amount_cents;
    await must(account, '/track/refunds', { external_id: order, refund_id: 'all', amount_cents: 10_000 });
    await settle();
    expect((await reconsider(id)).status).toBe(200);
    await settle();
    expect(await listed()).toEqual([]);
    const ada = await PortalVisitor.enter(service, account, friends.affiliate.email);
    const { data: voided } = await ada.query<Outputs['portal']['listCommissions']>('portal.listCommissions', { state: 'voided' });
    expect(voided.find((each) => each.id === id)).toMatchObject({ void_cause: 'corrected' });
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: before - 1_000 - 400 });
    await sell(account, { referral_id: friends.referral.id, charged_at: january });
    await settle();
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: before });
    await assertNoContradictions(service.databaseUrl);
  });

  /** Rewards a lead of a referral that expires after an hour, and then has the customer become a lead of Bob, a day later. */
  async function lostTo(hold_days: number, meanwhile: () => Promise<unknown>) {
    const bob = await program(account, { days_until_commissions_are_due: 0 });
    await rule(account, friends.campaign, { event: 'lead', pay: usd(300), hold_days });
    const customer = email();
    const { id } = await refer(account, friends, { expires_at: '2028-01-10T13:00:00.000Z' });
    await must(account, '/leads', { referral_id: id, email: customer });
    await meanwhile();
    service.clock.advance(1, 'days');
    await must(account, '/leads', { referral_id: (await refer(account, bob)).id, email: customer });
    return bob.affiliate.id;
  }

  it('whose customer turns out to belong to another affiliate is listed until a person voids it', async () => {
    const bob = await lostTo(10, () => pay('lead'));
    const [{ id } = { id: '' }] = await rewards('lead');
    const found = { affiliate_id: bob, expected_cents: 0, actual_cents: 300, commission_ids: [id] };
    expect(await listed()).toEqual([{ code: 'paid_lead', ...found }]);
    await account.api.delete(`/commissions/${id}`);
    expect(await listed()).toEqual([]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: -300 });
  });

  it('whose customer turns out to belong to another affiliate is earned by that affiliate when a person reconsiders it', async () => {
    const bob = await lostTo(10, () => pay('lead'));
    const [{ id } = { id: '' }] = await rewards('lead');
    expect(await contestOf(id)).toEqual({ affiliate_id: bob, amount_cents: 0 });
    expect((await reconsider(id)).status).toBe(200);
    await settle();
    expect(await listed()).toEqual([]);
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: -300 });
    expect(await rewards('lead')).toEqual([]);
    expect(bob).not.toBe(friends.affiliate.id);
    await assertNoContradictions(service.databaseUrl);
  });

  it('is voided, and not listed, if that was known before the payment', async () => {
    await lostTo(10, async () => undefined);
    expect(await rewards('lead')).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('is voided, and not listed, if its payment is taken back', async () => {
    await lostTo(10, () => pay('lead'));
    const [{ id } = { id: '' }] = await rewards('lead');
    await account.api.patch(`/commissions/${id}`, { paid_at: null });
    await settle();
    expect(await rewards('lead')).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('whose customer went to another affiliate after it had fallen due is right', async () => {
    await lostTo(0, () => pay('lead'));
    expect(await rewards('lead')).toMatchObject([{ state: 'paid' }]);
    expect(await listed()).toEqual([]);
  });
});
