import { describe, expect, test } from 'vitest';
import { refund, refundedCharge, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import { oneOffPayment, TRIED_ORDERS } from './event-shop.ts';
import { type ListedCommission, useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

/** Returns the provider's events of a purchase, and the merchant's report of the same purchase. */
async function purchase(referralId?: null) {
  const { buyer, paid, events } = oneOffPayment(referralId === null ? null : await shop.refer());
  // Less than the five minutes for which signatures are accepted.
  shop.service.clock.advance(2, 'minutes');
  const charged = new Date(paid.created * 1000 + 60_000).toISOString();
  const report = {
    external_id: crypto.randomUUID(),
    customer_email: buyer.email,
    amount_cents: 11_900,
    tax_amount_cents: 1_900,
    currency: 'EUR',
    charged_at: charged,
  };
  return { paid, events, report };
}

const flags = (of: ListedCommission[]) =>
  of.map(({ sale, review_status, review_reason }) => [sale.external_id !== null, review_status, review_reason]);

/** Returns the refunds in the timelines of the only sale and of the affiliate. */
async function refundsInTimelines(): Promise<string[]> {
  const call = shop.merchant.call();
  const [sale] = (await call.sales.list({})).data;
  const timelines = [
    await call.sales.timeline({ id: sale!.id }),
    await call.affiliates.timeline({ id: shop.program.affiliateId }),
  ];
  return timelines.map(({ entries }) =>
    entries
      .flatMap(({ kind, amount_cents, currency }) => (kind === 'refund' ? [`${amount_cents} ${currency}`] : []))
      .toSorted()
      .join(', '),
  );
}

describe('a sale that names the provider’s payment', () => {
  test.each([
    ['without a tax', 11_900, 2_000],
    ['of another amount without a tax', 12_000, 2_380],
  ])('is told %s, so that the tax of a report of the same amount counts, in both orders', async (_, amount_cents, earned) => {
    for (const providerFirst of [true, false]) {
      await reopen();
      const { paid, events, report } = await purchase(null);
      const charged = events.find(({ type }) => type === 'charge.succeeded')!;
      const named = { ...report, amount_cents, psp_charge_id: paid.id, referral_id: await shop.refer() };
      if (providerFirst) await deliver(charged);
      await post(named);
      if (!providerFirst) await deliver(charged);
      const half = refundedCharge(paid, [refund(paid, { amount: 5_950 })]);
      expect(await commissions()).toMatchObject([{ amount_cents: earned, sale: { charge_amount_cents: 11_900 } }]);
      expect((await post(named)).status).toBe(200);
      await deliver(wireEvent('charge.refunded', half));
      expect(await commissions()).toMatchObject([{ amount_cents: earned / 2, sale: { refund_amount_cents: 5_950 } }]);
    }
  });

  test.each(['psp_charge_id', 'psp_payment_intent_id'])('counts once in both orders when matched by %s', async (field) => {
    for (const providerFirst of [true, false]) {
      await reopen();
      const { paid, events, report } = await purchase();
      const named = { ...report, [field]: field === 'psp_charge_id' ? paid.id : paid.payment_intent };
      if (providerFirst) await deliver(...events);
      const first = await post(named);
      expect(first.status).toBe(providerFirst ? 200 : 201);
      if (!providerFirst) await deliver(...events);
      expect(await shop.count('sale')).toBe(1);
      expect(await commissions()).toMatchObject([
        { amount_cents: 2_000, review_status: null, sale: { external_id: report.external_id, psp_charge_id: paid.id } },
      ]);
      expect((await post(named)).status).toBe(200);
      expect(await post({ ...named, external_id: 'another' })).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
      expect(await shop.count('sale')).toBe(1);
    }
  });

  test.each(TRIED_ORDERS)(
    'earns for the affiliate whom only one of two reports names, in every order of the facts',
    async (...order) => {
      await reopen();
      const referral_id = await shop.refer();
      const { paid, events, report } = await purchase(null);
      const named = { ...report, psp_charge_id: paid.id };
      const facts = [
        () => deliver(...events),
        () => post({ ...named, external_id: 'order-1' }),
        () => post({ ...named, external_id: 'order-2', referral_id }),
      ];
      for (const index of order) await facts[index]!();
      const earned = [{ amount_cents: 2_000, referral_id, sale: { psp_charge_id: paid.id } }];
      expect(await commissions()).toMatchObject(earned);
      const isSecond = order.indexOf(2) > order.indexOf(1);
      expect(await facts[2]!()).toMatchObject({ status: 200, body: { sale: { external_id: isSecond ? 'order-1' : 'order-2' } } });
      expect(await commissions()).toMatchObject(earned);
      const other = await shop.refer();
      expect(await post({ ...named, external_id: 'order-3', referral_id: other })).toMatchObject({ status: 422 });
      expect(await shop.count('sale')).toBe(1);
    },
  );

  test('is compared with the merchant’s own report, whatever the provider reports about amounts and customer', async () => {
    for (const providerFirst of [true, false]) {
      await reopen();
      const { paid, events, report } = await purchase();
      const named = { ...report, psp_charge_id: paid.id, amount_cents: 11_500, customer_email: 'another@buyer.example' };
      if (providerFirst) await deliver(...events);
      await post(named);
      if (!providerFirst) await deliver(...events);
      expect(await commissions()).toMatchObject([{ amount_cents: 2_000, sale: { charge_amount_cents: 11_900 } }]);
      expect((await post(named)).status).toBe(200);
      expect(await post({ ...named, amount_cents: 11_900 })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect(await post({ ...named, customer_email: 'third@buyer.example' })).toMatchObject({ status: 409 });
    }
  });

  test('is refunded once, whether the merchant or the provider reports the refund first', async () => {
    for (const providerFirst of [true, false]) {
      await reopen();
      const { paid, events, report } = await purchase();
      await deliver(...events);
      await post({ ...report, psp_charge_id: paid.id });
      const reported = { external_id: report.external_id, refund_id: 're-1', amount_cents: 5_950 };
      const byProvider = () =>
        deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950, status: 'succeeded' })])));
      const byMerchant = () => shop.merchant.api.post('/track/refunds', reported);
      if (providerFirst) await byProvider();
      expect((await byMerchant()).status).toBe(201);
      if (!providerFirst) await byProvider();
      expect(await commissions()).toMatchObject([{ amount_cents: 1_000, sale: { refund_amount_cents: 5_950 } }]);
      expect(await refundsInTimelines()).toEqual(['-5950 EUR', '-5950 EUR']);
      await shop.merchant.api.post('/track/refunds', { ...reported, refund_id: 're-2', amount_cents: 1_000 });
      expect(await commissions()).toMatchObject([{ sale: { refund_amount_cents: 6_950 } }]);
      expect(await refundsInTimelines()).toEqual(['-1000 EUR, -5950 EUR', '-1000 EUR, -5950 EUR']);
    }
  });

  test('keeps the referral that the merchant names without a customer, even if the provider knows the customer', async () => {
    const { paid, events } = oneOffPayment(null);
    const referral_id = await shop.refer();
    await post({ external_id: 'order-1', referral_id, psp_charge_id: paid.id, amount_cents: 11_900, currency: 'EUR' });
    await deliver(...events);
    expect(await commissions()).toMatchObject([{ state: 'pending', amount_cents: 2_000 }]);
  });

  test('has its bonuses in the currency of the provider, too, if the merchant reported another one', async () => {
    const call = shop.merchant.call();
    const { campaignId: id } = shop.program;
    await call.campaigns.update({ id, reward_type: 'fixed', commission_amount_cents: 700, commission_amount_currency: 'EUR' });
    await call.rewardRules.create({ campaign_id: id, name: 'On top', apply: 'on_top', pay: { percent: 5 } });
    shop.service.clock.advance(2, 'seconds');
    const { paid, events, report } = await purchase();
    const charged = { ...paid, created: Math.floor(Date.parse(shop.service.clock.instant()) / 1_000) };
    await post({
      ...report,
      charged_at: new Date(charged.created * 1_000).toISOString(),
      currency: 'USD',
      psp_charge_id: paid.id,
    });
    await deliver(
      ...events.map((event) =>
        event.type === 'charge.succeeded' ? wireEvent('charge.succeeded', charged, { created: charged.created }) : event,
      ),
    );
    const earned = (await shop.commissions()).filter(({ state }) => state !== 'voided');
    expect(earned.map(({ kind, amount_cents, currency }) => `${kind} ${amount_cents} ${currency}`).toSorted()).toEqual([
      'bonus 500 EUR',
      'sale 700 EUR',
    ]);
  });

  test('earns for the referral that the merchant names if the provider did not know one', async () => {
    const { paid, events } = oneOffPayment(null);
    await deliver(...events);
    expect(await commissions()).toEqual([]);
    const reported = await post({
      external_id: 'order-1',
      referral_id: await shop.refer(),
      psp_charge_id: paid.id,
      amount_cents: 11_900,
      currency: 'EUR',
    });
    expect(reported).toMatchObject({ status: 200, body: { commission: { amount_cents: 2_000 } } });
  });

  test('counts once when reported twice with the same invoice id', async () => {
    const { report } = await purchase();
    const first = await post({ ...report, psp_invoice_id: 'in_known' });
    expect(first.status).toBe(201);
    expect((await post({ ...report, psp_invoice_id: 'in_known' })).status).toBe(200);
    expect(await shop.count('sale')).toBe(1);
  });
});

describe('a possible duplicate', () => {
  test.each([true, false])(
    'is flagged and kept out of payouts until it is approved (provider first: %s)',
    async (providerFirst) => {
      await shop.merchant.api.patch(`/campaigns/${shop.program.campaignId}`, { days_until_commissions_are_due: 0 });
      const { events, report } = await purchase();
      if (providerFirst) await deliver(...events);
      await post(report);
      if (!providerFirst) await deliver(...events);
      const found = await commissions();
      expect(flags(found)).toHaveLength(2);
      expect(flags(found)).toContainEqual([false, null, null]);
      expect(flags(found)).toContainEqual([true, 'suspicious', 'possible_duplicate']);
      const payouts = async () => (await shop.merchant.api.get<{ data: { amount_cents: number }[] }>('/payouts')).body.data;
      expect(await payouts()).toMatchObject([{ amount_cents: 2_000 }]);
      const flagged = found.find(({ review_status }) => review_status === 'suspicious')!;
      const reviewed = await shop.merchant.api.post(`/commissions/${flagged.id}/review`, { review_action: 'approve' });
      expect(reviewed.status).toBe(200);
      expect(await payouts()).toMatchObject([{ amount_cents: 4_000 }]);
      // Another fact about the customer must not flag the commission again.
      await deliver(wireEvent('customer.updated', { ...oneOffPayment(null).buyer, email: report.customer_email }));
      expect(new Set((await commissions()).map(({ review_status }) => review_status))).toEqual(new Set(['approved', null]));
    },
  );

  test('is flagged if the merchant left out the tax, in whatever order report, charge and tax become known', async () => {
    for (const order of TRIED_ORDERS) {
      await reopen();
      const { events, report } = await purchase();
      const [named, taxed, charged] = events as [WireEvent, WireEvent, WireEvent];
      const net = { ...report, amount_cents: 10_000, tax_amount_cents: 0 };
      await deliver(named);
      const steps = [() => deliver(taxed), () => deliver(charged), () => post(net)];
      for (const step of order) await steps[step]!();
      expect({ order, flags: flags(await commissions()).toSorted(([one], [other]) => Number(one) - Number(other)) }).toEqual({
        order,
        flags: [
          [false, null, null],
          [true, 'suspicious', 'possible_duplicate'],
        ],
      });
    }
  });

  test('is resolved by voiding one of the two commissions', async () => {
    const { paid, events, report } = await purchase();
    await deliver(events[0]!, events[1]!);
    await post(report);
    const [ours] = await commissions();
    await shop.merchant.api.delete(`/commissions/${ours!.id}`);
    await deliver(events[2]!);
    expect(await commissions()).toMatchObject([
      { state: 'pending', review_status: null, sale: { psp_charge_id: paid.id } },
      { state: 'voided' },
    ]);
  });

  test('is flagged on the provider’s sale if the reported sale is already paid', async () => {
    await shop.merchant.api.patch(`/campaigns/${shop.program.campaignId}`, { days_until_commissions_are_due: 0 });
    const { paid, events, report } = await purchase();
    await deliver(events[0]!, events[1]!);
    await post(report);
    const [payout] = (await shop.merchant.api.get<{ data: { id: string }[] }>('/payouts')).body.data;
    await shop.merchant.api.post(`/payouts/${payout!.id}/pay`);
    await deliver(events[2]!);
    expect(await commissions()).toMatchObject([
      { state: 'due', review_status: 'suspicious', review_reason: 'possible_duplicate', sale: { psp_charge_id: paid.id } },
      { state: 'paid', review_status: null },
    ]);
  });

  test('is not assumed for two purchases half an hour apart', async () => {
    const { events, report } = await purchase();
    await deliver(...events);
    shop.service.clock.advance(30, 'minutes');
    await post({ ...report, charged_at: shop.service.clock.instant() });
    expect(flags(await commissions())).toEqual([
      [true, null, null],
      [false, null, null],
    ]);
  });
});
