/** Promo codes redeemed without Checkout: the events contain only the ids of the discounts (docs/rules/codes.md#promo-codes). */
import { retryPspEvents } from '@affiliate/core';
import { beforeEach, expect, test } from 'vitest';
import {
  charge,
  coupon,
  customer,
  discount,
  invoice,
  invoicePayment,
  legacyInvoice,
  newId,
  sendEvent,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';
import { createCode, importCode } from './fixtures.ts';

const shop = useEventShop({ restoresClock: true });

let promotionCodeId: string;
beforeEach(async () => {
  shop.merchant.psp.records.coupons.push(coupon({ id: 'SPRING' }));
  const code = createCode(shop.merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
  await importCode(shop.merchant, shop.program.affiliateId, code);
  promotionCodeId = code.id;
  shop.service.psp.requests.length = 0;
});

/** Delivers an event. Returns its outcome, or the status of an error. */
const post = async (event: WireEvent) => {
  const timestamp = Math.floor(shop.service.clock.now().getTime() / 1000);
  const response = await sendEvent(shop.endpoint, event, { secret: shop.merchant.webhookSecret, timestamp });
  return response.status === 200 ? ((await response.json()) as { outcome: string }).outcome : response.status;
};

/** Prepares an invoice that a discount has reduced. `where` says how the invoice refers to the discount. */
function discounted(where: 'invoice' | 'subscription or customer' | 'line', promotion_code: string | null = promotionCodeId) {
  const { records } = shop.merchant.psp;
  const reduction = discount({ promotion_code });
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const paid = charge({ amount: 5_000, customer: buyer.id });
  const line = { description: 'Plan', discounts: where === 'line' ? [reduction.id] : [] };
  const bill = invoice({
    total: 5_000,
    customer: buyer.id,
    discounts: where === 'invoice' ? [reduction.id] : [],
    total_discount_amounts: [{ amount: 1_000, discount: reduction.id }],
  });
  const told = { ...bill, lines: { ...bill.lines, data: [line] } } as unknown as typeof bill;
  records.discounts.push(reduction);
  records.invoices.push(bill);
  records.invoicePayments.push(invoicePayment(bill, paid.payment_intent as string));
  return { bill: told, buyer, paid };
}

const requestsForInvoices = () => shop.service.psp.received('GET', /^\/v1\/invoices\//);

test.each(['invoice', 'subscription or customer', 'line'] as const)(
  'a code of a discount of the %s earns, with the later payments of the customer',
  async (where) => {
    const { bill, buyer, paid } = discounted(where);
    await shop.deliver(wireEvent('invoice.paid', bill), wireEvent('charge.succeeded', paid));
    expect(await shop.commissions()).toMatchObject([
      { amount_cents: 1_000, sale: { promo_code: 'JANE20', psp_charge_id: paid.id, psp_invoice_id: bill.id } },
    ]);
    expect(requestsForInvoices()).toHaveLength(1);
    const renewal = invoice({ total: 6_000, customer: buyer.id });
    await shop.deliver(wireEvent('invoice.paid', legacyInvoice(renewal, charge({ amount: 6_000, customer: buyer.id }))));
    expect((await shop.commissions()).map(({ amount_cents }) => amount_cents)).toEqual([1_200, 1_000]);
    expect(requestsForInvoices()).toHaveLength(1);
  },
);

test('a code of an invoice of an older API version that lists ids of discounts earns', async () => {
  const { bill, paid } = discounted('invoice');
  await shop.deliver(wireEvent('invoice.paid', legacyInvoice(bill, paid)));
  expect(await shop.commissions()).toMatchObject([{ amount_cents: 1_000, sale: { promo_code: 'JANE20' } }]);
});

test('a discount without a code is requested once and earns nothing', async () => {
  const { bill } = discounted('invoice', null);
  await shop.deliver(wireEvent('invoice.paid', bill));
  expect(await shop.commissions()).toEqual([]);
  expect(await shop.count('sale')).toBe(1);
  expect(requestsForInvoices()).toHaveLength(1);
});

test('an invoice is retried while the provider does not answer', async () => {
  const { bill } = discounted('invoice');
  const fault = shop.service.psp.faults.plant({ method: 'GET', path: /\/invoices\//, kind: 503, effect: 'none' });
  expect(await post(wireEvent('invoice.paid', bill))).toBe(502);
  expect(await shop.count('sale')).toBe(0);
  fault.lift();
  shop.service.clock.advance(61, 'seconds');
  expect(await retryPspEvents(shop.service.services)).toBe(1);
  expect(await shop.commissions()).toMatchObject([{ amount_cents: 1_000 }]);
});

test('an invoice that the provider does not know is a sale without a code after an hour', async () => {
  const { bill } = discounted('invoice');
  shop.merchant.psp.records.invoices.length = 0;
  expect(await post(wireEvent('invoice.paid', bill))).toBe('pending');
  expect(await shop.storedEvents()).toMatchObject([{ state: 'pending', problem: expect.stringContaining('discounts') }]);
  shop.service.clock.advance(1, 'hours');
  expect(await retryPspEvents(shop.service.services)).toBe(1);
  expect(await shop.count('sale')).toBe(1);
  expect(await shop.commissions()).toEqual([]);
});
