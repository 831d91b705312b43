import { describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { charge, checkoutSession, refund, refundedCharge, wireEvent } from '../support/psp-server/index.ts';
import { credentials } from '../support/service.ts';
import { oneOffPayment, orders, useEventShop } from './event-shop.ts';
import { createAffiliate } from './fixtures.ts';

const shop = useEventShop({ restoresClock: true });

interface Assigned {
  commission: { id: string; amount_cents: number; affiliate_id: string; campaign_id: string };
  also: { amount_cents: number }[];
  also_totals: object[];
}

/** Assigns a sale to an affiliate over HTTP. Returns the result or the error. */
async function assign(input: object) {
  const { id, apiKey } = shop.merchant;
  const reply = await send(`${shop.service.url}/trpc/sales.assign`, 'POST', { body: input, headers: credentials(id, apiKey) });
  const { result, error } = reply.body as {
    result?: { data: Assigned };
    error?: { data: { code: string; details?: { path: string; code: string }[] } };
  };
  const details = error?.data.details?.[0];
  return { status: reply.status, assigned: result?.data, code: error?.data.code, reason: details?.code, path: details?.path };
}

/** Returns the sales without an affiliate, newest first. */
async function unattributed() {
  return (await shop.merchant.call().sales.list({ attributed: false, sort: '-charged_at' })).data;
}

/** Returns the amounts of an affiliate's commissions that are not voided, oldest first. */
async function earned(affiliateId = shop.program.affiliateId): Promise<number[]> {
  const { data } = await shop.merchant.call().commissions.list({ affiliate_id: affiliateId, sort: 'created_at' });
  return data.flatMap(({ state, amount_cents: amount }) => (state === 'voided' ? [] : [amount]));
}

/** Delivers a payment of 119.00 EUR, of which 19.00 is tax, by a customer without a referral. Returns the payment and the id of its sale. */
async function pay() {
  const payment = oneOffPayment(null);
  await shop.deliver(...payment.events);
  const [sale] = await unattributed();
  return { ...payment, saleId: sale!.id };
}

/** Delivers another payment of the same customer, `seconds` after the first. */
async function payAgain(
  { buyer, paid }: Pick<Awaited<ReturnType<typeof pay>>, 'buyer' | 'paid'>,
  amount: number,
  seconds: number,
) {
  const next = charge({ amount, currency: 'eur', customer: buyer.id, created: paid.created + seconds });
  await shop.deliver(wireEvent('charge.succeeded', next));
  return next;
}

describe('a payment without an affiliate', () => {
  test('stays with the affiliate to whom a person assigned it, whatever becomes known later', async () => {
    const { affiliateId, campaignId: campaign_id } = shop.program;
    const other = await createAffiliate(shop.merchant, campaign_id);
    const visit = await shop.merchant.call().referrals.create({ affiliate_id: other, campaign_id });
    const { buyer, paid, saleId } = await pay();
    expect((await assign({ id: saleId, affiliate_id: affiliateId })).status).toBe(200);
    const before = await earned();
    expect(before).toHaveLength(1);
    const { created } = paid;
    const earlier = checkoutSession({ created, client_reference_id: visit.id, customer: buyer.id, payment_intent: null });
    await shop.deliver(
      wireEvent('checkout.session.completed', earlier, { created }),
      wireEvent('charge.updated', { ...paid, metadata: { affiliate: 'false' } }),
    );
    expect(await earned()).toEqual(before);
    expect(await earned(other)).toEqual([]);
  });

  test('shows the reason, and earns once when it is assigned, even after a refund and a second click', async () => {
    const { paid, buyer, saleId } = await pay();
    expect(await unattributed()).toMatchObject([{ no_commission_reason: 'no_referral', customer: { email: buyer.email } }]);
    const { affiliateId: affiliate_id } = shop.program;

    const preview = await assign({ id: saleId, affiliate_id, dry_run: true });
    expect(preview).toMatchObject({ status: 200, assigned: { commission: { amount_cents: 2_000, affiliate_id }, also: [] } });
    expect(await unattributed()).toHaveLength(1);
    expect(await earned()).toEqual([]);

    const first = await assign({ id: saleId, affiliate_id });
    expect(first).toMatchObject({ status: 200, assigned: { commission: { amount_cents: 2_000, affiliate_id } } });
    const second = await assign({ id: saleId, affiliate_id });
    expect(second.assigned?.commission.id).toBe(first.assigned?.commission.id);
    expect(await unattributed()).toEqual([]);
    expect(await earned()).toEqual([2_000]);

    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950 })])));
    expect(await earned()).toEqual([1_000]);
    await payAgain({ paid, buyer }, 6_000, 60);
    expect(await earned()).toEqual([1_000, 1_200]);
  });

  test('earns from the amount left after refunds, and nothing if no amount is left', async () => {
    const { paid, saleId } = await pay();
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950 })]), { created: 100 }));
    const { affiliateId: affiliate_id } = shop.program;
    expect(await assign({ id: saleId, affiliate_id, dry_run: true })).toMatchObject({
      assigned: { commission: { amount_cents: 1_000 } },
    });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)]), { created: 200 }));
    expect(await assign({ id: saleId, affiliate_id })).toMatchObject({ status: 422, reason: 'nothing_to_earn' });
    expect(await unattributed()).toMatchObject([{ id: saleId, no_commission_reason: 'no_referral' }]);
  });

  test('is assigned together with the customer’s later payments, but not with earlier payments', async () => {
    const first = await pay();
    const middle = await payAgain(first, 5_000, 60);
    await payAgain(first, 3_000, 120);
    const { affiliateId: affiliate_id } = shop.program;
    const sales = await unattributed();
    const id = sales.find(({ psp_charge_id }) => psp_charge_id === middle.id)!.id;
    expect((await assign({ id, affiliate_id })).assigned).toMatchObject({
      commission: { amount_cents: 1_000 },
      also: [{ amount_cents: 600 }],
      also_totals: [{ currency: 'EUR', commissions_count: 1, amount_cents: 600 }],
    });
    expect(await unattributed()).toMatchObject([{ id: first.saleId, no_commission_reason: 'before_visit' }]);
    expect((await assign({ id: first.saleId, affiliate_id })).assigned).toMatchObject({ commission: { amount_cents: 2_000 } });
    const referrals = await shop.merchant.call().referrals.list({ affiliate_id });
    expect(referrals.data).toMatchObject([{ conversion_state: 'conversion' }]);
    expect((await earned()).toSorted((a, b) => a - b)).toEqual([600, 1_000, 2_000]);
  });

  test('lists the first 20 of the following commissions, and the sum of all', async () => {
    const first = await pay();
    for (let i = 1; i <= 21; i++) await payAgain(first, 1_000, i * 60);
    const { assigned } = await assign({ id: first.saleId, affiliate_id: shop.program.affiliateId, dry_run: true });
    expect(assigned?.also).toHaveLength(20);
    expect(assigned?.also_totals).toEqual([{ currency: 'EUR', commissions_count: 21, amount_cents: 4_200 }]);
  });

  test('keeps the customer from then on, also for later payments from which another affiliate has earned', async () => {
    const { buyer, paid, saleId } = await pay();
    const call = shop.merchant.call();
    shop.service.clock.advance(2, 'minutes');
    const referral_id = await shop.refer();
    await shop.deliver(
      wireEvent('checkout.session.completed', {
        ...oneOffPayment(referral_id).checkout,
        customer: buyer.id,
        customer_details: null,
        payment_intent: null,
      }),
    );
    const { created_at } = await call.referrals.get({ id: referral_id });
    await payAgain({ buyer, paid }, 5_000, Math.ceil(Date.parse(created_at) / 1000) + 5 - paid.created);
    expect(await earned()).toEqual([1_000]);
    const other = await createAffiliate(shop.merchant, shop.program.campaignId);
    expect(await assign({ id: saleId, affiliate_id: other, dry_run: true })).toMatchObject({
      assigned: {
        commission: { amount_cents: 2_000, affiliate_id: other },
        also: [{ amount_cents: 1_000, affiliate_id: other }],
      },
    });
    expect(await earned()).toEqual([1_000]);
    expect(await assign({ id: saleId, referral_id })).toMatchObject({ assigned: { commission: { amount_cents: 2_000 } } });
    expect(await earned()).toEqual([1_000, 2_000]);
    expect((await assign({ id: saleId, affiliate_id: other })).status).toBe(200);
    expect([await earned(), (await earned(other)).toSorted((a, b) => a - b)]).toEqual([[], [1_000, 2_000]]);
  });

  test('keeps its assigned affiliate while the customer is unknown and after the customer becomes known', async () => {
    const paid = charge({ amount: 10_000, currency: 'eur' });
    await shop.deliver(wireEvent('charge.succeeded', paid));
    const [sale] = await unattributed();
    const { affiliateId: affiliate_id } = shop.program;
    expect(await assign({ id: sale!.id, affiliate_id })).toMatchObject({ assigned: { commission: { amount_cents: 2_000 } } });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_000 })])));
    expect(await earned()).toEqual([1_000]);
    const { buyer, checkout } = oneOffPayment(null);
    await shop.deliver(
      wireEvent('checkout.session.completed', { ...checkout, payment_intent: paid.payment_intent, total_details: null }),
    );
    expect(await earned()).toEqual([1_000]);
    expect((await shop.merchant.call().sales.get({ id: sale!.id })).customer).toMatchObject({ psp_customer_id: buyer.id });
  });

  test('keeps its assigned affiliate when the provider names the customer at the same time', async () => {
    const paid = charge({ amount: 10_000, currency: 'eur' });
    await shop.deliver(wireEvent('charge.succeeded', paid));
    const [sale] = await unattributed();
    const { checkout } = oneOffPayment(null);
    const named = wireEvent('checkout.session.completed', {
      ...checkout,
      payment_intent: paid.payment_intent,
      total_details: null,
    });
    const { affiliateId: affiliate_id } = shop.program;
    await using locks = await Locks.open(shop.service.databaseUrl, shop.merchant.id);
    const affiliate = await locks.affiliate(affiliate_id);
    await affiliate.held;
    const assigning = assign({ id: sale!.id, affiliate_id });
    await locks.areWaiting(1);
    const delivering = shop.deliver(named);
    await locks.areWaiting(2);
    await affiliate.release();
    const { assigned } = await assigning;
    expect(assigned?.commission).toMatchObject({ amount_cents: 2_000, affiliate_id });
    await delivering;
    expect(await earned()).toEqual([2_000]);
  });

  test('keeps its assigned affiliate when a later report names a later or earlier visit of another affiliate', async () => {
    const call = shop.merchant.call();
    const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
    const other = await createAffiliate(shop.merchant, campaign_id);
    const visit = async () => call.referrals.create({ affiliate_id: other, campaign_id });
    const payAt = async (at: string) => {
      const paid = charge({ amount: 10_000, currency: 'eur', created: Math.floor(Date.parse(at) / 1000) });
      await shop.deliver(wireEvent('charge.succeeded', paid));
      const [sale] = await unattributed();
      expect(await assign({ id: sale!.id, affiliate_id })).toMatchObject({ status: 200 });
      return paid;
    };
    const report = async ({ id }: { id: string }, referral_id: string) => {
      const sale = { external_id: crypto.randomUUID(), referral_id, psp_charge_id: id, amount_cents: 10_000, currency: 'EUR' };
      expect(await shop.merchant.api.post('/track/sales', sale)).toMatchObject({ status: 200 });
    };
    const before = shop.service.clock.instant();
    shop.service.clock.advance(1, 'minutes');
    const first = await payAt(before);
    await report(first, (await visit()).id);
    expect([await earned(), await earned(other)]).toEqual([[2_000], []]);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(first, [refund(first, { amount: 5_000 })])));
    expect([await earned(), await earned(other)]).toEqual([[1_000], []]);

    const earlier = await visit();
    shop.service.clock.advance(1, 'minutes');
    const second = await payAt(shop.service.clock.instant());
    await report(second, earlier.id);
    expect([await earned(), await earned(other)]).toEqual([[1_000, 2_000], []]);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(second, [refund(second, { amount: 5_000 })])));
    expect([await earned(), await earned(other)]).toEqual([[1_000, 1_000], []]);
  });

  test('cannot be assigned to an affiliate who cannot earn, and the reason is shown', async () => {
    const { saleId: id } = await pay();
    const { affiliateId: affiliate_id, campaignId } = shop.program;
    expect(await assign({ id })).toMatchObject({ status: 422, path: 'affiliate_id' });
    expect(await assign({ id, affiliate_id, referral_id: await shop.refer() })).toMatchObject({ status: 422 });
    expect(await assign({ id: 'sale_unknown', affiliate_id })).toMatchObject({ status: 404 });
    expect(await assign({ id, affiliate_id: 'aff_unknown' })).toMatchObject({ status: 422, reason: 'not_found' });
    expect(await assign({ id, referral_id: 'ref_unknown' })).toMatchObject({ status: 422, reason: 'not_found' });
    await shop.merchant.call().affiliates.update({ id: affiliate_id, state: 'disabled' });
    expect(await assign({ id, affiliate_id })).toMatchObject({ status: 422, reason: 'affiliate_inactive' });
    await shop.merchant.call().affiliates.update({ id: affiliate_id, state: 'active' });
    await shop.merchant.call().campaigns.archive({ id: campaignId });
    expect(await assign({ id, affiliate_id })).toMatchObject({ status: 422, reason: 'campaign_archived' });
    expect(await earned()).toEqual([]);
  });
});

describe('a payment from which another affiliate earns', () => {
  test.each(
    orders(['checkout', 'charge', 'report', 'assignment'] as const).filter(
      (order) => order.indexOf('charge') < order.indexOf('assignment'),
    ),
  )('goes to the affiliate to whom a person assigns it, in the order %s, %s, %s, %s', async (...order) => {
    const { affiliateId, campaignId: campaign_id } = shop.program;
    const other = await createAffiliate(shop.merchant, campaign_id);
    const referral_id = await shop.refer();
    const { paid, buyer, checkout } = oneOffPayment(referral_id);
    const report = { external_id: 'order-1', referral_id, psp_charge_id: paid.id, amount_cents: 11_900, currency: 'EUR' };
    const steps = {
      charge: () => shop.deliver(wireEvent('charge.succeeded', paid)),
      checkout: () => shop.deliver(wireEvent('checkout.session.completed', checkout)),
      report: async () => expect([200, 201]).toContain((await shop.merchant.api.post('/track/sales', report)).status),
      assignment: async () => {
        const { data } = await shop.merchant.call().sales.list({});
        expect(await assign({ id: data[0]!.id, affiliate_id: other })).toMatchObject({ status: 200 });
      },
    };
    for (const step of order) await steps[step]();
    expect([await earned(affiliateId), await earned(other)]).toEqual([[], [2_000]]);
    await payAgain({ paid, buyer }, 6_000, 60);
    expect([await earned(affiliateId), await earned(other)]).toEqual([[], [2_000, 1_200]]);
  });

  test('can be assigned back and forth, and to the affiliate who earns, so that facts no longer move it', async () => {
    const other = await createAffiliate(shop.merchant, shop.program.campaignId);
    const { events } = oneOffPayment(await shop.refer());
    await shop.deliver(...events);
    const [sale] = (await shop.merchant.call().sales.list({})).data;
    expect(await earned()).toEqual([2_000]);
    for (const affiliate_id of [other, shop.program.affiliateId, other]) {
      expect(await assign({ id: sale!.id, affiliate_id })).toMatchObject({ assigned: { commission: { affiliate_id } } });
      expect(await earned(affiliate_id)).toEqual([2_000]);
    }
    expect(await earned()).toEqual([]);
  });

  test('stays with the affiliate to whom the commission is paid, until a person voids the commission', async () => {
    const other = await createAffiliate(shop.merchant, shop.program.campaignId);
    const { events } = oneOffPayment(await shop.refer());
    await shop.deliver(...events);
    const [commission] = await shop.commissions();
    const { id, sale_id } = commission!;
    await shop.merchant.call().commissions.update({ id, paid_at: shop.service.clock.instant() });
    expect(await assign({ id: sale_id, affiliate_id: other })).toMatchObject({ status: 409, code: 'CONFLICT' });
    await shop.merchant.call().commissions.void({ id });
    expect(await assign({ id: sale_id, affiliate_id: other })).toMatchObject({ status: 200 });
    expect(await earned(other)).toEqual([2_000]);
  });
});

test('the last event of each mode is determined by the time of receipt', async () => {
  const last = () => shop.merchant.call().pspConnection.lastEvents();
  expect(await last()).toEqual({ live: null, test: null });
  const at = shop.service.clock.instant();
  const event = wireEvent('charge.succeeded', charge());
  await shop.deliver(event);
  shop.service.clock.advance(1, 'minutes');
  await shop.deliver(event);
  expect(await last()).toEqual({ live: null, test: at });
  await shop.deliver({ ...wireEvent('charge.succeeded', charge()), livemode: true });
  expect(await last()).toEqual({ live: shop.service.clock.instant(), test: at });
});
