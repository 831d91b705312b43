import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { HANDLED_EVENT_TYPES, readProviderEvent } from './read-event.ts';
import type { ProviderFact } from './values/provider-event.ts';

const READING = { customer_id_key: 'customer_id' };

function factOf(type: string, object: Record<string, unknown>): ProviderFact {
  return readProviderEvent(
    { id: 'evt_1', object: 'event', type, created: 1_700_000_000, livemode: false, data: { object } },
    READING,
  ).fact;
}

test('reads the envelope of an event', () => {
  const payload = {
    id: 'evt_1',
    object: 'event',
    type: 'plan.created',
    created: 1_700_000_000,
    livemode: true,
    data: { object: { id: 'plan_1' } },
    api_version: '2026-10-28.endive',
  };
  expect(readProviderEvent(payload, READING)).toEqual({
    id: 'evt_1',
    type: 'plan.created',
    occurredAt: new Date('2023-11-14T22:13:20Z'),
    mode: 'live',
    fact: { kind: 'ignored' },
    countsShipping: false,
    isUnused: true,
    problem: null,
    payer: null,
    payload,
  });
});

test('reads fields missing in the envelope from the object, and vice versa', () => {
  const object = { id: 'ch_1', amount: 1_000, currency: 'usd', created: 1_700_000_000, livemode: true };
  const bare = { id: 'evt_1', type: 'charge.succeeded', data: { object } };
  expect(readProviderEvent(bare, READING)).toMatchObject({
    occurredAt: new Date('2023-11-14T22:13:20Z'),
    mode: 'live',
    fact: { kind: 'charge_succeeded' },
    payload: bare,
  });
  const { created, livemode: _, ...rest } = object;
  const event = readProviderEvent({ ...bare, created, data: { object: rest } }, READING);
  expect(event).toMatchObject({ mode: 'test', fact: { kind: 'charge_succeeded', createdAt: event.occurredAt } });
  expect(() => readProviderEvent({ ...bare, data: { object: rest } }, READING)).toThrow(ZodError);
});

test.each([null, 'text', {}, { id: 'evt_1', object: 'v2.core.event' }])('%j is not an event', (payload) => {
  expect(() => readProviderEvent(payload, READING)).toThrow(ZodError);
});

test.each(HANDLED_EVENT_TYPES)('a %s without its fields is unreadable, not fatal', (type) => {
  expect(factOf(type, { amount: 'x' }).kind).toMatch(type === 'checkout.session.completed' ? 'checkout_completed' : 'unreadable');
});

const LINE_ITEM = {
  amount_total: 1_190,
  amount_tax: 190,
  currency: 'eur',
  description: 'Chair',
  quantity: 2,
  price: { id: 'price_1', product: 'prod_1', recurring: null },
};

describe('checkout.session.completed', () => {
  test('reads a payment with all fields', () => {
    expect(
      factOf('checkout.session.completed', {
        client_reference_id: 'ref_1',
        customer: 'cus_1',
        customer_email: null,
        customer_details: { email: 'ann@buyer.example', name: 'Ann' },
        currency: 'eur',
        payment_intent: { id: 'pi_1', object: 'payment_intent' },
        invoice: null,
        discounts: [
          { coupon: null, promotion_code: 'promo_1' },
          { coupon: 'SPRING', promotion_code: null },
        ],
        total_details: { amount_tax: 190 },
        shipping_cost: { amount_subtotal: 500, amount_tax: 95, amount_total: 595 },
        id: 'cs_1',
        line_items: { has_more: false, data: [LINE_ITEM] },
      }),
    ).toEqual({
      kind: 'checkout_completed',
      way: 'checkout',
      payment: { chargeId: null, paymentIntentId: 'pi_1', invoiceId: null },
      customer: { customerId: 'cus_1', externalId: null, email: 'ann@buyer.example', name: 'Ann' },
      clientReferenceId: 'ref_1',
      openedAt: new Date('2023-11-14T22:13:20Z'),
      namedReferral: null,
      promotionCodeIds: ['promo_1'],
      isExcluded: false,
      currency: 'EUR',
      taxAmount: 190,
      shipping: { amount: 595, tax: 95 },
      sessionId: 'cs_1',
      lines: [{ product: 'prod_1', price: 'price_1', name: 'Chair', interval: 'one_time', quantity: 2, amount: 1_000 }],
    });
  });

  test.each([
    ['checkout', undefined],
    ['checkout', null],
    ['payment_link', 'plink_1'],
    ['payment_link', { id: 'plink_1', object: 'payment_link' }],
  ])('says that the customer paid by a %s', (way, payment_link) => {
    expect(factOf('checkout.session.completed', { payment_link })).toMatchObject({ way });
  });

  test('reads a payment of a guest without any customer data', () => {
    expect(
      factOf('checkout.session.completed', { client_reference_id: '', customer_email: 'guest@buyer.example' }),
    ).toMatchObject({
      clientReferenceId: null,
      customer: { customerId: null, email: 'guest@buyer.example', name: null },
      promotionCodeIds: [],
      taxAmount: null,
    });
  });
});

test.each([
  [' ref_1\t', 'ref_1'],
  [' \u00a0 ', null],
])('a checkout’s reference %j is read without blanks around it', (client_reference_id, clientReferenceId) => {
  expect(factOf('checkout.session.completed', { client_reference_id })).toMatchObject({ clientReferenceId });
});

describe('the referral in the metadata', () => {
  const REQUIRED = { id: 'x_1', amount: 100, amount_paid: 100, currency: 'usd', customer: 'cus_1' };
  const TYPES = ['checkout.session.completed', 'customer.updated', 'customer.subscription.created', 'payment_intent.succeeded'];
  const ALL_TYPES = [...TYPES, 'charge.succeeded', 'invoice.paid'];

  test.each(ALL_TYPES)('is read from %s', (type) => {
    expect(factOf(type, { ...REQUIRED, metadata: { referral: ' ref_1 ' } })).toMatchObject({ namedReferral: 'ref_1' });
  });

  test.each(ALL_TYPES)('does not make %s unreadable', (type) => {
    for (const metadata of [null, {}, 'text', { referral: 7 }, { referral: ' ' }])
      expect(factOf(type, { ...REQUIRED, metadata })).not.toHaveProperty('namedReferral', expect.any(String));
  });

  test.each([
    ['of the invoice', { metadata: { referral: 'ref_1' } }, 'ref_1'],
    ['of the subscription', { parent: { subscription_details: { metadata: { referral: 'ref_2' } } } }, 'ref_2'],
    ['of the subscription in older versions', { subscription_details: { metadata: { referral: 'ref_2' } } }, 'ref_2'],
    ['of both', { metadata: { referral: 'ref_1' }, subscription_details: { metadata: { referral: 'ref_2' } } }, 'ref_1'],
  ])('%s is read from an invoice, even if nothing was paid', (_of, fields, namedReferral) => {
    const reported = { ...REQUIRED, ...fields };
    expect(factOf('invoice.paid', reported)).toMatchObject({ kind: 'invoice_paid', namedReferral });
    expect(factOf('invoice.paid', { ...reported, amount_paid: 0 })).toMatchObject({ kind: 'customer_referred', namedReferral });
  });
});

describe('the wish that nobody earns', () => {
  const REQUIRED = { id: 'x_1', amount: 100, amount_paid: 100, currency: 'usd', customer: 'cus_1' };
  const metadata = { affiliate: 'false' };

  test.each([
    ['charge.succeeded', { metadata }, true],
    ['charge.succeeded', { metadata: { affiliate: ' False ' } }, true],
    ['charge.succeeded', { metadata: { affiliate: 'jane' } }, false],
    ['charge.succeeded', { metadata: { affiliate: false } }, false],
    ['invoice.paid', { metadata }, true],
    ['invoice.paid', { parent: { subscription_details: { metadata } } }, true],
    ['invoice.paid', { subscription_details: { metadata } }, true],
    ['invoice.paid', { metadata: null, parent: null }, false],
    ['customer.created', { metadata }, true],
    ['customer.created', {}, false],
  ])('is read from %s with %j', (type, fields, isExcluded) => {
    expect(factOf(type, { ...REQUIRED, ...fields })).toMatchObject({ isExcluded });
  });

  test.each([
    [{ metadata }, { metadata: { affiliate: null } }, true, true],
    [{ metadata: {} }, { metadata }, false, true],
    [{ metadata }, { email: 'old@buyer.example' }, true, false],
    [{ metadata }, { metadata: { other: '' } }, true, false],
  ])(
    'is read with its changes from a customer with %j, formerly %j',
    (fields, previous_attributes, isExcluded, exclusionChanged) => {
      const object = { ...REQUIRED, ...fields };
      const event = { id: 'evt_1', type: 'customer.updated', created: 1_700_000_000, livemode: false };
      const { fact } = readProviderEvent({ ...event, data: { object, previous_attributes } }, READING);
      expect(fact).toMatchObject({ isExcluded, exclusionChanged });
    },
  );
});

describe('redemptions of promotion codes', () => {
  const discount = { id: 'di_1', promotion_code: 'promo_1', start: 1_700_000_000 };
  const redemptions = [{ promotionCodeId: 'promo_1', redeemedAt: new Date('2023-11-14T22:13:20Z') }];

  test('are read from a customer', () => {
    expect(factOf('customer.created', { id: 'cus_1', discount })).toMatchObject({ redemptions });
    expect(factOf('customer.created', { id: 'cus_1', discount: 7 })).toMatchObject({ redemptions: [] });
  });

  test.each([
    [{ discounts: ['di_1'] }, { kind: 'customer_referred', redemptions: [], subscriptionId: 'sub_1' }],
    [{ discounts: [discount] }, { kind: 'customer_referred', redemptions, subscriptionId: null }],
    [
      { discounts: ['di_1'], discount },
      { kind: 'customer_referred', redemptions, subscriptionId: null },
    ],
    [{ discounts: [] }, { kind: 'ignored' }],
  ])('are read from a subscription with %j', (fields, fact) => {
    expect(factOf('customer.subscription.created', { id: 'sub_1', customer: { id: 'cus_1' }, ...fields })).toMatchObject(fact);
  });
});

test.each([
  ['created', undefined, 'sub_1'],
  ['updated', { discounts: [] }, 'sub_1'],
  ['updated', { discount: null }, 'sub_1'],
  ['updated', { latest_invoice: 'in_1' }, null],
])(
  'the discounts of a subscription that was %s, formerly %j, are requested if they are new',
  (change, previous_attributes, id) => {
    const object = { id: 'sub_1', customer: 'cus_1', discounts: ['di_1'], metadata: { referral: 'ref_1' } };
    const event = { id: 'evt_1', type: `customer.subscription.${change}`, created: 1_700_000_000, livemode: false };
    const { fact } = readProviderEvent({ ...event, data: { object, previous_attributes } }, READING);
    expect(fact).toMatchObject({ kind: 'customer_referred', subscriptionId: id });
  },
);

describe('charges', () => {
  const CHARGE = {
    id: 'ch_1',
    amount: 2000,
    amount_captured: 1500,
    amount_refunded: 0,
    captured: true,
    created: 1_700_000_000,
    currency: 'usd',
    customer: 'cus_1',
    billing_details: { email: null, name: 'Ann' },
    receipt_email: 'ann@buyer.example',
    description: 'Plan',
    payment_intent: 'pi_1',
  };

  test('use the captured amount', () => {
    expect(factOf('charge.succeeded', CHARGE)).toEqual({
      kind: 'charge_succeeded',
      payment: { chargeId: 'ch_1', paymentIntentId: 'pi_1', invoiceId: null },
      invoiceKnown: false,
      customer: { customerId: 'cus_1', externalId: null, email: 'ann@buyer.example', name: 'Ann' },
      amount: 1500,
      released: 500,
      currency: 'USD',
      description: 'Plan',
      namedReferral: null,
      isExcluded: false,
      createdAt: new Date('2023-11-14T22:13:20Z'),
    });
  });

  test('are not sales before they are captured', () => {
    expect(factOf('charge.succeeded', { ...CHARGE, captured: false, amount_captured: 0 })).toEqual({ kind: 'ignored' });
    expect(factOf('charge.captured', CHARGE)).toMatchObject({ kind: 'charge_succeeded', amount: 1500 });
  });

  test.each([
    [{ amount_captured: 2000 }, 0],
    [{ amount_captured: null }, null],
    [{ captured: false, amount_captured: 0 }, null],
    [{ currency: 'isk', amount: 200_000, amount_captured: 150_000 }, 500],
  ])('with %j state the amount that was not captured', (fields, released) => {
    expect(factOf('charge.refunded', { ...CHARGE, ...fields })).toMatchObject({ released });
  });

  test.each([
    [null, true, null],
    ['in_1', true, 'in_1'],
    [{ id: 'in_1' }, true, 'in_1'],
    [undefined, false, null],
  ])('with invoice %j state their invoice in older API versions only', (invoice, invoiceKnown, invoiceId) => {
    expect(factOf('charge.succeeded', { ...CHARGE, invoice })).toMatchObject({ invoiceKnown, payment: { invoiceId } });
  });

  test.each([
    ['jpy', 1500, 1500],
    ['kwd', 1500, 1500],
    // The provider uses two decimals for ISK and UGX; ISO 4217 has none.
    ['isk', 150_000, 1500],
    ['ugx', 150_000, 1500],
    // The provider uses no decimals for MGA; ISO 4217 has two.
    ['mga', 1500, 150_000],
  ])('have amounts in %s', (currency, provider, minor) => {
    expect(factOf('charge.succeeded', { ...CHARGE, currency, amount_captured: provider })).toMatchObject({ amount: minor });
  });

  test('state their cumulative refunded amount, and the refunds if these are listed', () => {
    const refunds = {
      data: [
        { id: 're_2', amount: 300, currency: 'usd', charge: 'ch_1', status: 'pending' },
        { id: 're_1', amount: 200, currency: 'usd', charge: 'ch_1', status: 'failed' },
      ],
    };
    expect(factOf('charge.refunded', { ...CHARGE, amount_refunded: 300, refunds })).toEqual({
      kind: 'charge_refunded',
      payment: { chargeId: 'ch_1', paymentIntentId: 'pi_1', invoiceId: null },
      amountRefunded: 300,
      released: 500,
      currency: 'USD',
      refunds: [
        { refundId: 're_2', amount: 300, effective: true },
        { refundId: 're_1', amount: 200, effective: false },
      ],
    });
    expect(factOf('charge.refunded', { ...CHARGE, amount_refunded: 300 })).toMatchObject({ refunds: [] });
  });
});

describe('refunds and disputes', () => {
  test.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])('are read from %s', (type) => {
    const refund = {
      id: 're_1',
      amount: 500,
      currency: 'usd',
      charge: { id: 'ch_1' },
      payment_intent: 'pi_1',
      status: 'canceled',
    };
    expect(factOf(type, refund)).toEqual({
      kind: 'refund_updated',
      payment: { chargeId: 'ch_1', paymentIntentId: 'pi_1', invoiceId: null },
      refund: { refundId: 're_1', amount: 500, effective: false },
      currency: 'USD',
    });
  });

  test.each([
    ['charge.dispute.created', 'needs_response', 'open'],
    ['charge.dispute.created', 'warning_needs_response', 'open'],
    ['charge.dispute.updated', 'under_review', 'open'],
    ['charge.dispute.funds_withdrawn', 'needs_response', 'open'],
    ['charge.dispute.updated', 'lost', 'lost'],
    ['charge.dispute.funds_reinstated', 'won', 'won'],
    ['charge.dispute.closed', 'lost', 'lost'],
    ['charge.dispute.closed', 'won', 'won'],
    ['charge.dispute.closed', 'warning_closed', 'won'],
    ['charge.dispute.closed', 'prevented', 'won'],
  ])('include a dispute reported by %s as %s', (type, status, outcome) => {
    expect(factOf(type, { id: 'dp_1', amount: 2000, currency: 'usd', charge: 'ch_1', status })).toMatchObject({
      kind: 'dispute_changed',
      payment: { chargeId: 'ch_1', paymentIntentId: null },
      disputeId: 'dp_1',
      amount: 2000,
      outcome,
    });
  });
});

describe('credit notes', () => {
  const note = { id: 'cn_1', invoice: 'in_1', currency: 'usd', amount: 3_000, total: 3_000, status: 'issued' };
  const fact = {
    kind: 'credit_note_changed',
    creditNoteId: 'cn_1',
    invoiceId: 'in_1',
    total: 3_000,
    taxAmount: 500,
    currency: 'USD',
    refunds: [{ refundId: 're_1', amount: 2_000 }],
    voided: false,
  };
  const refunds = [
    { amount_refunded: 2_000, refund: 're_1', type: 'refund' },
    { amount_refunded: 900, refund: null, type: 'payment_record_refund' },
  ];

  test.each(['credit_note.created', 'credit_note.updated', 'credit_note.voided'])('are read from %s', (type) => {
    expect(factOf(type, { ...note, refunds, total_excluding_tax: 2_500, total_taxes: [{ amount: 400 }] })).toEqual({
      ...fact,
      outside: 900,
    });
    expect(factOf(type, { ...note, refunds, total_taxes: [{ amount: 400 }, { amount: 100 }], status: 'void' })).toEqual({
      ...fact,
      outside: 900,
      voided: true,
    });
  });

  test('name a single refund in older API versions', () => {
    expect(factOf('credit_note.created', { ...note, refund: 're_1', tax_amounts: [{ amount: 500 }] })).toEqual({
      ...fact,
      refunds: [{ refundId: 're_1', amount: null }],
    });
  });

  test('state the shipping that they take back, with its tax', () => {
    const shipping_cost = { amount_subtotal: 500, amount_tax: 95, amount_total: 595 };
    expect(factOf('credit_note.created', { ...note, shipping_cost })).toMatchObject({ shipping: 595 });
    expect(factOf('credit_note.created', { ...note, shipping_cost: null })).not.toHaveProperty('shipping');
  });

  test('state what was paid back outside the provider', () => {
    const back = { refund: null, out_of_band_amount: 700 };
    expect(factOf('credit_note.created', { ...note, ...back })).toMatchObject({ refunds: [], outside: 700 });
    expect(factOf('credit_note.created', { ...note, ...back, refunds })).toMatchObject({ outside: 1_600 });
  });

  test('have a null tax amount if they do not state the tax', () => {
    expect(factOf('credit_note.created', { ...note, refund: null })).toEqual({ ...fact, taxAmount: null, refunds: [] });
  });
});

describe('promotion_code.updated', () => {
  const CODE = {
    id: 'promo_1',
    code: 'JANE20',
    active: false,
    livemode: true,
    created: 1_700_000_000,
    customer: null,
    expires_at: 1_800_000_000,
    max_redemptions: 10,
    times_redeemed: 3,
    metadata: { operation: 'op_1' },
    restrictions: { first_time_transaction: true, minimum_amount: 5000, minimum_amount_currency: 'usd' },
  };

  test.each([
    ['since 2025-09-30', { promotion: { type: 'coupon', coupon: 'SPRING' } }],
    ['since 2025-09-30, expanded', { promotion: { type: 'coupon', coupon: { id: 'SPRING', valid: true } } }],
    ['before 2025-09-30', { coupon: { id: 'SPRING', valid: true } }],
  ])('is read in the format %s', (_when, shape) => {
    expect(factOf('promotion_code.updated', { ...CODE, ...shape })).toEqual({
      kind: 'promotion_code_updated',
      promotionCode: {
        id: 'promo_1',
        code: 'JANE20',
        active: false,
        mode: 'live',
        couponId: 'SPRING',
        customerId: null,
        createdAt: new Date('2023-11-14T22:13:20Z'),
        expiresAt: new Date('2027-01-15T08:00:00Z'),
        maxRedemptions: 10,
        timesRedeemed: 3,
        firstTimeTransaction: true,
        minimumAmount: 5000,
        minimumAmountCurrency: 'USD',
        metadata: { operation: 'op_1' },
      },
    });
  });
});
