import { sweepDueCommissions } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

type Commission = Outputs['commissions']['get'];
type Payout = Outputs['payouts']['get'];

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
});

async function commissions(query = ''): Promise<Commission[]> {
  return (await account.api.get<{ data: Commission[] }>('/commissions', query)).body.data;
}

async function payouts(): Promise<Payout[]> {
  return (await account.api.get<{ data: Payout[] }>('/payouts')).body.data;
}

async function eventTypes(): Promise<string[]> {
  const rows = await service.services.database.kysely
    .selectFrom('event')
    .select('type')
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute();
  return rows.map(({ type }) => type);
}

/** Creates a sale of 100.00 through a new referral. */
async function earned(friends: Program, sale: object = {}): Promise<Commission> {
  service.clock.advance(1, 'seconds');
  const referral = await refer(account, friends);
  const { commission } = await sell(account, { referral_id: referral.id, ...sale });
  return (await account.api.get<Commission>(`/commissions/${commission!.id}`)).body;
}

describe('the commission of a sale', () => {
  it('is a share of charge minus tax, and falls due by the campaign’s terms', async () => {
    const friends = await program(account, { commission_percent: 12.5 });
    const commission = await earned(friends, {
      amount_cents: 11_990,
      tax_amount_cents: 1_997,
      customer_email: 'c@example.com',
      customer_name: 'Cy Young',
    });
    expect(commission).toMatchObject({
      state: 'pending',
      kind: 'sale',
      amount_cents: 1249, // 12.5 % of 99.93 is 12.49125
      currency: 'USD',
      livemode: true,
      paid_at: null,
      review_status: null,
      payout_id: null,
      campaign: { id: friends.campaign.id },
      sale: {
        charge_amount_cents: 11_990,
        tax_amount_cents: 1_997,
        sale_amount_cents: 9_993,
        referral: {
          psp_customer_id: null,
          customer: { email: 'c@example.com', name: 'Cy Young', first_name: 'Cy', last_name: 'Young' },
        },
        affiliate: { id: friends.affiliate.id, email: friends.affiliate.email, first_name: 'Ada', last_name: null },
      },
    });
    expect(Date.parse(commission.due_at) - Date.parse(commission.created_at)).toBe(30 * 86_400_000);
    expect(await eventTypes()).toEqual([
      'affiliate.created',
      'affiliate.approved',
      'referral.created',
      'referral.converted',
      'commission.created',
    ]);
  });

  it('is the fixed amount, whatever was paid, in its own currency', async () => {
    const friends = await program(account, {
      reward_type: 'fixed',
      commission_percent: undefined,
      commission_amount_cents: 700,
      commission_amount_currency: 'eur',
    });
    expect(await earned(friends, { amount_cents: 1 })).toMatchObject({ amount_cents: 700, currency: 'EUR' });
  });

  it.each([
    ['referral_deactivated', async ({ id }: { id: string }) => account.api.delete(`/referrals/${id}`)],
    [
      'affiliate_inactive',
      async (_: object, { affiliate }: Program) => account.api.patch(`/affiliates/${affiliate.id}`, { state: 'disabled' }),
    ],
    ['affiliate_inactive', async (_: object, { affiliate }: Program) => account.api.delete(`/affiliates/${affiliate.id}`)],
    ['campaign_archived', async (_: object, { campaign }: Program) => account.api.delete(`/campaigns/${campaign.id}`)],
  ])('is null: %s', async (reason, spoil) => {
    const friends = await program(account);
    const referral = await refer(account, friends);
    expect((await spoil(referral, friends)).status).toBeLessThan(300);
    const recorded = await sell(account, { referral_id: referral.id });
    expect(recorded).toMatchObject({ commission: null, reason });
    expect((await account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ conversion_state: 'visitor' });
  });

  it('is null after the referral expired, but not for one that converted in time', async () => {
    const friends = await program(account, { days_before_referrals_expire: 10 });
    const late = await refer(account, friends);
    const inTime = await refer(account, friends);
    expect((await sell(account, { referral_id: inTime.id, customer_email: 'loyal@example.com' })).commission).not.toBeNull();
    service.clock.advance(10, 'days');
    expect(await sell(account, { referral_id: late.id })).toMatchObject({ commission: null, reason: 'referral_expired' });
    expect((await sell(account, { customer_email: 'loyal@example.com' })).commission).toMatchObject({ referral_id: inTime.id });
  });

  it('is null for a customer whom nobody referred, and for a sale of zero', async () => {
    const friends = await program(account);
    expect(await sell(account, { customer_email: 'stranger@example.com' })).toMatchObject({
      commission: null,
      reason: 'no_referral',
    });
    const referral = await refer(account, friends);
    expect(await sell(account, { referral_id: referral.id, amount_cents: 0 })).toMatchObject({
      commission: null,
      reason: 'nothing_to_earn',
    });
  });

  it('stops at max_commissions, without counting voided ones, also for concurrent sales', async () => {
    const friends = await program(account, { max_commissions: 3 });
    const referral = await refer(account, friends);
    const sales = await Promise.all(Array.from({ length: 12 }, () => sell(account, { referral_id: referral.id })));
    expect(sales.filter(({ commission }) => commission !== null)).toHaveLength(3);
    expect(sales.filter(({ reason }) => reason === 'max_commissions_reached')).toHaveLength(9);
    const [first] = await commissions();
    await account.api.delete(`/commissions/${first!.id}`);
    expect((await sell(account, { referral_id: referral.id })).commission).not.toBeNull();
    expect((await sell(account, { referral_id: referral.id })).commission).toBeNull();
  });

  it('stops after the period since the first commission, in calendar months', async () => {
    const friends = await program(account, { max_commission_period_months: 1 });
    const referral = await refer(account, friends, { expires_at: '2999-01-01T00:00:00Z' });
    const at = (charged_at: string) => sell(account, { referral_id: referral.id, charged_at });
    expect((await at('2025-01-31T10:00:00Z')).commission).not.toBeNull();
    expect((await at('2025-02-28T09:59:59.999Z')).commission).not.toBeNull();
    expect(await at('2025-02-28T10:00:00Z')).toMatchObject({ commission: null, reason: 'commission_period_over' });
  });

  it('is flagged when the customer is the affiliate, in any spelling of the address', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 }, { email: 'ada.lovelace@gmail.com' });
    const commission = await earned(friends, { customer_email: 'AdaLovelace+shop@googlemail.com' });
    expect(commission).toMatchObject({ state: 'due', review_status: 'suspicious', payout_id: null });
    expect(await payouts()).toEqual([]);
  });
});

describe('attribution', () => {
  it('never moves a bound customer, and in a shared browser continues the referral for the second one', async () => {
    const friends = await program(account);
    const rival = await program(account);
    const first = await refer(account, friends);
    const second = await refer(account, rival);
    await sell(account, { referral_id: first.id, customer_email: 'a@example.com' });
    expect((await sell(account, { referral_id: second.id, customer_email: 'A@example.com' })).commission).toMatchObject({
      referral_id: first.id,
    });
    const { commission } = await sell(account, { referral_id: first.id, customer_email: 'b@example.com' });
    expect(commission).toMatchObject({ affiliate_id: friends.affiliate.id });
    expect(commission!.referral_id).not.toBe(first.id);
  });

  it('binds a new customer once for concurrent sales through several referrals, and loses none of them', async () => {
    const friends = await program(account);
    const referrals = await Promise.all(Array.from({ length: 8 }, () => refer(account, friends)));
    const sales = await Promise.all(
      referrals.map(({ id }) => sell(account, { referral_id: id, customer_email: 'racer@example.com' })),
    );
    expect(sales.every(({ commission }) => commission !== null)).toBe(true);
    // Each response reflects the facts known by then; in the end the first click has all commissions.
    const counted = async () => (await commissions()).filter(({ state }) => state !== 'voided');
    expect((await counted()).length).toBe(8);
    expect(new Set((await counted()).map(({ referral_id }) => referral_id)).size).toBe(1);
    const rivals = await Promise.all(Array.from({ length: 4 }, () => program(account)));
    const theirs = await Promise.all(rivals.map((rival) => refer(account, rival)));
    const raced = await Promise.all(
      theirs.map(({ id }) => sell(account, { referral_id: id, customer_email: 'second@example.com' })),
    );
    const raceIds = raced.map(({ sale }) => sale.id);
    const won = (await counted()).filter(({ sale_id }) => sale_id !== null && raceIds.includes(sale_id));
    expect(won.length).toBe(4);
    expect(new Set(won.map(({ affiliate_id }) => affiliate_id)).size).toBe(1);
  });

  it('attributes a waiting sale to the referral that its customer is bound to later, if it came after the visit', async () => {
    const friends = await program(account);
    const before = await sell(account, { customer_email: 'c@example.com', charged_at: '2025-01-01T00:00:00Z' });
    const referral = await refer(account, friends);
    const after = await sell(account, { customer_email: 'c@example.com' });
    expect([before.reason, after.reason]).toEqual(['no_referral', 'no_referral']);
    await account.api.patch(`/referrals/${referral.id}`, { customer_email: 'C@example.com' });
    expect(await commissions()).toMatchObject([{ sale_id: after.sale.id, referral_id: referral.id }]);
    expect((await account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ conversion_state: 'conversion' });
  });
});

describe('due dates', () => {
  it('are applied by the sweep: commissions join the open payout of their currency, and are announced once', async () => {
    const friends = await program(account);
    const referral = await refer(account, friends);
    for (const currency of ['USD', 'USD', 'EUR']) await sell(account, { referral_id: referral.id, currency });
    service.clock.advance(30, 'days');
    await Promise.all([sweepDueCommissions(service.services), sweepDueCommissions(service.services)]);
    await sweepDueCommissions(service.services);
    expect((await commissions('state=due')).map(({ amount_cents }) => amount_cents)).toEqual([1000, 1000, 1000]);
    const open = await payouts();
    expect(
      open
        .map(({ currency, amount_cents, commissions_count, state }) => ({ currency, amount_cents, commissions_count, state }))
        .toSorted((a, b) => a.amount_cents - b.amount_cents),
    ).toEqual([
      { currency: 'EUR', amount_cents: 1000, commissions_count: 1, state: 'due' },
      { currency: 'USD', amount_cents: 2000, commissions_count: 2, state: 'due' },
    ]);
    expect((await eventTypes()).filter((type) => type === 'commission.due')).toHaveLength(3);
    expect(await sweepDueCommissions(service.services)).toBe(0);
  });

  it('fall due although another affiliate with thousands of commissions is locked', async () => {
    const [busy, free] = [await program(account), await program(account)];
    const first = await earned(busy);
    const database = new Client({ connectionString: service.databaseUrl });
    await database.connect();
    // Adjustments of the same sale, so that more than one batch is locked.
    await database.query(
      `insert into commission
      select (jsonb_populate_record(commission, jsonb_build_object(
        'id', new_id('com', created_at), 'kind', 'adjustment', 'adjusts_commission_id', id))).*
      from commission, generate_series(1, 5001) where id = $1`,
      [first.id],
    );
    const other = await earned(free);
    service.clock.advance(31, 'days');
    try {
      await database.query('begin');
      await database.query('select from affiliate where id = $1 for no key update', [busy.affiliate.id]);
      expect(await sweepDueCommissions(service.services)).toBe(1);
      expect((await commissions('state=due')).map(({ id }) => id)).toEqual([other.id]);
      await database.query('rollback');
    } finally {
      await database.end();
    }
    expect(await sweepDueCommissions(service.services)).toBe(5_002);
    expect((await eventTypes()).filter((type) => type === 'commission.due')).toHaveLength(5_003);
  });

  it('can be changed: an unpaid commission moves between pending and due, in and out of its payout', async () => {
    const friends = await program(account);
    const commission = await earned(friends);
    const patch = (due_at: string) => account.api.patch(`/commissions/${commission.id}`, { due_at });
    expect((await patch('2025-01-01T00:00:00+02:00')).body).toMatchObject({
      state: 'due',
      due_at: '2024-12-31T22:00:00.000Z',
      payout_id: expect.any(String),
    });
    expect(await payouts()).toMatchObject([{ amount_cents: 1000, state: 'due' }]);
    expect((await patch('2999-01-01T00:00:00Z')).body).toMatchObject({ state: 'pending', payout_id: null });
    expect(await payouts()).toMatchObject([
      { amount_cents: 0, commissions_count: 0, state: 'pending', ineligible_reasons: ['not_positive'] },
    ]);
  });
});

describe('paid by hand', () => {
  it('leaves the open payout, and returns when it is reverted', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const commission = await earned(friends);
    const paid = await account.api.patch(`/commissions/${commission.id}`, { paid_at: '2026-01-01T00:00:00Z' });
    expect(paid.body).toMatchObject({ state: 'paid', paid_at: '2026-01-01T00:00:00.000Z', payout_id: null });
    expect(await payouts()).toMatchObject([{ amount_cents: 0 }]);
    expect((await account.api.patch(`/commissions/${commission.id}`, { paid_at: null })).body).toMatchObject({
      state: 'due',
      paid_at: null,
    });
    expect(await payouts()).toMatchObject([{ amount_cents: 1000 }]);
    const announced = async () => (await eventTypes()).filter((type) => type === 'commission.due').length;
    expect(await announced(), 'at creation, and when it came back').toBe(2);
    await account.api.patch(`/commissions/${commission.id}`, { paid_at: null });
    await account.api.patch(`/commissions/${commission.id}`, { due_at: '2026-01-01T00:00:00Z' });
    await account.api.post(`/commissions/${commission.id}/review`, { review_action: 'approve' });
    expect(await announced(), 'it was due all along').toBe(2);
    await account.api.patch(`/commissions/${commission.id}`, { paid_at: '2026-01-01T00:00:00Z' });
    const later = await account.api.patch(`/commissions/${commission.id}`, { paid_at: null, due_at: '2999-01-01T00:00:00Z' });
    expect(later.body).toMatchObject({ state: 'pending' });
  });

  it('is refused on a voided commission, in either form', async () => {
    const friends = await program(account);
    const commission = await earned(friends);
    await account.api.delete(`/commissions/${commission.id}`, { void_reason: 'chargeback' });
    for (const paid_at of ['2026-01-01T00:00:00Z', null]) {
      const reply = await account.api.patch(`/commissions/${commission.id}`, { paid_at });
      expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ path: 'paid_at' }] } });
    }
    expect((await commissions())[0]).toMatchObject({ state: 'voided', void_reason: 'chargeback' });
  });

  it('cannot be reverted while a paid payout holds it', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const commission = await earned(friends);
    await must(account, `/payouts/${commission.payout_id}/pay`, {}, 200);
    const reply = await account.api.patch(`/commissions/${commission.id}`, { paid_at: null });
    expect(reply).toMatchObject({ status: 422, body: { error: expect.stringContaining('Void it instead') } });
  });
});

describe('void', () => {
  it('removes a commission from its open payout, once', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const commission = await earned(friends);
    const replies = await Promise.all(Array.from({ length: 5 }, () => account.api.delete(`/commissions/${commission.id}`)));
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await payouts()).toMatchObject([{ amount_cents: 0, commissions_count: 0 }]);
    expect((await eventTypes()).filter((type) => type === 'commission.voided')).toHaveLength(1);
  });

  it('claws back what was paid, from the next payout', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const commission = await earned(friends);
    await must(account, `/payouts/${commission.payout_id}/pay`, {}, 200);
    await account.api.delete(`/commissions/${commission.id}`);
    const [adjustment] = await commissions();
    expect(adjustment).toMatchObject({
      kind: 'adjustment',
      state: 'due',
      amount_cents: -1000,
      adjusts_commission_id: commission.id,
    });
    await earned(friends, { amount_cents: 25_000 });
    const [open, paid] = await payouts();
    expect(open).toMatchObject({ amount_cents: 1500, commissions_count: 2, state: 'due' });
    expect(paid).toMatchObject({ amount_cents: 1000, state: 'paid', id: commission.payout_id });
  });
});

describe('refunds', () => {
  it('reduce the next payout after a paid commission, in any order and number', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const commission = await earned(friends);
    await must(account, `/payouts/${commission.payout_id}/pay`, {}, 200);
    const external_id = commission.sale!.external_id;
    await must(account, '/track/refunds', { external_id, refund_id: 'b', amount_cents: 2_500 });
    await must(account, '/track/refunds', { external_id, refund_id: 'a', amount_cents: 7_500 });
    await must(account, '/track/refunds', { external_id, refund_id: 'b', amount_cents: 2_500 }, 200);
    expect((await commissions()).map(({ amount_cents, state }) => [amount_cents, state])).toEqual([
      [-750, 'due'],
      [-250, 'due'],
      [1000, 'paid'],
    ]);
  });

  it('give back their share of the tax', async () => {
    const friends = await program(account);
    const commission = await earned(friends, { amount_cents: 11_000, tax_amount_cents: 1_000 });
    const external_id = commission.sale!.external_id;
    await must(account, '/track/refunds', { external_id, refund_id: 'half', amount_cents: 5_500 });
    expect((await commissions('expand=sale'))[0]).toMatchObject({ amount_cents: 500, sale: { sale_amount_cents: 5_000 } });
    await must(account, '/track/refunds', { external_id, refund_id: 'rest', amount_cents: 5_500 });
    expect((await commissions('expand=sale'))[0]).toMatchObject({ state: 'voided', sale: { sale_amount_cents: 0 } });
  });

  it('use the rate of the sale, not a rate that the campaign changed since', async () => {
    const friends = await program(account);
    const commission = await earned(friends);
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { commission_percent: 50 });
    await must(account, '/track/refunds', { external_id: commission.sale!.external_id, refund_id: 'r', amount_cents: 5_000 });
    expect((await commissions())[0]).toMatchObject({ amount_cents: 500 });
  });

  it('leave a fixed amount alone until the whole sale is refunded', async () => {
    const friends = await program(account, { reward_type: 'fixed', commission_percent: undefined, commission_amount_cents: 700 });
    const commission = await earned(friends);
    const external_id = commission.sale!.external_id;
    await must(account, '/track/refunds', { external_id, refund_id: '1', amount_cents: 9_999 });
    expect((await commissions())[0]).toMatchObject({ amount_cents: 700, state: 'pending' });
    await must(account, '/track/refunds', { external_id, refund_id: '2', amount_cents: 1 });
    expect((await commissions())[0]).toMatchObject({ amount_cents: 700, state: 'voided', void_reason: 'refunded' });
  });
});

describe('review', () => {
  const review = (id: string, review_action: string) => account.api.post(`/commissions/${id}/review`, { review_action });

  it('flags, keeps out of payouts while flagged, and approves', async () => {
    const friends = await program(account, { days_until_commissions_are_due: 0 });
    const commission = await earned(friends);
    expect((await review(commission.id, 'suspicious')).body).toMatchObject({ review_status: 'suspicious', payout_id: null });
    expect(await payouts()).toMatchObject([{ amount_cents: 0 }]);
    const approved = await review(commission.id, 'approve');
    expect(approved).toMatchObject({
      status: 200,
      body: { review_status: 'approved', state: 'due', payout_id: expect.any(String) },
    });
    expect(await payouts()).toMatchObject([{ amount_cents: 1000 }]);
  });

  it('keeps a flagged commission out when the sweep makes it due', async () => {
    const friends = await program(account);
    const commission = await earned(friends);
    await review(commission.id, 'suspicious');
    service.clock.advance(31, 'days');
    await sweepDueCommissions(service.services);
    expect((await commissions())[0]).toMatchObject({ state: 'due', payout_id: null });
    await review(commission.id, 'approve');
    expect(await payouts()).toMatchObject([{ amount_cents: 1000 }]);
  });

  it('deactivates: voids the commission and ends the referral', async () => {
    const friends = await program(account);
    const commission = await earned(friends);
    expect((await review(commission.id, 'deactivate')).body).toMatchObject({ state: 'voided' });
    expect((await account.api.get(`/referrals/${commission.referral_id}`)).body).toMatchObject({
      deactivated_at: expect.any(String),
    });
    expect(await sell(account, { referral_id: commission.referral_id })).toMatchObject({ reason: 'referral_deactivated' });
  });

  it('is refused for paid and voided commissions, and for unknown actions', async () => {
    const friends = await program(account);
    const commission = await earned(friends);
    expect(await review(commission.id, 'bless')).toMatchObject({ status: 422, body: { details: [{ path: 'review_action' }] } });
    await account.api.patch(`/commissions/${commission.id}`, { paid_at: '2026-01-01T00:00:00Z' });
    for (const action of ['approve', 'suspicious', 'deactivate']) expect((await review(commission.id, action)).status).toBe(422);
    await account.api.delete(`/commissions/${commission.id}`);
    expect((await review(commission.id, 'approve')).status).toBe(422);
  });
});

describe('list', () => {
  it('filters by several states in every form, by affiliate, campaign and time of change', async () => {
    const friends = await program(account);
    const rival = await program(account, { days_until_commissions_are_due: 0 });
    const pending = await earned(friends);
    const due = await earned(rival);
    const voided = await earned(friends);
    await account.api.delete(`/commissions/${voided.id}`);
    const ids = async (query: string) => (await commissions(query)).map(({ id }) => id);
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
    await account.api.post(`/commissions/${due.id}/review`, { review_action: 'suspicious' });
    await account.api.post(`/commissions/${pending.id}/review`, { review_action: 'approve' });
    expect(await ids('review_status=suspicious')).toEqual([due.id]);
    expect(await ids('review_status[]=suspicious,approved&state=pending')).toEqual([pending.id]);
    expect((await account.api.get('/commissions', 'review_status=none')).status).toBe(422);
    service.clock.advance(1, 'hours');
    expect(await ids(`updated_since=${encodeURIComponent(service.clock.instant())}`)).toEqual([]);
    const expanded = await commissions('expand[]=campaign&expand[]=sale');
    expect(expanded[0]).toMatchObject({ campaign: { id: friends.campaign.id }, sale: { id: voided.sale_id } });
    expect((await commissions())[0]).not.toHaveProperty('campaign');
    expect((await account.api.get('/commissions', 'expand=payout')).status).toBe(422);
    const one = await account.api.get(`/commissions/${voided.id}`);
    expect(one.body).toMatchObject({ campaign: { id: friends.campaign.id }, sale: { id: voided.sale_id } });
    expect((await account.api.get(`/commissions/${voided.id}`, 'expand[]=sale')).body).toEqual(one.body);
    expect((await account.api.get(`/commissions/${voided.id}`, 'expand=payout')).status).toBe(422);
  });
});
