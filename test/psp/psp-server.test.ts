import { existsSync, readFileSync } from 'node:fs';
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

/** Stripe's published example objects, if a copy exists beside the repository. */
const FIXTURES = new URL('../../../shared/stripe/fixtures.json', import.meta.url);

/**
 * Fields that the examples have, but objects in the current API version lack. That version includes `charge.refunds` only on request, and never
 * includes `invoice.subscription`.
 */
const LEFT_OUT = ['charge.refunds', 'invoice.subscription'];

describe.skipIf(!existsSync(FIXTURES))('the objects of the fake provider have the fields of the published examples', () => {
  const published: unknown = existsSync(FIXTURES) ? JSON.parse(readFileSync(FIXTURES, 'utf8')) : {};
  const examples = record(record(published)['resources']);
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
    expect(differencesBetween(record(examples[name]), record(object), name)).toEqual([]);
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
    expect(differencesBetween(record(examples[name]), record(await reply.json()), name)).toEqual([]);
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
    for (const [name, object] of Object.entries(made))
      expect(differencesBetween(record(examples[name]), object, name)).toEqual([]);
    expect(made['checkout.session']).toMatchObject({ status: 'open', amount_total: 500, url: expect.stringContaining('/pay/') });
  });
});

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Lists the paths at which `actual` lacks a field of `example`, or has a different JSON type. Null on either side matches any type. */
function differencesBetween(example: Record<string, unknown>, actual: Record<string, unknown>, path: string): string[] {
  return Object.entries(example).flatMap(([key, expected]) => {
    const here = `${path}.${key}`;
    if (!(key in actual)) return LEFT_OUT.includes(here) ? [] : [`${here} is missing`];
    const found = actual[key];
    if (expected === null || found === null) return [];
    if (kind(expected) !== kind(found)) return [`${here} is ${kind(found)}, not ${kind(expected)}`];
    return kind(expected) === 'object' && key !== 'metadata' && here !== 'event.data'
      ? differencesBetween(record(expected), record(found), here)
      : [];
  });
}

function kind(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
