import { describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { program, type Program, refer, sell, unique } from '../support/program.ts';
import { type Commission, useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

interface Shared {
  friends: Program;
  referral: { id: string };
  /** Commission of the customer who was the first to use the referral. */
  first: Commission;
  second: Commission;
  /** Reports a sale of one of the customers, by default of 100.00. */
  buy: (who: 'first' | 'second', sale?: Fields) => ReturnType<typeof sell>;
  /** Reports a fact that names both customers, which merges them. */
  merge: () => Promise<void>;
}

/** Creates two customers who came by the same referral, each with a sale of 100.00. `older` says which customer record is the older one. */
async function shared(terms: Fields, older: 'first' | 'second'): Promise<Shared> {
  const friends = await program(desk.account, terms);
  const referral = await refer(desk.account, friends);
  const names = { first: { customer_email: `${unique('ada')}@example.com` }, second: { psp_customer_id: unique('cus') } };
  if (older === 'second') await sell(desk.account, { ...names.second, amount_cents: 0 });
  const buy = (who: 'first' | 'second', sale: Fields = {}) => {
    desk.service.clock.advance(1, 'minutes');
    return sell(desk.account, { ...names[who], ...sale });
  };
  const commissionOf = async (who: 'first' | 'second') => {
    const { commission } = await buy(who, { referral_id: referral.id });
    return (await desk.account.api.get<Commission>(`/commissions/${commission!.id}`)).body;
  };
  const first = await commissionOf('first');
  const second = await commissionOf('second');
  expect(second.referral_id).not.toBe(first.referral_id);
  const external_id = unique('merging');
  const merge = async () => {
    desk.service.clock.advance(1, 'minutes');
    await desk.account.api.post('/track/sales', {
      external_id,
      ...names.first,
      ...names.second,
      amount_cents: 0,
      currency: 'USD',
    });
    const { kysely } = desk.service.services.database;
    const sales = kysely.selectFrom('sale').select('customer_id').distinct().where('account_id', '=', desk.account.id);
    expect(await sales.execute()).toHaveLength(1);
    // After the merge, all sales and commissions must belong to the customer's current referral.
    const referrals = kysely.selectFrom('referral').select('id').where('account_id', '=', desk.account.id);
    const [bound] = await referrals.where('customer_id', 'is not', null).execute();
    const standing = (await desk.commissions()).filter(
      ({ kind, void_reason }) => kind === 'sale' && void_reason !== 'reattributed',
    );
    const superseded = standing.filter(({ referral_id }) => referral_id !== bound!.id);
    expect(superseded.map(({ state }) => state)).toEqual(superseded.map(() => 'paid'));
  };
  return { friends, referral, first, second, buy, merge };
}

const pay = async ({ id }: Commission) => {
  const { status } = await desk.account.api.patch(`/commissions/${id}`, { paid_at: desk.service.clock.instant() });
  expect(status).toBe(200);
};

/** Returns every commission, oldest first. */
async function earned() {
  const commissions = (await desk.commissions()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return commissions.map(({ id, state, kind, amount_cents, sale_id }) => ({ id, state, kind, amount_cents, sale_id }));
}

describe.each(['first', 'second'] as const)(
  'merging two customers of a shared referral, the %s of whom is the older,',
  (older) => {
    it.each(['first_click', 'last_click'])('leaves their commissions unchanged (%s)', async (attribution) => {
      const { first, second, merge } = await shared({ attribution }, older);
      const before = await earned();
      await merge();
      expect(await earned()).toEqual(before);
      expect(before).toMatchObject([{ id: first.id }, { id: second.id }]);
      await merge();
      expect(await earned()).toEqual(before);
    });

    it.each(['first', 'second'] as const)('leaves the commission of the %s paid, without an adjustment', async (paid) => {
      const { merge, ...each } = await shared({}, older);
      await pay(each[paid]);
      const before = await earned();
      await merge();
      expect(await earned()).toEqual(before);
    });

    it('keeps the rates at which their commissions were earned', async () => {
      const { friends, merge } = await shared({}, older);
      await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { commission_percent: 50 });
      await merge();
      expect((await earned()).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
        ['pending', 1_000],
        ['pending', 1_000],
      ]);
    });

    it.each(['first', 'second'] as const)('leaves the voided commission of the %s voided', async (voided) => {
      const { merge, ...each } = await shared({}, older);
      await desk.account.api.delete(`/commissions/${each[voided].id}`);
      const before = await earned();
      await merge();
      expect(await earned()).toEqual(before);
    });

    it('leaves their commissions unchanged, even if the affiliate was disabled later', async () => {
      const { friends, merge } = await shared({}, older);
      desk.service.clock.advance(1, 'minutes');
      await desk.account.api.patch(`/affiliates/${friends.affiliate.id}`, { state: 'disabled' });
      const before = await earned();
      await merge();
      expect(await earned()).toEqual(before);
    });

    it.each(['first', 'second'] as const)(
      'leaves their commissions unchanged, even if the referral of the %s was deactivated later',
      async (ended) => {
        const { merge, ...each } = await shared({}, older);
        desk.service.clock.advance(1, 'minutes');
        await desk.account.api.delete(`/referrals/${each[ended].referral_id}`);
        const before = await earned();
        await merge();
        expect(await earned()).toEqual(before);
      },
    );

    it('leaves their commissions unchanged if they were within the limits at the time', async () => {
      const { friends, merge } = await shared({}, older);
      const before = await earned();
      desk.service.clock.advance(1, 'seconds');
      await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { max_commissions: 1 });
      await merge();
      expect(await earned()).toEqual(before);
    });

    it('does not earn for a sale that a limit refused, even if the limit was lifted later', async () => {
      const { friends, buy, merge } = await shared({ max_commissions: 1 }, older);
      expect(await buy('second')).toMatchObject({ commission: null, reason: 'max_commissions_reached' });
      const before = await earned();
      desk.service.clock.advance(1, 'seconds');
      await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { max_commissions: null });
      await merge();
      // After the merge there is only one customer, and the limit of one commission applies to all of that customer's sales.
      expect(await earned()).toEqual([before[0], { ...before[1], state: 'voided' }]);
      expect(await buy('second')).toMatchObject({ commission: { amount_cents: 1_000 } });
    });

    it('voids commissions of the second after the period of the first', async () => {
      const { buy, merge } = await shared({ max_commission_period_months: 1 }, older);
      const { sale } = await buy('first');
      const charged = new Date(sale.charged_at);
      charged.setUTCMonth(charged.getUTCMonth() + 1);
      // This sale is after the end of the first customer's period, and before the end of the second customer's, which began a minute later.
      const over = new Date(charged.getTime() - 90_000).toISOString();
      desk.service.clock.advance(32, 'days');
      expect(await buy('first', { charged_at: over })).toMatchObject({ commission: null, reason: 'commission_period_over' });
      expect(await buy('second', { charged_at: over })).toMatchObject({ commission: { amount_cents: 1_000 } });
      const before = await earned();
      await merge();
      expect(await earned()).toEqual([...before.slice(0, 3), { ...before[3], state: 'voided' }]);
    });

    describe('with a limit of one', () => {
      const terms = { max_commissions: 1 };

      it('keeps the commission of the first sale, and voids the other', async () => {
        const { merge } = await shared(terms, older);
        const [first, second] = await earned();
        await merge();
        expect(await earned()).toEqual([first, { ...second, state: 'voided' }]);
        await merge();
        expect(await earned()).toEqual([first, { ...second, state: 'voided' }]);
      });

      it('keeps the paid commission of the first sale, and voids the other', async () => {
        const { first, merge } = await shared(terms, older);
        await pay(first);
        const [paid, second] = await earned();
        await merge();
        expect(await earned()).toEqual([paid, { ...second, state: 'voided' }]);
      });

      it('keeps the commission of the second sale if it is paid, and voids the first', async () => {
        const { second, merge } = await shared(terms, older);
        await pay(second);
        const [first, paid] = await earned();
        await merge();
        expect(await earned()).toEqual([{ ...first, state: 'voided' }, paid]);
        await merge();
        expect(await earned()).toEqual([{ ...first, state: 'voided' }, paid]);
      });
    });
  },
);

it('customers who continued the same referral can be merged, and its limit then applies to them as one customer', async () => {
  const { friends, referral, second, merge } = await shared({ max_commissions: 1 }, 'first');
  const third = { customer_email: `${unique('eve')}@example.com` };
  desk.service.clock.advance(1, 'minutes');
  const { commission } = await sell(desk.account, { ...third, referral_id: referral.id });
  expect(commission!.referral_id).not.toBe(second.referral_id);
  await pay(second);
  const [ofFirst, ofSecond] = await earned();
  const { body } = await desk.account.api.get<{ customer: { psp_customer_id: string } }>(
    `/referrals/${second.referral_id}`,
    'expand=customer',
  );
  await sell(desk.account, { ...third, psp_customer_id: body.customer.psp_customer_id, amount_cents: 0 });
  expect(await earned()).toEqual([ofFirst, ofSecond, expect.objectContaining({ id: commission!.id, state: 'voided' })]);
  await merge();
  expect((await earned()).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
    ['voided', 1_000],
    ['paid', 1_000],
    ['voided', 1_000],
  ]);
  // The merge left this referral unused. It must not be given to another customer.
  const fourth = await sell(desk.account, {
    customer_email: `${unique('dan')}@example.com`,
    referral_id: commission!.referral_id,
  });
  expect(fourth.commission!.affiliate_id).toBe(friends.affiliate.id);
  expect(fourth.commission!.referral_id).not.toBe(commission!.referral_id);
});

it('merging two customers with different referrals of the same affiliate leaves their commissions unchanged', async () => {
  const friends = await program(desk.account);
  const names = [{ customer_email: `${unique('ada')}@example.com` }, { psp_customer_id: unique('cus') }];
  for (const name of names) {
    const { id } = await refer(desk.account, friends);
    desk.service.clock.advance(1, 'minutes');
    await sell(desk.account, { ...name, referral_id: id });
  }
  const before = await earned();
  desk.service.clock.advance(1, 'minutes');
  await desk.account.api.patch(`/campaigns/${friends.campaign.id}`, { commission_percent: 50 });
  await desk.account.api.patch(`/affiliates/${friends.affiliate.id}`, { state: 'disabled' });
  await sell(desk.account, { ...names[0], ...names[1], amount_cents: 0 });
  expect(await earned()).toEqual(before);
});
