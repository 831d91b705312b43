import { sweepDueCommissions } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { must, program, sell } from '../support/program.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

describe('voiding a commission', () => {
  it('removes a commission from its open payout, once', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 });
    const commission = await desk.earned(friends);
    const replies = await Promise.all(Array.from({ length: 5 }, () => desk.account.api.delete(`/commissions/${commission.id}`)));
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 0, commissions_count: 0 }]);
    expect((await desk.eventTypes()).filter((type) => type === 'commission.voided')).toHaveLength(1);
  });

  it('claws back a paid commission from the next payout', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 });
    const commission = await desk.earned(friends);
    await must(desk.account, `/payouts/${commission.payout_id}/pay`, {}, 200);
    await desk.account.api.delete(`/commissions/${commission.id}`);
    const [adjustment] = await desk.commissions();
    expect(adjustment).toMatchObject({
      kind: 'adjustment',
      state: 'due',
      amount_cents: -1000,
      adjusts_commission_id: commission.id,
    });
    await desk.earned(friends, { amount_cents: 25_000 });
    const [open, paid] = await desk.payouts();
    expect(open).toMatchObject({ amount_cents: 1500, commissions_count: 2, state: 'due' });
    expect(paid).toMatchObject({ amount_cents: 1000, state: 'paid', id: commission.payout_id });
  });
});

describe('refunds', () => {
  it('reduce the next payout if the commission is paid, in any order and number', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 });
    const commission = await desk.earned(friends);
    await must(desk.account, `/payouts/${commission.payout_id}/pay`, {}, 200);
    const external_id = commission.sale!.external_id;
    await must(desk.account, '/track/refunds', { external_id, refund_id: 'b', amount_cents: 2_500 });
    await must(desk.account, '/track/refunds', { external_id, refund_id: 'a', amount_cents: 7_500 });
    await must(desk.account, '/track/refunds', { external_id, refund_id: 'b', amount_cents: 2_500 }, 200);
    expect((await desk.commissions()).map(({ amount_cents, state }) => [amount_cents, state])).toEqual([
      [-750, 'due'],
      [-250, 'due'],
      [1000, 'paid'],
    ]);
  });

  it('give back their share of the tax', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends, { amount_cents: 11_000, tax_amount_cents: 1_000 });
    const external_id = commission.sale!.external_id;
    await must(desk.account, '/track/refunds', { external_id, refund_id: 'half', amount_cents: 5_500 });
    expect((await desk.commissions('expand=sale'))[0]).toMatchObject({ amount_cents: 500, sale: { sale_amount_cents: 5_000 } });
    await must(desk.account, '/track/refunds', { external_id, refund_id: 'rest', amount_cents: 5_500 });
    expect((await desk.commissions('expand=sale'))[0]).toMatchObject({ state: 'voided', sale: { sale_amount_cents: 0 } });
  });

  it('use the rate at the time of the sale, not the campaign’s current rate', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends);
    await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { commission_percent: 50 });
    await must(desk.account, '/track/refunds', {
      external_id: commission.sale!.external_id,
      refund_id: 'r',
      amount_cents: 5_000,
    });
    expect((await desk.commissions())[0]).toMatchObject({ amount_cents: 500 });
  });

  it('do not change a fixed amount until the whole sale is refunded', async () => {
    const friends = await program(desk.account, {
      reward_type: 'fixed',
      commission_percent: undefined,
      commission_amount_cents: 700,
    });
    const commission = await desk.earned(friends);
    const external_id = commission.sale!.external_id;
    await must(desk.account, '/track/refunds', { external_id, refund_id: '1', amount_cents: 9_999 });
    expect((await desk.commissions())[0]).toMatchObject({ amount_cents: 700, state: 'pending' });
    await must(desk.account, '/track/refunds', { external_id, refund_id: '2', amount_cents: 1 });
    expect((await desk.commissions())[0]).toMatchObject({ amount_cents: 700, state: 'voided', void_reason: 'refunded' });
  });
});

describe('a review', () => {
  const review = (id: string, review_action: string) => desk.account.api.post(`/commissions/${id}/review`, { review_action });

  it('flags a commission, keeps it out of payouts while flagged, and approves it', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 });
    const commission = await desk.earned(friends);
    expect((await review(commission.id, 'suspicious')).body).toMatchObject({ review_status: 'suspicious', payout_id: null });
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 0 }]);
    const approved = await review(commission.id, 'approve');
    expect(approved).toMatchObject({
      status: 200,
      body: { review_status: 'approved', state: 'due', payout_id: expect.any(String) },
    });
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 1000 }]);
  });

  it('keeps a flagged commission out of payouts when the sweep makes it due', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends);
    await review(commission.id, 'suspicious');
    desk.service.clock.advance(31, 'days');
    await sweepDueCommissions(desk.service.services);
    expect((await desk.commissions())[0]).toMatchObject({ state: 'due', payout_id: null });
    await review(commission.id, 'approve');
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 1000 }]);
  });

  it('voids the commission and ends the referral with the action “deactivate”', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends);
    expect((await review(commission.id, 'deactivate')).body).toMatchObject({ state: 'voided' });
    expect((await desk.account.api.get(`/referrals/${commission.referral_id}`)).body).toMatchObject({
      deactivated_at: expect.any(String),
    });
    expect(await sell(desk.account, { referral_id: commission.referral_id })).toMatchObject({ reason: 'referral_deactivated' });
  });

  it('is refused for paid and voided commissions, and for unknown actions', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends);
    expect(await review(commission.id, 'bless')).toMatchObject({ status: 422, body: { details: [{ path: 'review_action' }] } });
    await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at: '2026-01-01T00:00:00Z' });
    for (const action of ['approve', 'suspicious', 'deactivate']) expect((await review(commission.id, action)).status).toBe(422);
    await desk.account.api.delete(`/commissions/${commission.id}`);
    expect((await review(commission.id, 'approve')).status).toBe(422);
  });
});

describe('the list of commissions', () => {
  it('can be filtered by several states in every form, by affiliate, campaign and time of change', async () => {
    const friends = await program(desk.account);
    const rival = await program(desk.account, { days_until_commissions_are_due: 0 });
    const pending = await desk.earned(friends);
    const due = await desk.earned(rival);
    const voided = await desk.earned(friends);
    await desk.account.api.delete(`/commissions/${voided.id}`);
    const ids = async (query: string) => (await desk.commissions(query)).map(({ id }) => id);
    expect(await ids('')).toEqual([voided.id, due.id, pending.id]);
    for (const query of ['state[]=due&state[]=pending', 'state=due&state=pending', 'state=due,pending', 'state[]=due,pending']) {
      expect(await ids(query)).toEqual([due.id, pending.id]);
    }
    expect(await ids(`affiliate_id=${friends.affiliate.id}`)).toEqual([voided.id, pending.id]);
    expect(await ids(`campaign_id=${rival.campaign.id}`)).toEqual([due.id]);
    expect(await ids('affiliate_id=aff_nobody')).toEqual([]);
    expect(
      await ids(
        `updated_since=${encodeURIComponent(pending.updated_at)}&updated_until=${encodeURIComponent(pending.updated_at)}`,
      ),
    ).toContain(pending.id);
    await desk.account.api.post(`/commissions/${due.id}/review`, { review_action: 'suspicious' });
    await desk.account.api.post(`/commissions/${pending.id}/review`, { review_action: 'approve' });
    expect(await ids('review_status=suspicious')).toEqual([due.id]);
    expect(await ids('review_status[]=suspicious,approved&state=pending')).toEqual([pending.id]);
    expect((await desk.account.api.get('/commissions', 'review_status=none')).status).toBe(422);
    desk.service.clock.advance(1, 'hours');
    expect(await ids(`updated_since=${encodeURIComponent(desk.service.clock.instant())}`)).toEqual([]);
    const expanded = await desk.commissions('expand[]=campaign&expand[]=sale');
    expect(expanded[0]).toMatchObject({ campaign: { id: friends.campaign.id }, sale: { id: voided.sale_id } });
    expect((await desk.commissions())[0]).not.toHaveProperty('campaign');
    expect((await desk.account.api.get('/commissions', 'expand=payout')).status).toBe(422);
    const one = await desk.account.api.get(`/commissions/${voided.id}`);
    expect(one.body).toMatchObject({ campaign: { id: friends.campaign.id }, sale: { id: voided.sale_id } });
    expect((await desk.account.api.get(`/commissions/${voided.id}`, 'expand[]=sale')).body).toEqual(one.body);
    expect((await desk.account.api.get(`/commissions/${voided.id}`, 'expand=payout')).status).toBe(422);
  });
});
