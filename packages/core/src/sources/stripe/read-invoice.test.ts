import { describe, expect, test } from 'vitest';
import { readProviderEvent } from './read-event.ts';
import type { ProviderFact } from './values/provider-event.ts';

function factOf(object: Record<string, unknown>): ProviderFact {
  const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', created: 1_700_000_000, livemode: false };
  return readProviderEvent({ ...event, data: { object } }, { customer_id_key: 'customer_id' }).fact;
}

describe('invoice.paid', () => {
  const INVOICE = {
    id: 'in_1',
    amount_paid: 2380,
    total: 2380,
    currency: 'eur',
    created: 1_700_000_000,
    status_transitions: { paid_at: 1_700_000_060 },
    customer: 'cus_1',
    customer_email: 'ann@buyer.example',
    customer_name: 'Ann',
    description: null,
    lines: { data: [{ description: 'Plan, monthly' }] },
  };

  test('is read in newer API versions without included payments', () => {
    const shipping_cost = { amount_subtotal: 500, amount_tax: 95, amount_total: 595 };
    expect(factOf({ ...INVOICE, total_taxes: [{ amount: 300 }, { amount: 80 }], shipping_cost, discounts: ['di_1'] })).toEqual({
      kind: 'invoice_paid',
      way: 'invoice',
      invoiceId: 'in_1',
      payments: null,
      customer: { customerId: 'cus_1', externalId: null, email: 'ann@buyer.example', name: 'Ann' },
      amountPaid: 2380,
      taxAmount: 380,
      shipping: { amount: 595, tax: 95 },
      currency: 'EUR',
      description: 'Plan, monthly',
      lines: [],
      linesKnown: false,
      promotionCodeIds: [],
      promotionCodesKnown: false,
      namedReferral: null,
      isExcluded: false,
      paidAt: new Date('2023-11-14T22:14:20Z'),
      beginningId: null,
      checkout: null,
    });
  });

  test.each([
    ['invoice', {}],
    ['invoice', { subscription: null, parent: null }],
    ['subscription', { subscription: 'sub_1' }],
    ['subscription', { subscription_details: { metadata: {} } }],
    ['subscription', { parent: { subscription_details: { metadata: {}, subscription: 'sub_1' } } }],
  ])('tells an %s from others', (way, fields) => {
    expect(factOf({ ...INVOICE, ...fields })).toMatchObject({ way });
  });

  test.each([
    ['sub_1', { billing_reason: 'subscription_create', subscription: 'sub_1' }],
    ['sub_1', { billing_reason: 'subscription_create', parent: { subscription_details: { subscription: 'sub_1' } } }],
    [null, { billing_reason: 'subscription_cycle', subscription: 'sub_1' }],
    [null, { billing_reason: 'manual' }],
  ])('tells which subscription it begins (%s)', (beginningId, fields) => {
    expect(factOf({ ...INVOICE, ...fields })).toMatchObject({ beginningId });
  });

  test('is read with included payments', () => {
    const payments = {
      has_more: false,
      data: [
        { amount_paid: 2000, currency: 'eur', status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_1' } },
        { amount_paid: 380, currency: 'eur', status: 'paid', payment: { type: 'charge', charge: 'ch_2' } },
        { amount_paid: null, currency: 'eur', status: 'canceled', payment: { type: 'payment_intent', payment_intent: 'pi_3' } },
      ],
    };
    expect(factOf({ ...INVOICE, payments })).toMatchObject({
      payments: [
        { chargeId: null, paymentIntentId: 'pi_1', amount: 2000 },
        { chargeId: 'ch_2', paymentIntentId: null, amount: 380 },
      ],
    });
    expect(factOf({ ...INVOICE, payments: { ...payments, has_more: true } })).toMatchObject({ payments: null });
  });

  test('is read in older API versions', () => {
    const older = { ...INVOICE, charge: 'ch_1', payment_intent: 'pi_1', tax: 380, discount: { promotion_code: 'promo_1' } };
    expect(factOf(older)).toMatchObject({
      payments: [{ chargeId: 'ch_1', paymentIntentId: 'pi_1', amount: 2380 }],
      taxAmount: 380,
      promotionCodeIds: ['promo_1'],
    });
  });

  test('is read when it was paid outside the provider', () => {
    expect(factOf({ ...INVOICE, charge: null, payment_intent: null })).toMatchObject({ payments: [] });
  });

  test.each([
    [true, []],
    [false, null],
    [undefined, []],
  ])('is read in older API versions without a charge, with paid_out_of_band %j', (paid_out_of_band, payments) => {
    expect(factOf({ ...INVOICE, charge: null, payment_intent: null, paid_out_of_band })).toMatchObject({ payments });
  });

  const EXPANDED = { id: 'di_1', promotion_code: 'promo_1' };
  test.each<[object, string[], boolean]>([
    [{}, [], true],
    [{ discounts: null, total_discount_amounts: null }, [], true],
    [{ discounts: ['di_1'] }, [], false],
    [{ discounts: [EXPANDED] }, ['promo_1'], true],
    [{ discounts: [EXPANDED, 'di_2'] }, ['promo_1'], false],
    [{ discounts: ['di_1'], discount: EXPANDED }, ['promo_1'], true],
    [{ discount: { id: 'di_3', promotion_code: null } }, [], true],
    [{ discount: { promotion_code: { id: 'promo_1' } } }, ['promo_1'], true],
    [{ total_discount_amounts: [{ amount: 5, discount: 'di_1' }] }, [], false],
    [{ discounts: [EXPANDED], total_discount_amounts: [{ amount: 5, discount: 'di_1' }] }, ['promo_1'], true],
    [{ lines: { data: [{ description: null, discounts: ['di_1'] }] } }, [], false],
    [{ lines: { data: [{ description: null, discounts: [EXPANDED] }] }, discounts: [EXPANDED] }, ['promo_1'], true],
  ])('states its promotion codes, or that they have to be requested: %j', (fields, promotionCodeIds, promotionCodesKnown) => {
    expect(factOf({ ...INVOICE, ...fields })).toMatchObject({ promotionCodeIds, promotionCodesKnown });
  });

  test('is read in older API versions when it was paid outside the provider, despite a canceled payment intent', () => {
    const reported = { ...INVOICE, charge: null, payment_intent: 'pi_1', paid_out_of_band: true };
    expect(factOf(reported)).toMatchObject({ payments: [] });
  });

  test('needs a request if the included payments are incomplete', () => {
    expect(factOf({ ...INVOICE, payments: { has_more: false, data: [] } })).toMatchObject({ payments: null });
  });

  test('assigns a proportional part of the tax to the credit', () => {
    expect(factOf({ ...INVOICE, amount_paid: 1190, tax: 380 })).toMatchObject({
      amountPaid: 1190,
      taxAmount: 190,
    });
  });

  test('is ignored when nothing was paid', () => {
    expect(factOf({ ...INVOICE, amount_paid: 0 })).toEqual({ kind: 'ignored' });
  });
});
