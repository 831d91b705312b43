import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  dispute,
  invoice,
  invoicePayment,
  legacyCharge,
  legacyInvoice,
  legacyPromotionCode,
  newId,
  promotionCode,
  refund,
  refundedCharge,
  sendEvent,
  signedDelivery,
  taxOf,
  wireEvent,
  coupon,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { createProgram, type Program } from './fixtures.ts';
import { type Merchant, type PspTestService, startPspService } from './service.ts';

let service: PspTestService;
let merchant: Merchant;
let program: Program;
let endpoint: string;

beforeAll(async () => {
  service = await startPspService();
});
afterAll(() => service.stop());
afterEach(() => service.psp.faults.liftAll());
beforeEach(async () => {
  merchant = await service.createMerchant();
  await merchant.connect();
  program = await createProgram(merchant);
  endpoint = `${service.url}/psp/webhooks/${merchant.id}`;
});

/** Delivers events in this order, and expects the provider to be content with each. */
async function deliver(...events: WireEvent[]): Promise<void> {
  for (const event of events) {
    const response = await sendEvent(endpoint, event, { secret: merchant.webhookSecret });
    expect([event.type, response.status]).toEqual([event.type, 200]);
  }
}

async function refer(): Promise<string> {
  const { affiliateId: affiliate_id, campaignId: campaign_id } = program;
  return (await merchant.call().referrals.create({ affiliate_id, campaign_id })).id;
}

interface Commission {
  id: string;
  state: string;
  kind: string;
  amount_cents: number;
  currency: string;
  void_reason: string | null;
  due_at: string;
  referral_id: string;
  sale: Sale;
}

interface Sale {
  psp_charge_id: string | null;
  psp_invoice_id: string | null;
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  currency: string;
  description: string | null;
  promo_code: string | null;
  referral: { customer: { email: string | null; name: string | null; psp_customer_id?: string | null } | null };
}

async function commissions(): Promise<Commission[]> {
  const { status, body } = await merchant.api.get<{ data: Commission[] }>('/commissions', { expand: 'sale' });
  expect(status).toBe(200);
  return body.data;
}

async function countSales(): Promise<number> {
  const rows = await service.services.database.kysely
    .selectFrom('sale')
    .select('id')
    .where('account_id', '=', merchant.id)
    .execute();
  return rows.length;
}

/** Every order of the given events; all of them for up to four. */
function orders<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** A one-off payment through a checkout, by a visitor whom the affiliate sent. */
function oneOffPayment(referralId: string | null) {
  const buyer = customer({ email: `${newId('x')}@buyer.example`, name: 'Ann Buyer' });
  const paid = charge({ amount: 11_900, currency: 'eur', customer: buyer.id, description: 'A chair' });
  const checkout = checkoutSession({
    client_reference_id: referralId,
    customer: buyer.id,
    customer_details: checkoutCustomer({ email: buyer.email ?? '', name: 'Ann Buyer' }),
    payment_intent: paid.payment_intent,
    currency: 'eur',
    amount_total: 11_900,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 1_900 },
  });
  return {
    buyer,
    paid,
    checkout,
    events: [
      wireEvent('customer.created', buyer),
      wireEvent('checkout.session.completed', checkout),
      wireEvent('charge.succeeded', paid),
    ],
  };
}

describe('a one-off payment', () => {
  test('is a sale of whoever sent the visitor, with its tax, its customer and its ids', async () => {
    const referralId = await refer();
    const { paid, buyer, events } = oneOffPayment(referralId);
    await deliver(...events);
    expect(await commissions()).toMatchObject([
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
    expect((await merchant.api.get(`/referrals/${referralId}`)).body).toMatchObject({
      conversion_state: 'conversion',
      psp_customer_id: buyer.id,
    });
  });

  test('comes to the same in any order, and told twice', async () => {
    for (const order of orders([0, 1, 2])) {
      const referralId = await refer();
      const { events, paid } = oneOffPayment(referralId);
      const ordered = order.map((i) => events[i] as WireEvent);
      await deliver(...ordered, ...ordered.toReversed());
      const mine = (await commissions()).filter((commission) => commission.sale.psp_charge_id === paid.id);
      expect(mine).toMatchObject([{ amount_cents: 2_000, referral_id: referralId, sale: { tax_amount_cents: 1_900 } }]);
    }
    expect(await countSales()).toBe(6);
  });

  test('without any referral is kept, and earns when the binding comes', async () => {
    const referralId = await refer();
    const { paid, checkout } = oneOffPayment(referralId);
    await deliver(wireEvent('charge.succeeded', paid));
    expect(await commissions()).toEqual([]);
    expect(await countSales()).toBe(1);
    await deliver(wireEvent('checkout.session.completed', checkout));
    expect(await commissions()).toMatchObject([{ referral_id: referralId, amount_cents: 2_000 }]);
  });

  test('of a guest, known by e-mail address alone', async () => {
    const referralId = await refer();
    const paid = charge({ amount: 5_000, billing_details: { ...charge().billing_details, email: 'guest@buyer.example' } });
    const checkout = checkoutSession({
      client_reference_id: referralId,
      customer_details: checkoutCustomer({ email: 'guest@buyer.example' }),
      payment_intent: paid.payment_intent,
    });
    await deliver(wireEvent('charge.succeeded', paid), wireEvent('checkout.session.completed', checkout));
    expect(await commissions()).toMatchObject([{ amount_cents: 1_000, referral_id: referralId }]);
  });

  test('an authorization is none until it is captured', async () => {
    const referralId = await refer();
    const { paid, checkout } = oneOffPayment(referralId);
    const authorized = { ...paid, captured: false, amount_captured: 0 };
    await deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', authorized));
    expect(await countSales()).toBe(0);
    await deliver(wireEvent('charge.captured', { ...paid, amount_captured: 6_900 }));
    expect(await commissions()).toMatchObject([{ amount_cents: 1_000, sale: { charge_amount_cents: 6_900 } }]);
  });

  test('a reference that is none of our referrals means nothing', async () => {
    const stranger = await service.createMerchant();
    const strangerProgram = await createProgram(stranger);
    const foreign = await stranger
      .call()
      .referrals.create({ affiliate_id: strangerProgram.affiliateId, campaign_id: strangerProgram.campaignId });
    for (const reference of ['order-4711', foreign.id, null]) await deliver(...oneOffPayment(reference).events);
    expect(await commissions()).toEqual([]);
    expect(await countSales()).toBe(3);
  });
});

describe('a subscription', () => {
  /** A checkout that starts a subscription, and the payment of its first invoice. */
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

  test('as newer API versions tell of it: one sale, in any order', async () => {
    for (const order of orders([0, 1, 2])) {
      const referralId = await refer();
      const { paid, first, checkout } = subscriptionStart(referralId);
      merchant.psp.records.invoicePayments.push(invoicePayment(first, intentOf(paid)));
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('charge.succeeded', paid),
        wireEvent('invoice.paid', first),
      ];
      const ordered = order.map((i) => events[i] as WireEvent);
      await deliver(...ordered, ...ordered);
      const mine = (await commissions()).filter((commission) => commission.referral_id === referralId);
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
    expect(await countSales()).toBe(6);
  });

  test('as older API versions tell of it: one sale, in any order, and nobody is asked', async () => {
    service.psp.requests.length = 0;
    for (const order of orders([0, 1, 2])) {
      const referralId = await refer();
      const { paid, first, checkout } = subscriptionStart(referralId);
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('charge.succeeded', legacyCharge(paid, first.id)),
        wireEvent('invoice.paid', legacyInvoice(first, paid, 1_900)),
      ];
      await deliver(...order.map((i) => events[i] as WireEvent));
      const mine = (await commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ amount_cents: 2_000, sale: { psp_charge_id: paid.id, tax_amount_cents: 1_900 } }]);
    }
    expect(await countSales()).toBe(6);
    expect(service.psp.requests).toEqual([]);
  });

  test('renewals belong to the referral that the customer is bound to', async () => {
    const referralId = await refer();
    const { buyer, paid, first, checkout } = subscriptionStart(referralId);
    await deliver(wireEvent('checkout.session.completed', checkout), wireEvent('invoice.paid', legacyInvoice(first, paid)));
    const renewalCharge = charge({ amount: 5_000, customer: buyer.id });
    const renewal = invoice({ total: 5_000, customer: buyer.id, billing_reason: 'subscription_cycle' });
    await deliver(wireEvent('invoice.paid', legacyInvoice(renewal, renewalCharge)));
    expect((await commissions()).map((commission) => [commission.referral_id, commission.amount_cents])).toEqual([
      [referralId, 1_000],
      [referralId, 2_380],
    ]);
  });

  test('a trial binds the customer, who is a lead, before anything is paid', async () => {
    const referralId = await refer();
    const { buyer, first, checkout } = subscriptionStart(referralId);
    await deliver(
      wireEvent('checkout.session.completed', { ...checkout, payment_status: 'no_payment_required' }),
      wireEvent('invoice.paid', legacyInvoice({ ...first, amount_paid: 0, total: 0 }, null)),
    );
    expect(await countSales()).toBe(0);
    expect((await merchant.api.get(`/referrals/${referralId}`)).body).toMatchObject({
      conversion_state: 'lead',
      psp_customer_id: buyer.id,
    });
    const later = charge({ amount: 5_000, customer: buyer.id });
    await deliver(wireEvent('invoice.paid', legacyInvoice(invoice({ total: 5_000, customer: buyer.id }), later)));
    expect(await commissions()).toMatchObject([{ referral_id: referralId, amount_cents: 1_000 }]);
  });

  test('an invoice paid in two payments is two sales that share its tax', async () => {
    const { buyer, first, checkout } = subscriptionStart(await refer());
    const halves = [charge({ amount: 5_900, customer: buyer.id }), charge({ amount: 6_000, customer: buyer.id })];
    for (const half of halves) merchant.psp.records.invoicePayments.push(invoicePayment(first, intentOf(half), half.amount));
    await deliver(
      ...halves.map((half) => wireEvent('charge.succeeded', half)),
      wireEvent('invoice.paid', first),
      wireEvent('checkout.session.completed', checkout),
    );
    const sales = (await commissions()).map(({ sale }) => sale);
    expect(sales).toHaveLength(2);
    expect(sales.reduce((sum, sale) => sum + sale.tax_amount_cents, 0)).toBe(1_900);
    expect(new Set(sales.map((sale) => sale.psp_charge_id))).toEqual(new Set(halves.map(({ id }) => id)));
  });

  test('an invoice paid outside the provider is a sale, once', async () => {
    const referralId = await refer();
    const { first, checkout } = subscriptionStart(referralId);
    const told = wireEvent('invoice.paid', legacyInvoice(first, null));
    await deliver(wireEvent('checkout.session.completed', checkout), told, told);
    expect(await commissions()).toMatchObject([
      { referral_id: referralId, sale: { psp_charge_id: null, psp_invoice_id: first.id } },
    ]);
  });

  test('a promotion code of an affiliate attributes it, and its renewals', async () => {
    merchant.psp.records.coupons.push(coupon({ id: 'SPRING' }));
    const code = promotionCode({ code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
    merchant.psp.records.promotionCodes.push(code);
    await merchant.api.post(
      `/affiliates/${program.affiliateId}/promo_codes`,
      { psp_promotion_code_id: code.id, dry_run: false },
      { 'Idempotency-Key': 'k1' },
    );
    for (const checkoutFirst of [true, false]) {
      const { buyer, paid, first, checkout } = subscriptionStart(null, code.id);
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('invoice.paid', legacyInvoice(first, paid, 1_900)),
      ];
      await deliver(...(checkoutFirst ? events : events.toReversed()));
      const renewal = charge({ amount: 5_000, customer: buyer.id });
      await deliver(wireEvent('invoice.paid', legacyInvoice(invoice({ total: 5_000, customer: buyer.id }), renewal)));
    }
    const earned = await commissions();
    expect(earned.map(({ amount_cents: amount }) => amount)).toEqual([1_000, 2_000, 1_000, 2_000]);
    expect(new Set(earned.map((commission) => commission.referral_id)).size).toBe(2);
    expect(earned.map(({ sale }) => sale.promo_code)).toEqual([null, 'JANE20', null, 'JANE20']);
  });
});

describe('money that goes back', () => {
  test('refunds, told singly and in sum, in any order, settle the commission once', async () => {
    // Every fourth order: each event comes first, last and in between.
    for (const order of orders([0, 1, 2, 3]).filter((_, i) => i % 4 === 0)) {
      const referralId = await refer();
      const { paid, checkout } = oneOffPayment(referralId);
      await deliver(wireEvent('checkout.session.completed', checkout));
      const back = refund(paid, { amount: 5_000 });
      const events = [
        wireEvent('charge.succeeded', paid, { created: 100 }),
        wireEvent('refund.created', { ...back, status: 'pending' }, { created: 200 }),
        wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 201 }),
        wireEvent('refund.updated', back, { created: 202 }),
      ];
      await deliver(...order.map((i) => events[i] as WireEvent));
      const mine = (await commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ state: 'pending', amount_cents: 1_000, sale: { refund_amount_cents: 5_000 } }]);
    }
  });

  test('a full refund voids, a refund that failed does not', async () => {
    const { paid, checkout } = oneOffPayment(await refer());
    await deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const back = refund(paid, { amount: 5_000 });
    await deliver(
      wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 100 }),
      wireEvent('refund.failed', { ...back, status: 'failed' }, { created: 200 }),
    );
    expect(await commissions()).toMatchObject([{ amount_cents: 2_000, sale: { refund_amount_cents: 0 } }]);
    const all = refund(paid);
    await deliver(wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 300 }));
    expect(await commissions()).toMatchObject([{ state: 'voided', sale: { refund_amount_cents: 11_900 } }]);
  });

  test('a full refund that fails gives back what it voided, on the commission’s terms', async () => {
    const { paid, checkout } = oneOffPayment(await refer());
    await deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const all = refund(paid);
    await deliver(wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }));
    const failed = wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 });
    await deliver(failed, failed);
    const told = await commissions();
    const voided = told.find(({ state }) => state === 'voided');
    expect(told).toHaveLength(2);
    expect(voided).toMatchObject({ kind: 'sale', void_reason: 'refunded' });
    expect(told.find(({ state }) => state !== 'voided')).toMatchObject({
      kind: 'adjustment',
      state: 'pending',
      amount_cents: 2_000,
      due_at: voided?.due_at,
    });

    const again = refund(paid);
    await deliver(wireEvent('charge.refunded', refundedCharge(paid, [again]), { created: 300 }));
    const amounts = (await commissions()).filter(({ state }) => state !== 'voided').map(({ amount_cents: amount }) => amount);
    expect(amounts.toSorted((a, b) => a - b)).toEqual([-2_000, 2_000]);
  });

  test('a failing refund does not give back what the merchant voided', async () => {
    const { paid, checkout } = oneOffPayment(await refer());
    await deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const [earned] = await commissions();
    await merchant.api.delete(`/commissions/${earned!.id}`, { void_reason: 'refunded' });
    const all = refund(paid);
    await deliver(
      wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }),
      wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 }),
    );
    expect(await commissions()).toMatchObject([{ state: 'voided', kind: 'sale' }]);
  });

  test('a lost dispute is a refund, a won one is not', async () => {
    for (const status of ['won', 'lost'] as const) {
      const referralId = await refer();
      const { paid, events } = oneOffPayment(referralId);
      await deliver(...events, wireEvent('charge.dispute.closed', dispute(paid, { status })));
      const mine = (await commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ state: status === 'lost' ? 'voided' : 'pending' }]);
    }
  });

  test('of a charge that is not ours to know is kept and harms nobody', async () => {
    const paid = charge();
    await deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)])));
    expect(await countSales()).toBe(0);
  });
});

describe('customers and promo codes', () => {
  test('a customer’s name is learned, and an affiliate’s provider id', async () => {
    const { email } = await merchant.call().affiliates.get({ id: program.affiliateId });
    const known = customer({ email: email.toUpperCase(), name: 'Jane Doe' });
    await deliver(wireEvent('customer.created', known));
    expect((await merchant.api.get('/affiliates', { psp_customer_id: known.id })).body).toMatchObject({
      data: [{ id: program.affiliateId, psp_customer_id: known.id }],
    });
  });

  test('a customer’s change of address is followed, and older news of it change nothing back', async () => {
    const referralId = await refer();
    const { buyer, events } = oneOffPayment(referralId);
    await deliver(...events);
    const change = (from: string | null, to: string) =>
      wireEvent('customer.updated', { ...buyer, email: to }, { previous: { email: from } });
    const first = change(buyer.email, 'second@buyer.example');
    await deliver(first, change('SECOND@buyer.example', 'third@buyer.example'));
    await deliver({ ...first, id: newId('evt') }, wireEvent('customer.updated', buyer));
    await deliver(wireEvent('customer.updated', buyer, { previous: { email: 7 } }));
    const found = await merchant.api.get('/referrals', { email: 'third@buyer.example' });
    expect(found.body).toMatchObject({ data: [{ id: referralId }] });

    const other = customer({ email: 'taken@buyer.example' });
    await deliver(wireEvent('customer.created', other), change('third@buyer.example', 'Taken@buyer.example'));
    expect((await merchant.api.get('/referrals', { email: 'third@buyer.example' })).body).toMatchObject(found.body);
  });

  test.each(['new', 'old'])('promotion_code.updated (%s shape) refreshes an assignment; older news do not', async (shape) => {
    const spring = coupon({ id: 'SPRING' });
    merchant.psp.records.coupons.push(spring);
    const code = promotionCode({ code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
    merchant.psp.records.promotionCodes.push(code);
    const path = `/affiliates/${program.affiliateId}/promo_codes`;
    await merchant.api.post(path, { psp_promotion_code_id: code.id, dry_run: false }, { 'Idempotency-Key': 'k1' });
    const told = (fields: object, minutes: number) => {
      const now = { ...code, ...fields };
      const created = Math.floor(service.clock.now().getTime() / 1000) + 60 * minutes;
      return wireEvent('promotion_code.updated', shape === 'new' ? now : legacyPromotionCode(now, spring), { created });
    };
    await deliver(told({ active: false, times_redeemed: 9 }, 2), told({ active: true, times_redeemed: 8 }, 1));
    expect((await merchant.api.get(path)).body).toMatchObject({
      data: [{ status: 'inactive', psp_coupon_id: 'SPRING', observation: { times_redeemed: 9 } }],
    });
  });
});

describe('what is let in', () => {
  const event = () => wireEvent('charge.succeeded', charge());

  test('only what is signed with the account’s secret, lately', async () => {
    const { secret } = { secret: merchant.webhookSecret };
    const good = signedDelivery(event(), { secret });
    const refused: [string, string, Record<string, string>][] = [
      ['unsigned', good.body, { 'content-type': 'application/json' }],
      ['another secret', ...parts(signedDelivery(event(), { secret: 'whsec_other' }))],
      ['an old signature', ...parts(signedDelivery(event(), { secret, timestamp: 1_600_000_000 }))],
      ['another body', good.body.replace('"amount": 2000', '"amount": 9000'), good.headers],
      ['no event', ...parts(signedDelivery(wireEvent('x', {}), { secret: 'whsec_other' }))],
    ];
    for (const [what, body, headers] of refused) {
      const response = await send(endpoint, 'POST', { raw: body, headers });
      expect([what, response.status, response.body['code']]).toEqual([what, 400, 'INVALID_SIGNATURE']);
    }
    expect(await countSales()).toBe(0);
    expect(await storedEvents()).toEqual([]);
  });

  test('an account without a connection, and one that does not exist, look like a wrong signature', async () => {
    const other = await service.createMerchant();
    const answers = await Promise.all(
      [other.id, 'acct_none'].map(async (id) => {
        const response = await sendEvent(`${service.url}/psp/webhooks/${id}`, event(), { secret: merchant.webhookSecret });
        return { status: response.status, body: await response.text() };
      }),
    );
    expect(answers).toMatchObject([{ status: 400 }, { status: 400 }]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
  });

  test('another account’s event, with that account’s signature, does not get in here', async () => {
    const other = await service.createMerchant();
    await other.connect();
    const response = await sendEvent(endpoint, event(), { secret: other.webhookSecret });
    expect(response.status).toBe(400);
  });

  test('after a rotation both secrets are good, for a day', async () => {
    await merchant.call().pspConnection.rotateWebhookSecret({ webhook_secret: 'whsec_next' });
    const post = (secret: string) =>
      sendEvent(endpoint, event(), { secret, timestamp: Math.floor(service.clock.now().getTime() / 1000) });
    expect((await post('whsec_next')).status).toBe(200);
    expect((await post(merchant.webhookSecret)).status).toBe(200);
    service.clock.advance(25, 'hours');
    expect((await post('whsec_next')).status).toBe(200);
    expect((await post(merchant.webhookSecret)).status).toBe(400);
    service.clock.advance(-25, 'hours');
  });

  test('other methods, and too much', async () => {
    expect(await send(endpoint, 'GET')).toMatchObject({ status: 405 });
    expect(await send(endpoint, 'POST', { raw: 'x'.repeat(2_000_000) })).toMatchObject({ status: 413 });
  });

  test('what is well signed and no event is not called badly signed', async () => {
    const { secret } = { secret: merchant.webhookSecret };
    for (const nothing of [{}, { ...event(), livemode: 'no' }, { ...event(), data: { object: 7 } }]) {
      const { body, headers } = signedDelivery(nothing as WireEvent, { secret });
      expect(await send(endpoint, 'POST', { raw: body, headers })).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_JSON' },
      });
    }
    expect(await storedEvents()).toEqual([]);
  });

  test('the answer says what became of an event', async () => {
    const { secret } = { secret: merchant.webhookSecret };
    const outcomeOf = async (told: WireEvent) => {
      const { body, headers } = signedDelivery(told, { secret });
      return (await send(endpoint, 'POST', { raw: body, headers })).body;
    };
    const paid = event();
    expect(await outcomeOf(paid)).toEqual({ received: true, outcome: 'processed' });
    expect(await outcomeOf(paid)).toEqual({ received: true, outcome: 'duplicate' });
    expect(await outcomeOf(wireEvent('plan.created', { id: 'plan_1' }))).toEqual({ received: true, outcome: 'ignored' });
  });

  test('events of the other mode are kept, and mean nothing', async () => {
    await deliver(wireEvent('charge.succeeded', charge({ livemode: true })));
    expect(await countSales()).toBe(0);
    expect(await storedEvents()).toMatchObject([{ state: 'ignored', problem: expect.stringContaining('mode') }]);
  });

  test('types of no use, and objects that cannot be read, are kept and accepted', async () => {
    await deliver(wireEvent('plan.created', { id: 'plan_1' }), wireEvent('charge.succeeded', { id: 'ch_1', amount: 'x' }));
    expect((await storedEvents()).map(({ state }) => state)).toEqual(['ignored', 'ignored']);
  });

  test('text that the database cannot store', async () => {
    const referralId = await refer();
    const { events, paid } = oneOffPayment(referralId);
    await deliver(...events.slice(0, 2), wireEvent('charge.succeeded', { ...paid, description: 'nul \0 and \ud800' }));
    expect(await commissions()).toMatchObject([{ sale: { description: expect.stringContaining('nul') } }]);
  });
});

describe('at the same time and in spite of faults', () => {
  test('one event 50 times at once, among others: one sale, one commission', async () => {
    const referralId = await refer();
    const { events } = oneOffPayment(referralId);
    const copies = Array.from({ length: 50 }, (_, i) => events[i % 3] as WireEvent);
    const answers = await Promise.all(copies.map((copy) => sendEvent(endpoint, copy, { secret: merchant.webhookSecret })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await commissions()).toMatchObject([{ amount_cents: 2_000, sale: { tax_amount_cents: 1_900 } }]);
    expect(await countSales()).toBe(1);
  });

  test('a provider that cannot be asked is told to deliver again', async () => {
    const buyer = customer();
    const paid = charge({ customer: buyer.id });
    const fault = service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 503, effect: 'none' });
    const told = wireEvent('charge.succeeded', paid);
    const refused = await sendEvent(endpoint, told, { secret: merchant.webhookSecret });
    expect(refused.status).toBe(502);
    expect(await storedEvents()).toMatchObject([{ state: 'pending' }]);
    expect(await countSales()).toBe(0);
    fault.lift();
    await deliver(told);
    expect(await storedEvents()).toMatchObject([{ state: 'processed', problem: null }]);
    expect(await countSales()).toBe(1);
  });
});

async function storedEvents() {
  return service.services.database.kysely
    .selectFrom('psp_event')
    .select(['state', 'problem'])
    .where('account_id', '=', merchant.id)
    .orderBy('received_at')
    .execute();
}

function parts({ body, headers }: ReturnType<typeof signedDelivery>): [string, Record<string, string>] {
  return [body, headers];
}
