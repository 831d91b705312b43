import { describe, expect, test } from 'vitest';
import {
  charge,
  checkoutSession,
  coupon,
  customer,
  discount,
  dispute,
  invoice,
  promotionCode,
  PspServer,
  refund,
  wireEvent,
} from '../support/psp-server/index.ts';
import { differencesFrom } from '../support/published-types.ts';

/** File and name of the published type of each object. */
const TYPES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  account: ['Accounts', 'Account'],
  charge: ['Charges', 'Charge'],
  'checkout.session': ['Checkout/Sessions', 'Session'],
  coupon: ['Coupons', 'Coupon'],
  customer: ['Customers', 'Customer'],
  discount: ['Discounts', 'Discount'],
  dispute: ['Disputes', 'Dispute'],
  event: ['Events', 'EventBase'],
  invoice: ['Invoices', 'Invoice'],
  promotion_code: ['PromotionCodes', 'PromotionCode'],
  refund: ['Refunds', 'Refund'],
  webhook_endpoint: ['WebhookEndpoints', 'WebhookEndpoint'],
};
const differencesOf = (name: string, object: unknown) => differencesFrom(...TYPES[name]!, object);

describe('the objects of the fake provider have the fields of the published types', () => {
  const some = charge();

  test.each<[string, object]>([
    ['charge', some],
    ['checkout.session', checkoutSession()],
    ['customer', customer()],
    ['discount', discount()],
    ['dispute', dispute(some)],
    ['event', wireEvent('plan.created', {})],
    ['invoice', invoice()],
    ['refund', refund(some)],
  ])('in events: %s', (name, object) => {
    expect(differencesOf(name, object)).toEqual([]);
  });

  test.each([
    ['account', '/v1/account'],
    ['customer', '/v1/customers/cus_1'],
    ['invoice', '/v1/invoices/in_1'],
    ['coupon', '/v1/coupons/SPRING'],
    ['promotion_code', '/v1/promotion_codes/promo_1'],
  ])('in replies: %s', async (name, path) => {
    await using server = await PspServer.start();
    const { secretKey, records } = server.addAccount();
    records.customers.push(customer({ id: 'cus_1' }));
    records.invoices.push(invoice({ id: 'in_1' }));
    records.coupons.push(coupon({ id: 'SPRING' }));
    records.promotionCodes.push(promotionCode({ id: 'promo_1', promotion: { type: 'coupon', coupon: 'SPRING' } }));
    const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': '2026-10-28.endive' };
    const reply = await fetch(server.url + path, { headers });
    expect(differencesOf(name, await reply.json())).toEqual([]);
  });

  test('in replies to a creation: webhook_endpoint and checkout.session', async () => {
    await using server = await PspServer.start();
    const { secretKey } = server.addAccount();
    const create = async (path: string, form: Record<string, string>): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': '2026-10-28.endive' };
      const reply = await fetch(server.url + path, { method: 'POST', headers, body: new URLSearchParams(form) });
      return record(await reply.json());
    };
    const endpoint = { url: 'https://shop.example/hooks', 'enabled_events[0]': 'invoice.paid' };
    const item = 'line_items[0][price_data]';
    const session = { mode: 'payment', [`${item}[unit_amount]`]: '500', [`${item}[currency]`]: 'usd' };
    const made = {
      webhook_endpoint: await create('/v1/webhook_endpoints', endpoint),
      'checkout.session': await create('/v1/checkout/sessions', session),
    };
    for (const [name, object] of Object.entries(made)) expect(differencesOf(name, object)).toEqual([]);
    expect(made['checkout.session']).toMatchObject({ status: 'open', amount_total: 500, url: expect.stringContaining('/pay/') });
  });
});

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

test('a field that is missing or of another kind is a difference', () => {
  const { amount: _, ...lacking } = { ...charge(), object: 'sale', currency: 5, billing_details: { address: 1 } };
  expect(differencesOf('charge', lacking)).toEqual(
    expect.arrayContaining([
      'Charge.object is "sale", not "charge"',
      'Charge.amount is missing',
      'Charge.currency is number, not string',
      'Charge.billing_details.email is missing',
    ]),
  );
});
