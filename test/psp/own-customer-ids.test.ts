/** The merchant's own ids of customers (docs/rules/program.md#customers). */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  API_VERSIONS,
  charge,
  checkoutSession,
  customer,
  invoice,
  newId,
  subscription,
  type VersionedEvents,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { orders, useEventShop } from './event-shop.ts';

const shop = useEventShop();

/** Each returns an event that names the merchant's id of the customer who pays `paid`. */
const CARRIERS: Record<string, (wire: VersionedEvents, metadata: Record<string, string>) => WireEvent[]> = {
  customer: (wire, metadata) => {
    const buyer = customer({ metadata });
    return [wire.event('customer.created', buyer), wire.charged(charge({ amount: 5_000, customer: buyer.id }))];
  },
  'checkout session': (wire, metadata) => {
    const paid = charge({ amount: 5_000 });
    const session = checkoutSession({ metadata, customer_details: null });
    return [wire.completed({ ...session, payment_intent: paid.payment_intent }), wire.charged(paid)];
  },
  subscription: (wire, metadata) => {
    const buyer = newId('cus');
    const paidBy = charge({ amount: 5_000, customer: buyer });
    return [
      wire.subscription('created', subscription(buyer, { status: 'active', trial_end: null, metadata })),
      wire.paid({ invoice: invoice({ total: 5_000, customer: buyer }), paidBy }),
    ];
  },
  charge: (wire, metadata) => [wire.charged(charge({ amount: 5_000, metadata }))],
  invoice: (wire, metadata) => [
    wire.paid({ invoice: invoice({ total: 5_000, customer: newId('cus'), metadata }), paidBy: charge({ amount: 5_000 }) }),
  ],
  'subscription of an invoice': (wire, ofSubscription) => [
    wire.paid({ invoice: invoice({ total: 5_000 }), paidBy: charge({ amount: 5_000 }), ofSubscription }),
  ],
};

let userId: string;
beforeEach(() => {
  userId = newId('user');
});

async function earned(referralId: string) {
  const commissions = await shop.commissions();
  return commissions
    .filter(({ referral_id, state }) => referral_id === referralId && state !== 'voided')
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** A report of the merchant's server that binds a customer, whom it names by its own id only. */
async function bind(): Promise<string> {
  const referral_id = await shop.refer();
  const { status, body } = await shop.merchant.api.post('/track/sales', {
    external_id: newId('order'),
    referral_id,
    external_customer_id: userId,
    amount_cents: 0,
    currency: 'USD',
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return referral_id;
}

describe.each(API_VERSIONS)('in API version %s, the customer id in the metadata of', (version) => {
  test.each(Object.keys(CARRIERS))('the %s is an identity of the customer, in any order', async (carrier) => {
    const { length } = CARRIERS[carrier]!(shop.in(version), {});
    for (const order of orders(Array.from({ length }, (_, index) => index)))
      for (const isBoundFirst of [true, false]) {
        userId = newId('user');
        const events = CARRIERS[carrier]!(shop.in(version), { customer_id: ` ${userId} ` });
        const referral = await shop.refer();
        const email = `${newId('x')}@buyer.example`.toLowerCase();
        const lead = { referral_id: referral, email, external_customer_id: isBoundFirst ? userId : newId('user') };
        expect(await shop.merchant.api.post('/track/leads', lead)).toMatchObject({ status: 200 });
        await shop.deliver(...order.map((index) => events[index]!));
        expect({ order, isBoundFirst, earned: await earned(referral) }).toEqual({
          order,
          isBoundFirst,
          earned: isBoundFirst ? 1_000 : 0,
        });
        const { data } = await shop.merchant.call().customers.list({ search: userId });
        expect(data).toMatchObject([{ external_id: userId }]);
      }
  });
});

test('a report that names the customer by the merchant’s id binds the payments of the provider', async () => {
  const referral = await bind();
  await shop.deliver(...CARRIERS['customer']!(shop.in('2025-09-30.clover'), { customer_id: userId }));
  expect(await earned(referral)).toBe(1_000);
});

test('the merchant chooses the key', async () => {
  const wire = shop.in('2025-09-30.clover');
  const settings = await shop.merchant.call().pspConnection.update({ customer_id_key: 'user_id' });
  expect(settings).toMatchObject({ customer_id_key: 'user_id', outside_payments: 'count' });
  const referral = await bind();
  await shop.deliver(...CARRIERS['charge']!(wire, { customer_id: userId }));
  expect(await earned(referral)).toBe(0);
  for (const carrier of Object.values(CARRIERS))
    await shop.deliver(...carrier(wire, { user_id: userId, customer_id: 'the shop' }));
  expect(await earned(referral)).toBe(1_000 * Object.keys(CARRIERS).length);
  await shop.merchant.call().pspConnection.update({ customer_id_key: null });
  await shop.deliver(...CARRIERS['charge']!(wire, { user_id: userId, customer_id: userId }));
  expect(await earned(referral)).toBe(1_000 * Object.keys(CARRIERS).length);
});

test('a report with another id of the customer contradicts the first report', async () => {
  const report = { external_id: newId('order'), external_customer_id: userId, amount_cents: 5_000, currency: 'USD' };
  expect(await shop.merchant.api.post('/track/sales', report)).toMatchObject({ status: 201 });
  expect(await shop.merchant.api.post('/track/sales', report)).toMatchObject({ status: 200 });
  expect(await shop.merchant.api.post('/track/sales', { ...report, external_customer_id: newId('user') })).toMatchObject({
    status: 409,
    body: { details: { reason: 'other_values', fields: ['external_customer_id'] } },
  });
});
