import { describe, expect, test } from 'vitest';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  invoice,
  invoicePayment,
  legacyCharge,
  legacyInvoice,
  newId,
  promotionCode,
  taxOf,
  wireEvent,
  coupon,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { TRIED_ORDERS, oneOffPayment, useEventShop } from './event-shop.ts';
import { createProgram } from './fixtures.ts';

const shop = useEventShop({ checksIndexes: true });

describe('a one-off payment', () => {
  test('is a sale of the visitor’s affiliate, with its tax, its customer and its ids', async () => {
    const referralId = await shop.refer();
    const { paid, buyer, events } = oneOffPayment(referralId);
    await shop.deliver(...events);
    expect(await shop.commissions()).toMatchObject([
      {
        amount_cents: 2_000,
        currency: 'EUR',
        referral_id: referralId,
        sale: {
          psp_charge_id: paid.id,
          charge_amount_cents: 11_900,
          tax_amount_cents: 1_900,
          currency: 'EUR',
          description: 'A chair',
          referral: { customer: { email: buyer.email, name: 'Ann Buyer' } },
        },
      },
    ]);
    expect((await shop.merchant.api.get(`/referrals/${referralId}`)).body).toMatchObject({
      conversion_state: 'conversion',
      psp_customer_id: buyer.id,
    });
  });

  test('has the same result in any order and when repeated', async () => {
    for (const order of TRIED_ORDERS) {
      const referralId = await shop.refer();
      const { events, paid } = oneOffPayment(referralId);
      const ordered = order.map((i) => events[i] as WireEvent);
      await shop.deliver(...ordered, ...ordered.toReversed());
      const mine = (await shop.commissions()).filter((commission) => commission.sale.psp_charge_id === paid.id);
      expect(mine).toMatchObject([{ amount_cents: 2_000, referral_id: referralId, sale: { tax_amount_cents: 1_900 } }]);
    }
    expect(await shop.count('sale')).toBe(TRIED_ORDERS.length);
  });

  test('without a referral is stored, and earns as soon as the customer is bound', async () => {
    const referralId = await shop.refer();
    const { paid, checkout } = oneOffPayment(referralId);
    await shop.deliver(wireEvent('charge.succeeded', paid));
    expect(await shop.commissions()).toEqual([]);
    expect(await shop.count('sale')).toBe(1);
    await shop.deliver(wireEvent('checkout.session.completed', checkout));
    expect(await shop.commissions()).toMatchObject([{ referral_id: referralId, amount_cents: 2_000 }]);
  });

  test('of a guest is matched by the email address alone', async () => {
    const referralId = await shop.refer();
    const paid = charge({ amount: 5_000, billing_details: { ...charge().billing_details, email: 'guest@buyer.example' } });
    const checkout = checkoutSession({
      client_reference_id: referralId,
      customer_details: checkoutCustomer({ email: 'guest@buyer.example' }),
      payment_intent: paid.payment_intent,
    });
    await shop.deliver(wireEvent('charge.succeeded', paid), wireEvent('checkout.session.completed', checkout));
    expect(await shop.commissions()).toMatchObject([{ amount_cents: 1_000, referral_id: referralId }]);
  });

  test('is not recorded for an authorization until it is captured', async () => {
    const referralId = await shop.refer();
    const { paid, checkout } = oneOffPayment(referralId);
    const authorized = { ...paid, captured: false, amount_captured: 0 };
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', authorized));
    expect(await shop.count('sale')).toBe(0);
    await shop.deliver(wireEvent('charge.captured', { ...paid, amount_captured: 6_900 }));
    // 69 of 119 were captured, so 11.02 of the tax of 19.00.
    expect(await shop.commissions()).toMatchObject([
      { amount_cents: 1_160, sale: { charge_amount_cents: 6_900, tax_amount_cents: 1_102 } },
    ]);
  });

  test('ignores a reference that is not a referral of the account', async () => {
    const stranger = await shop.service.createMerchant();
    const strangerProgram = await createProgram(stranger);
    const foreign = await stranger
      .call()
      .referrals.create({ affiliate_id: strangerProgram.affiliateId, campaign_id: strangerProgram.campaignId });
    for (const reference of ['order-4711', foreign.id, null]) await shop.deliver(...oneOffPayment(reference).events);
    expect(await shop.commissions()).toEqual([]);
    expect(await shop.count('sale')).toBe(3);
  });
});

describe('a subscription', () => {
  /** Returns the events of a checkout that starts a subscription, and of the payment of its first invoice. */
  function subscriptionStart(referralId: string | null, promotionCodeId?: string) {
    const buyer = customer({ email: `${newId('x')}@buyer.example`, name: 'Ann Buyer' });
    const paid = charge({ amount: 11_900, customer: buyer.id });
    const first = invoice({
      total: 11_900,
      customer: buyer.id,
      customer_email: buyer.email,
      customer_name: 'Ann Buyer',
      total_taxes: [taxOf(1_900)],
    });
    const checkout = checkoutSession({
      mode: 'subscription',
      client_reference_id: referralId,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email: buyer.email ?? '', name: 'Ann Buyer' }),
      invoice: first.id,
      subscription: newId('sub'),
      discounts: promotionCodeId ? [{ coupon: null, promotion_code: promotionCodeId }] : [],
    });
    return { buyer, paid, first, checkout };
  }

  function intentOf({ payment_intent: intent }: { payment_intent: unknown }): string {
    return typeof intent === 'string' ? intent : '';
  }

  test('as reported by newer API versions is one sale in any order', async () => {
    for (const order of TRIED_ORDERS) {
      const referralId = await shop.refer();
      const { paid, first, checkout } = subscriptionStart(referralId);
      shop.merchant.psp.records.invoicePayments.push(invoicePayment(first, intentOf(paid)));
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('charge.succeeded', paid),
        wireEvent('invoice.paid', first),
      ];
      const ordered = order.map((i) => events[i] as WireEvent);
      await shop.deliver(...ordered, ...ordered);
      const mine = (await shop.commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([
        {
          amount_cents: 2_000,
          sale: {
            psp_charge_id: paid.id,
            psp_invoice_id: first.id,
            charge_amount_cents: 11_900,
            tax_amount_cents: 1_900,
          },
        },
      ]);
    }
    expect(await shop.count('sale')).toBe(TRIED_ORDERS.length);
  });

  test('as reported by older API versions is one sale in any order, without a request to the provider', async () => {
    shop.service.psp.requests.length = 0;
    for (const order of TRIED_ORDERS) {
      const referralId = await shop.refer();
      const { paid, first, checkout } = subscriptionStart(referralId);
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('charge.succeeded', legacyCharge(paid, first.id)),
        wireEvent('invoice.paid', legacyInvoice(first, paid, 1_900)),
      ];
      await shop.deliver(...order.map((i) => events[i] as WireEvent));
      const mine = (await shop.commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ amount_cents: 2_000, sale: { psp_charge_id: paid.id, tax_amount_cents: 1_900 } }]);
    }
    expect(await shop.count('sale')).toBe(TRIED_ORDERS.length);
    expect(shop.service.psp.requests).toEqual([]);
  });

  test('has renewals that are attributed to the customer’s referral', async () => {
    const referralId = await shop.refer();
    const { buyer, paid, first, checkout } = subscriptionStart(referralId);
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('invoice.paid', legacyInvoice(first, paid)));
    const renewalCharge = charge({ amount: 5_000, customer: buyer.id });
    const renewal = invoice({ total: 5_000, customer: buyer.id, billing_reason: 'subscription_cycle' });
    await shop.deliver(wireEvent('invoice.paid', legacyInvoice(renewal, renewalCharge)));
    expect((await shop.commissions()).map((commission) => [commission.referral_id, commission.amount_cents])).toEqual([
      [referralId, 1_000],
      [referralId, 2_380],
    ]);
  });

  test('with a trial binds the customer and makes the referral a lead before the first payment', async () => {
    const referralId = await shop.refer();
    const { buyer, first, checkout } = subscriptionStart(referralId);
    await shop.deliver(
      wireEvent('checkout.session.completed', { ...checkout, payment_status: 'no_payment_required' }),
      wireEvent('invoice.paid', legacyInvoice({ ...first, amount_paid: 0, total: 0 }, null)),
    );
    expect(await shop.count('sale')).toBe(0);
    expect((await shop.merchant.api.get(`/referrals/${referralId}`)).body).toMatchObject({
      conversion_state: 'lead',
      psp_customer_id: buyer.id,
    });
    const later = charge({ amount: 5_000, customer: buyer.id });
    await shop.deliver(wireEvent('invoice.paid', legacyInvoice(invoice({ total: 5_000, customer: buyer.id }), later)));
    expect(await shop.commissions()).toMatchObject([{ referral_id: referralId, amount_cents: 1_000 }]);
  });

  test('with an invoice paid in two payments has two sales that share the tax', async () => {
    const { buyer, first, checkout } = subscriptionStart(await shop.refer());
    const halves = [charge({ amount: 5_900, customer: buyer.id }), charge({ amount: 6_000, customer: buyer.id })];
    for (const half of halves) shop.merchant.psp.records.invoicePayments.push(invoicePayment(first, intentOf(half), half.amount));
    await shop.deliver(
      ...halves.map((half) => wireEvent('charge.succeeded', half)),
      wireEvent('invoice.paid', first),
      wireEvent('checkout.session.completed', checkout),
    );
    const sales = (await shop.commissions()).map(({ sale }) => sale);
    expect(sales).toHaveLength(2);
    expect(sales.reduce((sum, sale) => sum + sale.tax_amount_cents, 0)).toBe(1_900);
    expect(new Set(sales.map((sale) => sale.psp_charge_id))).toEqual(new Set(halves.map(({ id }) => id)));
  });

  test('with an invoice paid in two payments earns for both before their charges are reported', async () => {
    const { buyer, first, checkout } = subscriptionStart(await shop.refer());
    for (const amount of [5_900, 6_000]) {
      const half = charge({ amount, customer: buyer.id });
      shop.merchant.psp.records.invoicePayments.push(invoicePayment(first, intentOf(half), half.amount));
    }
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('invoice.paid', first));
    const commissions = await shop.commissions();
    expect(new Set(commissions.map(({ amount_cents }) => amount_cents))).toEqual(new Set([992, 1_008]));
  });

  test('with an invoice paid outside the provider has exactly one sale', async () => {
    const referralId = await shop.refer();
    const { first, checkout } = subscriptionStart(referralId);
    const told = wireEvent('invoice.paid', legacyInvoice(first, null));
    await shop.deliver(wireEvent('checkout.session.completed', checkout), told, told);
    expect(await shop.commissions()).toMatchObject([
      { referral_id: referralId, sale: { psp_charge_id: null, psp_invoice_id: first.id } },
    ]);
  });

  test('with a promotion code of an affiliate is attributed together with its renewals', async () => {
    shop.merchant.psp.records.coupons.push(coupon({ id: 'SPRING' }));
    const code = promotionCode({ code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
    shop.merchant.psp.records.promotionCodes.push(code);
    await shop.merchant.api.post(
      `/affiliates/${shop.program.affiliateId}/promo_codes`,
      { psp_promotion_code_id: code.id, dry_run: false },
      { 'Idempotency-Key': 'k1' },
    );
    for (const checkoutFirst of [true, false]) {
      const { buyer, paid, first, checkout } = subscriptionStart(null, code.id);
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('invoice.paid', legacyInvoice(first, paid, 1_900)),
      ];
      await shop.deliver(...(checkoutFirst ? events : events.toReversed()));
      const renewal = charge({ amount: 5_000, customer: buyer.id });
      await shop.deliver(wireEvent('invoice.paid', legacyInvoice(invoice({ total: 5_000, customer: buyer.id }), renewal)));
    }
    const earned = await shop.commissions();
    expect(earned.map(({ amount_cents: amount }) => amount)).toEqual([1_000, 2_000, 1_000, 2_000]);
    expect(new Set(earned.map((commission) => commission.referral_id)).size).toBe(2);
    expect(earned.map(({ sale }) => sale.promo_code)).toEqual([null, 'JANE20', null, 'JANE20']);
  });
});
