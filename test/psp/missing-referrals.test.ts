/** The gaps of payments without an affiliate (docs/rules/intake.md#payments-without-an-affiliate). */
import { describe, expect, test } from 'vitest';
import { Assistant } from '../mcp/assistant.ts';
import {
  API_VERSIONS,
  charge,
  checkoutSession,
  customer,
  invoice,
  newId,
  subscription,
  type VersionedEvents,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { orders, useEventShop } from './event-shop.ts';
import { errorOf } from './service.ts';

const shop = useEventShop();

/** Returns what each sale lacked, in the order of the charges. */
async function missing() {
  const { data } = await shop.merchant.call().sales.list({ sort: 'charged_at', expand: ['missing'] });
  return data.map((sale) => sale.missing);
}

type Metadata = Record<string, string>;

/** Each returns the events of a payment in one way, with `reference` where this way names the referral. */
const WAYS: Record<string, (wire: VersionedEvents, reference: string | null) => WireEvent[]> = {
  payment_link: (wire, reference) => {
    const paid = charge({ amount: 5_000, customer: newId('cus') });
    const { customer: customerId, payment_intent } = paid;
    const session = { client_reference_id: reference, customer: customerId as string, payment_link: newId('plink') };
    return [wire.completed({ ...checkoutSession(session), payment_intent }), wire.charged(paid)];
  },
  checkout: (wire, reference) => {
    const paid = charge({ amount: 5_000, customer: newId('cus') });
    const { customer: customerId, payment_intent } = paid;
    const session = checkoutSession({ client_reference_id: reference, customer: customerId as string });
    return [wire.completed({ ...session, payment_intent }), wire.charged(paid)];
  },
  subscription: (wire, reference) => {
    const buyer = customer();
    const metadata: Metadata = reference === null ? {} : { referral: reference };
    return [
      wire.subscription('created', subscription(buyer.id, { status: 'active', trial_end: null, metadata })),
      wire.paid({
        invoice: invoice({ total: 5_000, customer: buyer.id }),
        paidBy: charge({ amount: 5_000, customer: buyer.id }),
        ofSubscription: metadata,
      }),
    ];
  },
  invoice: (wire, reference) => {
    const paidBy = charge({ amount: 5_000 });
    const metadata: Metadata = reference === null ? {} : { referral: reference };
    const bill = invoice({ total: 5_000, customer: newId('cus'), metadata });
    return [wire.paid({ invoice: bill, paidBy }), wire.charged(paidBy, bill.id)];
  },
  payment: (wire, reference) => {
    const metadata: Metadata = reference === null ? {} : { referral: reference };
    const paid = charge({ amount: 5_000, customer: newId('cus') });
    const intent = { id: paid.payment_intent, customer: paid.customer, latest_charge: paid.id, created: paid.created, metadata };
    return [wire.event('payment_intent.succeeded', intent), wire.charged(paid)];
  },
};

describe.each(API_VERSIONS)('in API version %s, a payment', (version) => {
  test.each(Object.keys(WAYS))('by %s says what was missing, in any order of its events', async (way) => {
    for (const order of orders([0, 1]))
      for (const reference of [null, 'user 42']) {
        await shop.open();
        const events = WAYS[way]!(shop.in(version), reference);
        await shop.deliver(...order.map((index) => events[index]!));
        const [found, ...others] = await missing();
        expect(others).toEqual([]);
        expect({ order, found }).toMatchObject({
          order,
          found: {
            gap: reference === null ? 'no_reference' : 'unknown_reference',
            way,
            reference,
            fixes: [{ kind: 'code', text: expect.stringMatching(/referralId/) }],
          },
        });
        await shop.deliver(...events);
        expect(await missing()).toEqual([found]);
      }
  });
});

test('a later invoice of a customer who came by a checkout lacks the reference of the checkout', async () => {
  const [completed, charged] = WAYS['checkout']!(shop.in('2025-09-30.clover'), 'user 42');
  await shop.deliver(completed!, charged!);
  const { customer: buyer, created } = charged!.data.object as { customer: string; created: number };
  const wire = shop.in('2025-09-30.clover');
  const paidBy = charge({ amount: 5_000, customer: buyer, created: created + 60 });
  const bill = invoice({ total: 5_000, customer: buyer });
  bill.status_transitions.paid_at = created + 60;
  await shop.deliver(wire.paid({ invoice: bill, paidBy, ofSubscription: {} }));
  const unknown = { gap: 'unknown_reference', way: 'checkout', reference: 'user 42' };
  expect(await missing()).toMatchObject([unknown, unknown]);
});

test('metadata of the customer that name no referral are told', async () => {
  const buyer = customer({ metadata: { referral: 'google' } });
  await shop.deliver(
    wireEvent('customer.created', buyer),
    wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id })),
  );
  expect(await missing()).toMatchObject([{ gap: 'unknown_reference', way: 'payment', reference: 'google' }]);
});

test('a referral that is named after the payment is told with its time', async () => {
  const referral = await shop.refer();
  const buyer = customer({ metadata: { referral } });
  const start = Math.floor(Date.now() / 1_000) + 10;
  const before = shop.service.clock.instant();
  shop.service.clock.advance(60, 'seconds');
  await shop.deliver(
    wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id, created: start })),
    wireEvent('customer.updated', buyer, { created: start + 20 }),
  );
  shop.service.clock.set(before);
  const named_at = new Date((start + 20) * 1_000).toISOString();
  expect(await missing()).toMatchObject([
    { gap: 'named_later', named_at, explanation: expect.stringContaining(named_at), fixes: [{ kind: 'code' }] },
  ]);
});

test('a redeemed code that belongs to no affiliate is told, beside the line of code', async () => {
  const code = newId('promo');
  const paid = charge({ amount: 5_000, customer: newId('cus') });
  const { customer: buyer, payment_intent } = paid;
  const session = {
    ...checkoutSession({ client_reference_id: null, customer: buyer as string }),
    payment_intent,
    discounts: [{ coupon: null, promotion_code: code }],
  };
  await shop.deliver(wireEvent('checkout.session.completed', session), wireEvent('charge.succeeded', paid));
  expect(await missing()).toMatchObject([
    { gap: 'no_reference', way: 'checkout', unknown_codes: [code], fixes: [{ kind: 'code' }, { kind: 'setting' }] },
  ]);
});

test('refused sales name the setting, and a sale with a commission lacks nothing', async () => {
  const { merchant, program } = shop;
  await merchant.call().pspConnection.update({ outside_payments: 'exclude' });
  const wire = shop.in('2024-06-20');
  const paidBy = (referral: string, more: object = {}) =>
    wireEvent('charge.succeeded', charge({ amount: 5_000, customer: newId('cus'), metadata: { referral }, ...more }));
  await shop.deliver(
    paidBy(await shop.refer()),
    paidBy(await shop.refer(), { metadata: { affiliate: 'false' } }),
    wire.paid({ invoice: invoice({ total: 5_000, customer: newId('cus') }), paidBy: null }),
  );
  await merchant.call().affiliates.update({ id: program.affiliateId, state: 'disabled' });
  await shop.deliver(paidBy(await shop.refer(), { created: Math.floor(Date.now() / 1_000) + 1 }));
  await merchant.api.post('/track/sales', {
    external_id: newId('order'),
    customer_email: 'who@buyer.example',
    amount_cents: 5_000,
    currency: 'USD',
  });
  const { data } = await merchant.call().sales.list({ expand: ['missing'] });
  expect(new Set(data.map((sale) => sale.missing?.gap ?? null))).toEqual(
    new Set([null, 'affiliate_inactive', 'excluded', 'no_reference', 'paid_outside']),
  );
  expect(data).toHaveLength(5);
  for (const { id, missing: listed } of data) {
    const { body } = await merchant.api.get<{ missing: object | null; decision?: object }>(`/sales/${id}`, 'expand=missing');
    expect(body.missing).toEqual(listed);
    expect(body.decision).toBeUndefined();
  }
  expect(data[0]).not.toHaveProperty('decision');
  expect((await merchant.call().sales.list({})).data[0]).not.toHaveProperty('missing');
});

test('an assistant that explains a sale says what it lacked', async () => {
  await shop.deliver(...WAYS['checkout']!(shop.in('2025-09-30.clover'), 'user 42'));
  const [sale] = (await shop.merchant.call().sales.list({})).data;
  await using assistant = await Assistant.overHttp(shop.service, shop.merchant.apiKey);
  expect(await assistant.result('explain', { action: 'sale', id: sale!.id })).toMatchObject({
    decision: { no_commission_reason: 'no_referral' },
    missing: { gap: 'unknown_reference', way: 'checkout', reference: 'user 42' },
  });
});

test('another account’s sale is not found', async () => {
  await shop.deliver(wireEvent('charge.succeeded', charge({ amount: 5_000 })));
  const [sale] = (await shop.merchant.call().sales.list({})).data;
  const other = await shop.service.createMerchant();
  expect(await errorOf(other.call().sales.get({ id: sale!.id, expand: ['missing'] }))).toMatchObject({ code: 'NOT_FOUND' });
});
