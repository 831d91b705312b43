import { describe, expect, it } from 'vitest';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

type Payout = Outputs['payouts']['get'];

const service = useService();
const account = useAccount(service);
const friends = useProgram(account, { days_until_commissions_are_due: 0, minimum_payout_cents: 1_500 });

/** Creates a sale whose commission is `cents` and due at once. */
async function earn(cents: number, of: Program = friends): Promise<void> {
  service.clock.advance(1, 'seconds');
  const referral = await refer(account, of);
  await sell(account, { referral_id: referral.id, amount_cents: cents * 10 });
}

async function payouts(query = ''): Promise<Payout[]> {
  return (await account.api.get<{ data: Payout[] }>('/payouts', query)).body.data;
}

describe('eligibility', () => {
  it('depends on the current amount, affiliate and campaign', async () => {
    const state = async () => {
      const [payout] = await payouts();
      return [payout!.state, payout!.eligible, payout!.ineligible_reasons];
    };
    await earn(1_000);
    expect(await state()).toEqual(['pending', false, ['below_minimum']]);
    await earn(500);
    expect(await state()).toEqual(['due', true, []]);
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { state: 'suspicious' });
    expect(await state()).toEqual(['pending', false, ['on_hold']]);
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { state: 'disabled' });
    expect(await state()).toEqual(['pending', false, ['affiliate_inactive']]);
    await account.api.patch(`/affiliates/${friends.affiliate.id}`, { state: 'active' });
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { minimum_payout_cents: 5_000 });
    expect(await state()).toEqual(['pending', false, ['below_minimum']]);
    await account.api.patch(`/campaigns/${friends.campaign.id}`, { minimum_payout_currency: 'EUR' });
    expect(await state()).toEqual(['due', true, []]);
    await account.api.delete(`/affiliates/${friends.affiliate.id}`);
    expect(await state()).toEqual(['pending', false, ['affiliate_inactive']]);
  });

  it('lists payable payouts completely and without pagination; eligible=false lists the others', async () => {
    const others = await Promise.all(Array.from({ length: 12 }, () => program(account, { days_until_commissions_are_due: 0 })));
    for (const other of others) await earn(10, other);
    await earn(10);
    const eligible = await account.api.get<{ data: Payout[] }>('/payouts', 'eligible=true&limit=5');
    expect(Object.keys(eligible.body)).toEqual(['data']);
    expect(eligible.body.data).toHaveLength(12);
    expect(new Set(eligible.body.data.map(({ state }) => state))).toEqual(new Set(['due']));
    for (const query of ['eligible=false', 'eligible=0']) {
      expect(await payouts(query)).toMatchObject([{ affiliate_id: friends.affiliate.id, state: 'pending' }]);
    }
    expect((await account.api.get('/payouts', 'eligible=no')).status).toBe(422);
    expect((await payouts('state=due&limit=100')).length).toBe(12);
    expect(await payouts('state[]=pending')).toHaveLength(1);
    expect(await payouts('state=paid,processing')).toEqual([]);
  });
});

describe('paying a payout', () => {
  it('marks payout and commissions paid together, including commissions before their due date, and emits payout.paid', async () => {
    await earn(1_000);
    const [open] = await payouts();
    const paid = await account.api.post<Payout>(`/payouts/${open!.id}/pay`, { payment_reference: 'transfer 7' });
    expect(paid).toMatchObject({
      status: 200,
      body: {
        state: 'paid',
        payment_reference: 'transfer 7',
        paid_at: service.clock.instant(),
        eligible: false,
        ineligible_reasons: [],
      },
    });
    const [payout] = await payouts('expand=commissions,affiliate');
    expect(payout).toMatchObject({
      affiliate: { id: friends.affiliate.id },
      commissions: [{ state: 'paid', paid_at: service.clock.instant() }],
    });
    const [event] = await service.services.database.kysely
      .selectFrom('event')
      .select('body')
      .where('account_id', '=', account.id)
      .where('type', '=', 'payout.paid')
      .execute();
    const { affiliate: _a, commissions, ...record } = payout!;
    expect(JSON.parse(event!.body)).toMatchObject({
      type: 'payout.paid',
      data: { ...record, commission_ids: commissions!.map(({ id }) => id) },
    });
  });

  it('pays once for 50 concurrent requests, and starts the next payout afterwards', async () => {
    await earn(2_000);
    const [open] = await payouts();
    const replies = await Promise.all(Array.from({ length: 50 }, () => account.api.post(`/payouts/${open!.id}/pay`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status, body }) => status === 422 && body['code'] === 'VALIDATION_ERROR')).toHaveLength(49);
    const events = await service.services.database.kysely
      .selectFrom('event')
      .select('id')
      .where('account_id', '=', account.id)
      .where('type', '=', 'payout.paid')
      .execute();
    expect(events).toHaveLength(1);
    await earn(2_000);
    expect(await payouts()).toMatchObject([{ state: 'due' }, { id: open!.id, state: 'paid' }]);
  });

  it('loses no cent in concurrent sales, refunds, voids and payments', async () => {
    const referral = await refer(account, friends);
    const jobs = Array.from({ length: 60 }, async (_, i) => {
      const external_id = `sale-${i}`;
      const { commission } = await sell(account, { external_id, referral_id: referral.id, amount_cents: 10_007 });
      if (i % 3 === 0) await must(account, '/track/refunds', { external_id, refund_id: `refund-${i}`, amount_cents: 5_000 });
      if (i % 5 === 0) await account.api.delete(`/commissions/${commission!.id}`);
      if (i % 7 === 0)
        for (const payout of await payouts('state=due,pending')) await account.api.post(`/payouts/${payout.id}/pay`);
    });
    await Promise.all(jobs);
    const amounts = await service.services.database.kysely
      .selectFrom('payout')
      .leftJoin('payout_item', 'payout_id', 'payout.id')
      .leftJoin('commission', 'commission.id', 'commission_id')
      .where('payout.account_id', '=', account.id)
      .groupBy('payout.id')
      .select(({ fn }) => ['payout.amount_cents', fn.sum<number>('commission.amount_cents').as('items_cents')])
      .execute();
    for (const payout of amounts) expect(payout.amount_cents).toBe(payout.items_cents ?? 0);
    let expected = 0;
    for (let i = 0; i < 60; i += 1) if (i % 5 !== 0) expected += i % 3 === 0 ? 501 : 1001;
    expect(amounts.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(expected);
  });
});
