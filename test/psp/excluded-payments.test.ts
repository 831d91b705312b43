/** Payments whose metadata say that nobody earns (docs/rules/attribution.md#excluded-sales). */
import { settleDueDecisions } from '@affiliate/core';
import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  API_VERSIONS,
  charge,
  checkoutSession,
  customer,
  invoice,
  newId,
  type VersionedEvents,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders, TRIED_ORDERS, useEventShop } from './event-shop.ts';

const shop = useEventShop();

const EXCLUDED = { metadata: { affiliate: 'false' } };
const now = () => Math.floor(Date.now() / 1_000);

/** Returns why each sale of a customer of the provider earned nothing, in the order of the charges. */
async function salesOf(pspCustomerId: string) {
  const rows = await shop.service.services.database.kysely
    .selectFrom('sale')
    .innerJoin('customer', 'customer.id', 'sale.customer_id')
    .select('no_commission_reason')
    .where('psp_customer_id', '=', pspCustomerId)
    .orderBy('charged_at')
    .execute();
  return rows.map(({ no_commission_reason }) => no_commission_reason);
}

async function earned(): Promise<number> {
  const commissions = await shop.commissions();
  return commissions.filter(({ state }) => state !== 'voided').reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

async function bound(wire = shop.in('2025-09-30.clover')) {
  const referralId = await shop.refer();
  const buyer = customer();
  const checkout = wire.completed(checkoutSession({ client_reference_id: referralId, customer: buyer.id }));
  return { buyer, checkout, referralId };
}

type Buyer = ReturnType<typeof customer>;

/** Each returns events of a payment that the metadata exclude. */
const CARRIERS: Record<string, (wire: VersionedEvents, buyer: Buyer, metadata: Stripe.Metadata) => WireEvent[]> = {
  charge: (wire, buyer, metadata) => [wire.charged(charge({ amount: 5_000, customer: buyer.id, metadata }))],
  invoice: (wire, buyer, metadata) => {
    const paidBy = charge({ amount: 5_000, customer: buyer.id });
    const bill = invoice({ total: 5_000, customer: buyer.id, metadata });
    return [wire.paid({ invoice: bill, paidBy }), wire.charged(paidBy, bill.id)];
  },
  subscription: (wire, buyer, ofSubscription) => {
    const paidBy = charge({ amount: 5_000, customer: buyer.id });
    return [wire.paid({ invoice: invoice({ total: 5_000, customer: buyer.id }), paidBy, ofSubscription })];
  },
  customer: (wire, buyer, metadata) => [
    wire.event('customer.created', { ...buyer, metadata }),
    wire.charged(charge({ amount: 5_000, customer: buyer.id })),
  ],
};
const excluded = (carrier: string, buyer: Buyer) => CARRIERS[carrier]!(shop.in('2025-09-30.clover'), buyer, EXCLUDED.metadata);

describe.each(API_VERSIONS)('in API version %s', (version) => {
  test.each(Object.keys(CARRIERS))(
    'a payment that the metadata of its %s exclude earns nothing, in any order',
    async (carrier) => {
      const { length } = CARRIERS[carrier]!(shop.in(version), customer(), EXCLUDED.metadata);
      const all = orders(Array.from({ length: length + 1 }, (_, index) => index));
      for (const order of length === 2 ? TRIED_ORDERS : all) {
        const wire = shop.in(version);
        const { buyer, checkout, referralId } = await bound(wire);
        const events = [checkout, ...CARRIERS[carrier]!(wire, buyer, EXCLUDED.metadata)];
        await shop.deliver(...order.map((index) => events[index]!));
        expect({ order, reasons: await salesOf(buyer.id), earned: await earned() }).toEqual({
          order,
          reasons: ['excluded'],
          earned: 0,
        });
        const { conversion_state } = await shop.merchant.call().referrals.get({ id: referralId });
        expect(conversion_state).toBe('lead');
      }
    },
  );

  test.each(['rewardful', 'referralstack'])('the word of another tool (%s) excludes, too', async (key) => {
    for (const carrier of Object.values(CARRIERS)) {
      const wire = shop.in(version);
      const { buyer, checkout } = await bound(wire);
      await shop.deliver(checkout, ...carrier(wire, buyer, { [key]: 'false' }));
      expect(await salesOf(buyer.id)).toEqual(['excluded']);
    }
    const { buyer, checkout } = await bound();
    await shop.deliver(checkout, ...CARRIERS['charge']!(shop.in(version), buyer, { [key]: 'true' }));
    expect(await salesOf(buyer.id)).toEqual([null]);
  });

  test('the metadata of a checkout exclude its payment', async () => {
    for (const order of orders([0, 1])) {
      const wire = shop.in(version);
      const buyer = newId('cus');
      const paid = charge({ amount: 5_000, customer: buyer });
      const session = checkoutSession({ client_reference_id: await shop.refer(), customer: buyer, ...EXCLUDED });
      const events = [wire.completed({ ...session, payment_intent: paid.payment_intent }), wire.charged(paid)];
      await shop.deliver(...order.map((index) => events[index]!));
      expect({ order, reasons: await salesOf(buyer) }).toEqual({ order, reasons: ['excluded'] });
    }
  });
});

test('another payment of the customer earns', async () => {
  const { buyer, checkout } = await bound();
  await shop.deliver(checkout, ...excluded('charge', buyer));
  await shop.deliver(wireEvent('charge.succeeded', charge({ amount: 6_000, customer: buyer.id, created: now() + 10 })));
  expect(await salesOf(buyer.id)).toEqual(['excluded', null]);
  expect(await earned()).toBe(1_200);
});

test('an excluded payment of an unknown customer earns nothing', async () => {
  const paid = charge({ amount: 5_000, ...EXCLUDED });
  const session = checkoutSession({ client_reference_id: await shop.refer(), customer_details: null });
  await shop.deliver(
    wireEvent('checkout.session.completed', { ...session, payment_intent: paid.payment_intent }),
    wireEvent('charge.succeeded', paid),
  );
  expect(await shop.count('sale')).toBe(1);
  expect(await shop.commissions()).toEqual([]);
});

test('a commission that was earned before the exclusion is known is voided, unless it was paid', async () => {
  for (const isPaid of [false, true]) {
    const { buyer, checkout } = await bound();
    const paid = charge({ amount: 5_000, customer: buyer.id });
    await shop.deliver(checkout, wireEvent('charge.succeeded', paid));
    const [commission] = await shop.commissions();
    const paidAt = isPaid ? { paid_at: shop.service.clock.instant() } : {};
    await shop.merchant.api.patch(`/commissions/${commission!.id}`, paidAt);
    await shop.deliver(wireEvent('charge.captured', { ...paid, ...EXCLUDED }));
    expect(await salesOf(buyer.id)).toEqual([isPaid ? null : 'excluded']);
    expect(await earned()).toBe(isPaid ? 1_000 : 0);
  }
});

test.each(['charge', 'invoice'])('a payment whose %s is changed to exclude it earns nothing, in any order', async (changed) => {
  for (const order of TRIED_ORDERS) {
    const { buyer, checkout } = await bound();
    const paidBy = charge({ amount: 5_000, customer: buyer.id });
    const bill = invoice({ total: 5_000, customer: buyer.id });
    const wire = shop.in('2025-09-30.clover');
    const object = { ...(changed === 'charge' ? paidBy : bill), ...EXCLUDED };
    const events = [
      checkout,
      wire.paid({ invoice: bill, paidBy }),
      wire.event(`${changed}.updated`, object, { previous: { metadata: { affiliate: null } } }),
    ];
    await shop.deliver(...order.map((index) => events[index]!));
    expect({ order, reasons: await salesOf(buyer.id), earned: await earned() }).toEqual({
      order,
      reasons: ['excluded'],
      earned: 0,
    });
  }
  const { buyer, checkout } = await bound();
  const paid = charge({ amount: 5_000, customer: buyer.id });
  const other = { ...paid, metadata: { cart: '1' } };
  await shop.deliver(checkout, wireEvent('charge.updated', other), wireEvent('charge.succeeded', paid));
  expect(await earned()).toBe(1_000);
});

test('an excluded customer earns again for payments after the metadata were removed, in any order of events', async () => {
  for (const order of TRIED_ORDERS) {
    const { buyer, checkout } = await bound();
    const start = now();
    const changes = [
      wireEvent('customer.created', { ...buyer, ...EXCLUDED }, { created: start }),
      wireEvent('customer.updated', buyer, { created: start + 20, previous: EXCLUDED }),
      wireEvent(
        'customer.updated',
        { ...buyer, ...EXCLUDED },
        { created: start + 40, previous: { metadata: { affiliate: null } } },
      ),
    ];
    const pay = (second: number) =>
      wireEvent('charge.succeeded', charge({ id: newId('ch'), amount: 5_000, customer: buyer.id, created: start + second }));
    await shop.deliver(pay(10), checkout, pay(50), ...order.map((index) => changes[index]!), pay(30));
    expect({ order, reasons: await salesOf(buyer.id) }).toEqual({ order, reasons: ['excluded', null, 'excluded'] });
  }
});

test('a person may assign an excluded payment, whenever the exclusion becomes known', async () => {
  await shop.deliver(...excluded('charge', customer()));
  const [sale] = (await shop.merchant.call().sales.list({})).data;
  expect(sale).toMatchObject({ no_commission_reason: 'excluded' });
  const { id } = sale!;
  await shop.merchant.call().sales.assign({ id, affiliate_id: shop.program.affiliateId, dry_run: false });
  expect(await shop.commissions()).toMatchObject([{ state: 'pending', affiliate_id: shop.program.affiliateId }]);
  expect((await shop.merchant.call().payoutRuns.reconcile({})).discrepancies).toEqual([]);
});

describe('an excluded payment is not the first of its customer', () => {
  /** Shows each way to exclude the first payment of a customer: events besides those of its two payments. */
  const WAYS: Record<string, (wire: VersionedEvents, buyer: Buyer, first: Stripe.Charge) => WireEvent[]> = {
    'by its charge': (_, _buyer, first) => [wireEvent('charge.captured', { ...first, ...EXCLUDED })],
    'by its customer': (_, buyer, first) => [
      wireEvent('customer.updated', { ...buyer, ...EXCLUDED }, { created: first.created - 1, previous: { metadata: {} } }),
      wireEvent('customer.updated', buyer, { created: first.created + 1, previous: EXCLUDED }),
    ],
  };

  test.each(Object.keys(WAYS).flatMap((way) => [true, false].map((isReferred) => [way, isReferred] as const)))(
    '%s, with a referral: %s, in any order of the events',
    async (way, isReferred) => {
      await shop.merchant.call().rewardRules.create({
        campaign_id: shop.program.campaignId,
        name: 'First purchase',
        when: { customer: 'new' },
        pay: { percent: 50 },
      });
      const wire = shop.in('2025-09-30.clover');
      const tried = orders(['first', 'second', 'excluded', 'bound'] as const).filter(
        (order) => isReferred || order.indexOf('bound') > order.indexOf('first'),
      );
      for (const order of sample(tried, 3, 0)) {
        const { buyer, checkout } = await bound(wire);
        const start = Math.max(now(), checkout.created);
        const first = charge({ amount: 5_000, customer: buyer.id, created: start + (isReferred ? 20 : -86_400) });
        const second = charge({ amount: 6_000, customer: buyer.id, created: start + 40 });
        const steps = {
          first: [wireEvent('charge.succeeded', first, { created: first.created })],
          second: [wireEvent('charge.succeeded', second, { created: second.created })],
          excluded: WAYS[way]!(wire, buyer, first),
          bound: [checkout],
        };
        for (const step of order) await shop.deliver(...steps[step]);
        await settleDueDecisions(shop.service.services);
        const ofBuyer = (await shop.commissions()).filter(
          ({ state, sale }) => state !== 'voided' && [first.id, second.id].includes(sale.psp_charge_id!),
        );
        expect({ order, earned: ofBuyer.map(({ amount_cents }) => amount_cents) }).toEqual({ order, earned: [3_000] });
      }
    },
  );
});
