import { describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, type Program, program, refer, sell, unique } from '../support/program.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

describe('the commission of a sale', () => {
  it('is a share of charge minus tax, and falls due by the campaign’s terms', async () => {
    const friends = await program(desk.account, { commission_percent: 12.5 });
    const commission = await desk.earned(friends, {
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
    expect(await desk.eventTypes()).toEqual([
      'campaign.created',
      'affiliate.created',
      'affiliate.approved',
      'link.created',
      'referral.created',
      'customer.created',
      'referral.converted',
      'sale.recorded',
      'commission.created',
    ]);
  });

  it('is the fixed amount, whatever was paid, in its own currency', async () => {
    const friends = await program(desk.account, {
      reward_type: 'fixed',
      commission_percent: undefined,
      commission_amount_cents: 700,
      commission_amount_currency: 'eur',
    });
    expect(await desk.earned(friends, { amount_cents: 1 })).toMatchObject({ amount_cents: 700, currency: 'EUR' });
  });

  it.each([
    ['referral_deactivated', async ({ id }: { id: string }) => desk.account.api.delete(`/referrals/${id}`)],
    [
      'affiliate_inactive',
      async (_: object, { affiliate }: Program) => desk.account.api.patch(`/affiliates/${affiliate.id}`, { state: 'disabled' }),
    ],
    ['affiliate_inactive', async (_: object, { affiliate }: Program) => desk.account.api.delete(`/affiliates/${affiliate.id}`)],
    ['campaign_archived', async (_: object, { campaign }: Program) => desk.account.api.delete(`/campaigns/${campaign.id}`)],
  ])('is null: %s', async (reason, spoil) => {
    const friends = await program(desk.account);
    const referral = await refer(desk.account, friends);
    expect((await spoil(referral, friends)).status).toBeLessThan(300);
    const recorded = await sell(desk.account, { referral_id: referral.id });
    expect(recorded).toMatchObject({ commission: null, reason });
    expect((await desk.account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ conversion_state: 'visitor' });
  });

  it('is null after the referral expired, unless the referral converted in time', async () => {
    const friends = await program(desk.account, { days_before_referrals_expire: 10 });
    const late = await refer(desk.account, friends);
    const inTime = await refer(desk.account, friends);
    expect((await sell(desk.account, { referral_id: inTime.id, customer_email: 'loyal@example.com' })).commission).not.toBeNull();
    desk.service.clock.advance(10, 'days');
    expect(await sell(desk.account, { referral_id: late.id })).toMatchObject({ commission: null, reason: 'referral_expired' });
    expect((await sell(desk.account, { customer_email: 'loyal@example.com' })).commission).toMatchObject({
      referral_id: inTime.id,
    });
  });

  it('is null for a customer without a referral and for a sale of zero', async () => {
    const friends = await program(desk.account);
    expect(await sell(desk.account, { customer_email: 'stranger@example.com' })).toMatchObject({
      commission: null,
      reason: 'no_referral',
    });
    const referral = await refer(desk.account, friends);
    expect(await sell(desk.account, { referral_id: referral.id, amount_cents: 0 })).toMatchObject({
      commission: null,
      reason: 'nothing_to_earn',
    });
  });

  it('is null after max_commissions, not counting voided commissions, even for concurrent sales', async () => {
    const friends = await program(desk.account, { max_commissions: 3 });
    const referral = await refer(desk.account, friends);
    const sales = await Promise.all(Array.from({ length: 12 }, () => sell(desk.account, { referral_id: referral.id })));
    expect(sales.filter(({ commission }) => commission !== null)).toHaveLength(3);
    expect(sales.filter(({ reason }) => reason === 'max_commissions_reached')).toHaveLength(9);
    const [first] = await desk.commissions();
    await desk.account.api.delete(`/commissions/${first!.id}`);
    expect((await sell(desk.account, { referral_id: referral.id })).commission).not.toBeNull();
    expect((await sell(desk.account, { referral_id: referral.id })).commission).toBeNull();
  });

  it('is null after the campaign’s period of calendar months since the first commission', async () => {
    const friends = await program(desk.account, { max_commission_period_months: 1 });
    const referral = await refer(desk.account, friends, { expires_at: '2999-01-01T00:00:00Z' });
    const at = (charged_at: string) => sell(desk.account, { referral_id: referral.id, charged_at });
    expect((await at('2025-01-31T10:00:00Z')).commission).not.toBeNull();
    expect((await at('2025-02-28T09:59:59.999Z')).commission).not.toBeNull();
    expect(await at('2025-02-28T10:00:00Z')).toMatchObject({ commission: null, reason: 'commission_period_over' });
  });

  it('is flagged when the customer is the affiliate, in any spelling of the address', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 }, { email: 'ada.lovelace@gmail.com' });
    const commission = await desk.earned(friends, { customer_email: 'AdaLovelace+shop@googlemail.com' });
    expect(commission).toMatchObject({ state: 'due', review_status: 'suspicious', payout_id: null });
    expect(await desk.payouts()).toEqual([]);
  });
});

describe('attribution', () => {
  it('never moves a bound customer, and continues the referral for a second customer in the same browser', async () => {
    const friends = await program(desk.account);
    const rival = await program(desk.account);
    const first = await refer(desk.account, friends);
    const second = await refer(desk.account, rival);
    await sell(desk.account, { referral_id: first.id, customer_email: 'a@example.com' });
    expect((await sell(desk.account, { referral_id: second.id, customer_email: 'A@example.com' })).commission).toMatchObject({
      referral_id: first.id,
    });
    const { commission } = await sell(desk.account, { referral_id: first.id, customer_email: 'b@example.com' });
    expect(commission).toMatchObject({ affiliate_id: friends.affiliate.id });
    expect(commission!.referral_id).not.toBe(first.id);
  });

  it('binds a new customer once for concurrent sales through several referrals, and loses no sale', async () => {
    const friends = await program(desk.account);
    const referrals = await Promise.all(Array.from({ length: 8 }, () => refer(desk.account, friends)));
    const sales = await Promise.all(
      referrals.map(({ id }) => sell(desk.account, { referral_id: id, customer_email: 'racer@example.com' })),
    );
    expect(sales.every(({ commission }) => commission !== null)).toBe(true);
    // Each response shows the attribution at the time of the response. In the end, all commissions belong to the first click.
    const counted = async () => (await desk.commissions()).filter(({ state }) => state !== 'voided');
    expect((await counted()).length).toBe(8);
    expect(new Set((await counted()).map(({ referral_id }) => referral_id)).size).toBe(1);
    const rivals = await Promise.all(Array.from({ length: 4 }, () => program(desk.account)));
    const theirs = await Promise.all(rivals.map((rival) => refer(desk.account, rival)));
    const raced = await Promise.all(
      theirs.map(({ id }) => sell(desk.account, { referral_id: id, customer_email: 'second@example.com' })),
    );
    const raceIds = raced.map(({ sale }) => sale.id);
    const won = (await counted()).filter(({ sale_id }) => sale_id !== null && raceIds.includes(sale_id));
    expect(won.length).toBe(4);
    expect(new Set(won.map(({ affiliate_id }) => affiliate_id)).size).toBe(1);
  });

  it('attributes an unattributed sale when its customer is bound to a referral later, if the sale came after the visit', async () => {
    const friends = await program(desk.account);
    const before = await sell(desk.account, { customer_email: 'c@example.com', charged_at: '2025-01-01T00:00:00Z' });
    const referral = await refer(desk.account, friends);
    const after = await sell(desk.account, { customer_email: 'c@example.com' });
    expect([before.reason, after.reason]).toEqual(['no_referral', 'no_referral']);
    await desk.account.api.patch(`/referrals/${referral.id}`, { customer_email: 'C@example.com' });
    expect(await desk.commissions()).toMatchObject([{ sale_id: after.sale.id, referral_id: referral.id }]);
    expect((await desk.account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ conversion_state: 'conversion' });
  });
});

describe('later changes of campaign terms', () => {
  it('keep commissions earned under an earlier limit, and limit later sales', async () => {
    const friends = await program(desk.account);
    const { id: referral_id } = await refer(desk.account, friends);
    const sale = { referral_id, customer_email: `${unique('x')}@buyer.example` };
    const external_id = unique('order');
    await sell(desk.account, { ...sale, external_id });
    await sell(desk.account, sale);
    // A change counts for charges of its own moment.
    desk.service.clock.advance(1, 'minutes');
    await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { max_commissions: 1 });
    expect(await sell(desk.account, sale)).toMatchObject({ commission: null, reason: 'max_commissions_reached' });
    desk.service.clock.advance(1, 'minutes');
    await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { max_commissions: 9 });
    await must(desk.account, '/track/refunds', { external_id, refund_id: unique('back'), amount_cents: 5_000 });
    const { body } = await desk.account.api.get<{ data: { state: string; amount_cents: number }[] }>('/commissions', {
      affiliate_id: friends.affiliate.id,
    });
    expect(body.data).toMatchObject([
      { state: 'pending', amount_cents: 1_000 },
      { state: 'pending', amount_cents: 500 },
    ]);
  });

  describe('of the reward', () => {
    /** A referral whose customer buys once a minute, and a campaign whose terms can be changed in between. */
    async function regular(terms: Fields) {
      const friends = await program(desk.account, terms);
      const { id: referral_id } = await refer(desk.account, friends);
      const customer_email = `${unique('x')}@buyer.example`;
      const buy = async (more: Fields = {}) => {
        desk.service.clock.advance(1, 'minutes');
        const { commission, reason } = await sell(desk.account, { referral_id, customer_email, ...more });
        return commission?.amount_cents ?? reason;
      };
      const change = async (changed: Fields) => {
        desk.service.clock.advance(1, 'minutes');
        expect((await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, changed)).status).toBe(200);
      };
      const standing = async () =>
        (await desk.commissions(`affiliate_id=${friends.affiliate.id}`)).map(
          ({ state, amount_cents }) => `${state} ${amount_cents}`,
        );
      return { buy, change, standing };
    }

    const REWARDS = {
      'a percentage': { reward_type: 'percent', commission_percent: 10 },
      'a higher percentage': { reward_type: 'percent', commission_percent: 20 },
      'no percentage': { reward_type: 'percent', commission_percent: 0 },
      'a fixed amount': { reward_type: 'fixed', commission_amount_cents: 700, commission_amount_currency: 'USD' },
      'no fixed amount': { reward_type: 'fixed', commission_amount_cents: 0, commission_amount_currency: 'USD' },
    } as const;
    const amountOf = (reward: keyof typeof REWARDS) =>
      ({ 'a percentage': 1_000, 'a higher percentage': 2_000, 'a fixed amount': 700, 'no percentage': 0, 'no fixed amount': 0 })[
        reward
      ];
    const names = Object.keys(REWARDS) as (keyof typeof REWARDS)[];

    it.each(names.flatMap((first) => names.map((second) => [first, second] as const)))(
      'from %s to %s leave the limit to the commissions that were earned',
      async (first, second) => {
        const { buy, change, standing } = await regular({ ...REWARDS[first], max_commissions: 1 });
        const [before, after] = [amountOf(first), amountOf(second)];
        const outcomes = [await buy()];
        await change(REWARDS[second]);
        outcomes.push(await buy(), await buy());
        await change(REWARDS['a percentage']);
        outcomes.push(await buy());
        const full = 'max_commissions_reached';
        const none = 'nothing_to_earn';
        const between = after === 0 ? none : full;
        expect(outcomes).toEqual(
          before > 0 ? [before, between, between, full] : after > 0 ? [none, after, full, full] : [none, none, none, 1_000],
        );
        expect(await standing()).toEqual([`pending ${before || after || 1_000}`]);
      },
    );

    it('leave the period to the first commission that was earned', async () => {
      const { buy, change, standing } = await regular({ max_commission_period_months: 1 });
      expect(await buy()).toBe(1_000);
      await change({ commission_percent: 0 });
      desk.service.clock.advance(40, 'days');
      expect(await buy()).toBe('nothing_to_earn');
      await change({ commission_percent: 10 });
      expect(await buy()).toBe('commission_period_over');
      expect(await standing()).toEqual(['pending 1000']);
    });

    it('do not make an earlier sale earn that earned nothing, with or without limits', async () => {
      const { buy, change, standing } = await regular({ commission_percent: 0 });
      expect(await buy()).toBe('nothing_to_earn');
      await change({ commission_percent: 10 });
      expect(await buy({ amount_cents: 5_000 })).toBe(500);
      expect(await standing()).toEqual(['pending 500']);
    });

    it('let an earlier sale that earned nothing earn when a person assigns it', async () => {
      const friends = await program(desk.account, { commission_percent: 0 });
      const { id: referral_id } = await refer(desk.account, friends);
      const { sale, reason } = await sell(desk.account, { referral_id, customer_email: `${unique('x')}@buyer.example` });
      expect(reason).toBe('nothing_to_earn');
      await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { commission_percent: 10 });
      const assigned = await desk.account.client.sales.assign.mutate({ id: sale.id, affiliate_id: friends.affiliate.id });
      expect(assigned).toMatchObject({ commission: { amount_cents: 1_000, referral_id } });
    });

    it('let an earlier sale that exceeded the limit earn when a person assigns it', async () => {
      const friends = await program(desk.account, { max_commissions: 1 });
      const { id: referral_id } = await refer(desk.account, friends);
      const customer_email = `${unique('x')}@buyer.example`;
      await sell(desk.account, { referral_id, customer_email });
      desk.service.clock.advance(1, 'minutes');
      const { sale, reason } = await sell(desk.account, { referral_id, customer_email });
      expect(reason).toBe('max_commissions_reached');
      desk.service.clock.advance(1, 'minutes');
      await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { max_commissions: 2 });
      const assigned = await desk.account.client.sales.assign.mutate({ id: sale.id, affiliate_id: friends.affiliate.id });
      expect(assigned).toMatchObject({ commission: { amount_cents: 1_000, referral_id } });
    });

    it('do not free the place of a paid commission, but a full refund does', async () => {
      const { buy, change } = await regular({ max_commissions: 1 });
      const external_id = unique('order');
      expect(await buy({ external_id })).toBe(1_000);
      const [earned] = await desk.commissions();
      await desk.account.api.patch(`/commissions/${earned!.id}`, { paid_at: desk.service.clock.instant() });
      await change({ commission_percent: 0 });
      await change({ commission_percent: 5 });
      expect(await buy()).toBe('max_commissions_reached');
      await must(desk.account, '/track/refunds', { external_id, refund_id: unique('back'), amount_cents: 10_000 });
      expect((await desk.commissions()).map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
        ['sale', 500],
        ['adjustment', -1_000],
        ['sale', 1_000],
      ]);
    });
  });

  it('keep a commission, even a paid commission, with the click that earned it', async () => {
    const [first, second] = [await program(desk.account), await program(desk.account)];
    const customer_email = `${unique('x')}@buyer.example`;
    const earlier = await refer(desk.account, first);
    await must(desk.account, '/track/leads', { referral_id: earlier.id, email: customer_email }, 200);
    desk.service.clock.advance(1, 'minutes');
    const later = await refer(desk.account, second);
    const external_id = unique('order');
    const { commission } = await sell(desk.account, { external_id, referral_id: later.id, customer_email });
    expect(commission).toMatchObject({ affiliate_id: first.affiliate.id });
    const paid_at = desk.service.clock.instant();
    await desk.account.api.patch(`/commissions/${commission!.id}`, { paid_at });
    await desk.account.api.patch(`/campaigns/${second.campaign.id}`, { attribution: 'last_click' });
    await must(desk.account, '/track/refunds', { external_id, refund_id: unique('back'), amount_cents: 5_000 });
    const { body } = await desk.account.api.get<{ data: { affiliate_id: string; amount_cents: number }[] }>('/commissions');
    expect(body.data.map(({ affiliate_id, amount_cents }) => [affiliate_id, amount_cents])).toEqual([
      [first.affiliate.id, -500],
      [first.affiliate.id, 1_000],
    ]);
  });
});
