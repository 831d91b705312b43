/** Referrals that the merchant names in the metadata of the provider's objects (docs/rules/intake.md#provider-events). */
import { describe, expect, test } from 'vitest';
import {
  API_VERSIONS,
  charge,
  checkoutSession,
  coupon,
  customer,
  discount,
  invoice,
  legacyInvoice,
  newId,
  subscription,
  type VersionedEvents,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders, TRIED_ORDERS, useEventShop } from './event-shop.ts';
import { createCode, importCode } from './fixtures.ts';

const shop = useEventShop({ restoresClock: true });

const now = () => Math.floor(Date.now() / 1_000);
async function earnedBy(referralId: string) {
  const commissions = await shop.commissions();
  return commissions
    .filter(({ referral_id, state }) => referral_id === referralId && state !== 'voided')
    .map(({ amount_cents }) => amount_cents)
    .toSorted((a, b) => a - b);
}

async function stateOf(referralId: string) {
  return (await shop.merchant.call().referrals.get({ id: referralId })).conversion_state;
}

interface Named {
  metadata: { referral: string };
}

/** Each returns the event that names the referral, and the event of the payment. */
const CARRIERS: Record<string, (wire: VersionedEvents, named: Named) => WireEvent[]> = {
  customer: (wire, named) => {
    const buyer = customer(named);
    return [wire.event('customer.created', buyer), wire.charged(charge({ amount: 5_000, customer: buyer.id }))];
  },
  'checkout session': (wire, named) => {
    const paid = charge({ amount: 5_000, customer: newId('cus') });
    const { customer: customerId, payment_intent } = paid;
    // The merchant's own reference is not a referral.
    const session = checkoutSession({ ...named, client_reference_id: 'user 42', customer: customerId as string });
    return [wire.completed({ ...session, payment_intent }), wire.charged(paid)];
  },
  'payment link, which its sessions copy': (wire, named) => {
    const paid = charge({ amount: 5_000 });
    const session = checkoutSession({ ...named, payment_link: newId('plink'), customer_details: null });
    return [wire.completed({ ...session, payment_intent: paid.payment_intent }), wire.charged(paid)];
  },
  subscription: (wire, named) => {
    const buyer = customer();
    const paidBy = charge({ amount: 5_000, customer: buyer.id });
    return [
      wire.subscription('created', subscription(buyer.id, named)),
      wire.paid({ invoice: invoice({ total: 5_000, customer: buyer.id }), paidBy }),
    ];
  },
  'payment intent': (wire, named) => {
    const paid = charge({ amount: 5_000, customer: newId('cus') });
    const intent = { id: paid.payment_intent, customer: paid.customer, latest_charge: paid.id, created: paid.created, ...named };
    return [wire.event('payment_intent.succeeded', intent), wire.charged(paid)];
  },
  'payment intent of an unknown customer': (wire, named) => {
    const paid = charge({ amount: 5_000 });
    const intent = { id: paid.payment_intent, customer: null, latest_charge: paid.id, created: paid.created, ...named };
    return [wire.event('payment_intent.succeeded', intent), wire.charged(paid)];
  },
  charge: (wire, named) => [wire.charged(charge({ amount: 5_000, customer: newId('cus'), ...named }))],
  'charge of an unknown customer': (wire, named) => [wire.charged(charge({ amount: 5_000, ...named }))],
  invoice: (wire, named) => {
    const paidBy = charge({ amount: 5_000 });
    const paid = { invoice: invoice({ total: 5_000, customer: newId('cus'), ...named }), paidBy };
    return [wire.paid(paid), wire.charged(paidBy, paid.invoice.id)];
  },
  'subscription of an invoice': (wire, { metadata }) => {
    const paidBy = charge({ amount: 5_000 });
    const bill = invoice({ total: 5_000, customer: newId('cus') });
    return [wire.paid({ invoice: bill, paidBy, ofSubscription: metadata })];
  },
};

describe.each(API_VERSIONS)('in API version %s, a referral in the metadata of', (version) => {
  test.each(Object.keys(CARRIERS))('the %s earns, in any order', async (carrier) => {
    const { length } = CARRIERS[carrier]!(shop.in(version), { metadata: { referral: '' } });
    for (const order of orders(Array.from({ length }, (_, index) => index))) {
      const referralId = await shop.refer();
      const events = CARRIERS[carrier]!(shop.in(version), { metadata: { referral: referralId } });
      await shop.deliver(...order.map((index) => events[index]!));
      expect({ order, earned: await earnedBy(referralId) }).toEqual({ order, earned: [1_000] });
      expect(await stateOf(referralId)).toBe('conversion');
      await shop.deliver(...events);
      expect({ order, earned: await earnedBy(referralId) }).toEqual({ order, earned: [1_000] });
    }
  });

  test.each(['google', 'ref_00000000000000000000000000'])(
    'an object that is not a referral (%s) has no effect',
    async (referral) => {
      for (const carrier of Object.values(CARRIERS)) await shop.deliver(...carrier(shop.in(version), { metadata: { referral } }));
      expect(await shop.commissions()).toEqual([]);
      expect(await shop.count('sale')).toBe(Object.keys(CARRIERS).length);
    },
  );
});

describe('metadata name the affiliate, in any order of the events, by', () => {
  const own = async (fields: object = {}) => {
    const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
    const { links, referrals } = shop.merchant.call();
    const link = await links.create({ affiliate_id, campaign_id, url: 'https://shop.example', ...fields });
    const referralsOf = async () => (await referrals.list({ link_id: link.id })).data;
    return { link, referralsOf };
  };

  test.each(Object.keys(CARRIERS))('the token of a link in the %s, which starts one referral of the link', async (carrier) => {
    const version = API_VERSIONS.at(-1)!;
    for (const isReversed of [false, true]) {
      await shop.open();
      const { link, referralsOf } = await own();
      const events = CARRIERS[carrier]!(shop.in(version), { metadata: { referral: ` ${link.token.toUpperCase()}` } });
      await shop.deliver(...(isReversed ? events.toReversed() : events), ...events);
      const started = await referralsOf();
      expect(started).toMatchObject([{ conversion_state: 'conversion' }]);
      expect({ isReversed, earned: await earnedBy(started[0]!.id) }).toEqual({ isReversed, earned: [1_000] });
    }
  });

  test.each(Object.keys(CARRIERS))('the id of a former tool in the %s', async (carrier) => {
    const former = crypto.randomUUID();
    const { link } = await own();
    const { id } = await shop.merchant.call().referrals.create({ link_id: link.id, external_id: former });
    await shop.deliver(...CARRIERS[carrier]!(shop.in(API_VERSIONS[0]), { metadata: { referral: former } }));
    expect(await earnedBy(id)).toEqual([1_000]);
  });

  test('the token of a link in a customer that is changed later, and not anew with each renewal after the referral has expired', async () => {
    const start = now() + 70;
    const { link, referralsOf } = await own();
    const named = { metadata: { referral: link.token } };
    const buyer = customer();
    const changed = (second: number) =>
      wireEvent('customer.updated', { ...buyer, ...named }, { created: start + second, previous: { metadata: {} } });
    const paid = (second: number) =>
      wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id, created: start + second }));
    shop.service.clock.advance(10, 'minutes');
    await shop.deliver(wireEvent('customer.created', buyer), paid(0), changed(10), paid(20));
    const [referral] = await referralsOf();
    expect(await earnedBy(referral!.id)).toEqual([1_000]);
    shop.service.clock.advance(400, 'days');
    await shop.deliver(changed(399 * 86_400));
    expect(await referralsOf()).toHaveLength(1);
  });
});

describe('a referral in the metadata of', () => {
  test('a charge or an invoice earns from later payments of the customer, too', async () => {
    const referralId = await shop.refer();
    const named = { metadata: { referral: referralId } };
    const buyer = newId('cus');
    await shop.deliver(
      wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer, ...named })),
      wireEvent('charge.succeeded', charge({ amount: 6_000, customer: buyer, created: now() + 10 })),
    );
    expect(await earnedBy(referralId)).toEqual([1_000, 1_200]);
  });
});

describe.each(API_VERSIONS)('in API version %s, a trial of a subscription whose metadata names a referral', (version) => {
  const DAYS = 14 * 86_400;
  const trialOf = async () => {
    const { data } = await shop.merchant.call().referrals.list({ expand: ['customer'] });
    return data.map(({ conversion_state, customer: who }) => ({ conversion_state, trial_until: who?.trial_until ?? null }));
  };

  test('makes the referral a lead with the end of the trial', async () => {
    const trial = subscription(newId('cus'), { metadata: { referral: await shop.refer() } });
    await shop.deliver(shop.in(version).subscription('created', trial));
    const trial_until = new Date(trial.trial_end * 1_000).toISOString();
    expect(await trialOf()).toEqual([{ conversion_state: 'lead', trial_until }]);
    expect(await shop.count('sale')).toBe(0);
  });

  test('converts the referral at the first payment, in any order', async () => {
    const start = now();
    const trial_end = start + DAYS;
    const before = shop.service.clock.instant();
    for (const order of TRIED_ORDERS) {
      await shop.open();
      const wire = shop.in(version);
      const referralId = await shop.refer();
      shop.service.clock.advance(15, 'days');
      const buyer = newId('cus');
      const named = { metadata: { referral: referralId } };
      const trial = subscription(buyer, { ...named, created: start, trial_end });
      const paidAt = { ...invoice().status_transitions, paid_at: trial_end };
      const events = [
        wire.subscription('created', trial, { created: start }),
        wire.subscription('updated', { ...trial, status: 'active' }, { created: trial_end, previous: { status: 'trialing' } }),
        wire.paid({
          invoice: invoice({ total: 5_000, customer: buyer, status_transitions: paidAt }),
          paidBy: charge({ amount: 5_000, customer: buyer, created: trial_end }),
        }),
      ];
      await shop.deliver(...order.map((index) => events[index]!));
      expect({ order, earned: await earnedBy(referralId), trials: await trialOf() }).toEqual({
        order,
        earned: [1_000],
        trials: [{ conversion_state: 'conversion', trial_until: null }],
      });
      shop.service.clock.set(before);
    }
  });
});

test('an invoice of nothing that names the referral of its subscription makes the referral a lead', async () => {
  const referralId = await shop.refer();
  const bill = invoice({ total: 0, customer: newId('cus') });
  const parent = { subscription_details: { metadata: { referral: referralId } } };
  await shop.deliver(wireEvent('invoice.paid', { ...bill, parent }));
  expect(await stateOf(referralId)).toBe('lead');
  expect(await shop.count('sale')).toBe(0);
});

test('a referral that is named after a payment earns from later payments only, in any order of events', async () => {
  const before = shop.service.clock.instant();
  for (const order of sample(orders([0, 1, 2, 3]), 3, 0)) {
    const referralId = await shop.refer();
    const buyer = customer({ metadata: { referral: referralId } });
    const start = now() + 10;
    shop.service.clock.advance(60, 'seconds');
    const events = [
      wireEvent('charge.succeeded', charge({ amount: 4_000, customer: buyer.id, created: start })),
      wireEvent('customer.updated', buyer, { created: start + 10 }),
      wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id, created: start + 20 })),
      wireEvent('customer.updated', buyer, { created: start + 30 }),
    ];
    await shop.deliver(...order.map((index) => events[index]!));
    expect({ order, earned: await earnedBy(referralId) }).toEqual({ order, earned: [1_000] });
    shop.service.clock.set(before);
  }
});

test.each(['charge', 'invoice'])(
  'a referral that a %s names does not earn from earlier payments, in any order',
  async (carrier) => {
    const before = shop.service.clock.instant();
    shop.service.clock.advance(60, 'seconds');
    for (const order of TRIED_ORDERS) {
      const referralId = await shop.refer();
      const buyer = newId('cus');
      const start = now() + 70;
      const pay = (amount: number, second: number, fields: object = {}) =>
        charge({ amount, customer: buyer, created: start + second, ...fields });
      const named = { metadata: { referral: referralId } };
      const bill = invoice({ total: 5_000, customer: buyer, ...named });
      const paid_at = start + 20;
      const paidInvoice = { ...bill, status_transitions: { ...bill.status_transitions, paid_at } };
      const events = [
        wireEvent('charge.succeeded', pay(4_000, 0)),
        carrier === 'charge'
          ? wireEvent('charge.succeeded', pay(5_000, 20, named))
          : wireEvent('invoice.paid', legacyInvoice(paidInvoice, pay(5_000, 20))),
        wireEvent('charge.succeeded', pay(6_000, 40)),
      ];
      shop.service.clock.advance(120, 'seconds');
      await shop.deliver(...order.map((index) => events[index]!));
      expect({ order, earned: await earnedBy(referralId) }).toEqual({ order, earned: [1_000, 1_200] });
      shop.service.clock.advance(-120, 'seconds');
    }
    shop.service.clock.set(before);
  },
);

describe('a promo code that is redeemed for', () => {
  test.each(['subscription', 'customer'])(
    'the %s before the first payment makes a lead, and earns in any order',
    async (where) => {
      const { records } = shop.merchant.psp;
      records.coupons.push(coupon({ id: 'SPRING' }));
      const code = createCode(shop.merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
      await importCode(shop.merchant, shop.program.affiliateId, code);
      for (const order of TRIED_ORDERS) {
        const reduction = discount({ promotion_code: code.id });
        const buyer = customer(where === 'customer' ? { discount: reduction } : {});
        const trial = subscription(buyer.id, where === 'customer' ? {} : { discounts: [reduction.id] });
        records.discounts.push(reduction);
        records.subscriptions.push(trial as never);
        const later = legacyInvoice(invoice({ total: 5_000, customer: buyer.id }), charge({ amount: 5_000 }));
        const events = [
          wireEvent('customer.created', buyer),
          wireEvent('customer.subscription.created', trial),
          wireEvent('invoice.paid', later),
        ];
        await shop.deliver(...order.map((index) => events[index]!));
        const mine = (await shop.commissions()).filter(({ sale }) => sale.psp_invoice_id === later.id);
        expect({ order, mine }).toMatchObject({ order, mine: [{ amount_cents: 1_000, state: 'pending' }] });
      }
      const lead = discount({ promotion_code: code.id });
      records.discounts.push(lead);
      const buyer = customer(where === 'customer' ? { discount: lead } : {});
      const trial = subscription(buyer.id, where === 'customer' ? {} : { discounts: [lead.id] });
      records.subscriptions.push(trial as never);
      await shop.deliver(wireEvent('customer.created', buyer), wireEvent('customer.subscription.created', trial));
      const { data } = await shop.merchant.call().referrals.list({ limit: 1 });
      expect(data).toMatchObject([{ conversion_state: 'lead', psp_customer_id: buyer.id }]);
    },
  );
});

test.each(API_VERSIONS)(
  'a reference of a checkout with blanks around it names the referral in version %s, in any order',
  async (version) => {
    for (const order of orders([0, 1])) {
      const referralId = await shop.refer();
      const paid = charge({ amount: 5_000, customer: newId('cus') });
      const { customer: customerId, payment_intent } = paid;
      const session = checkoutSession({ client_reference_id: ` ${referralId}\n`, customer: customerId as string });
      const events = [shop.in(version).completed({ ...session, payment_intent }), shop.in(version).charged(paid)];
      await shop.deliver(...order.map((index) => events[index]!));
      expect({ order, earned: await earnedBy(referralId) }).toEqual({ order, earned: [1_000] });
    }
  },
);

describe('the token of a link as reference of a checkout', () => {
  const URL = 'https://shop.example';
  async function link() {
    const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
    return shop.merchant.call().links.create({ affiliate_id, campaign_id, url: URL, token: `jane-${newId('x')}`.toLowerCase() });
  }
  const referrals = async () => (await shop.merchant.call().referrals.list({ expand: ['link'] })).data;

  test.each(API_VERSIONS.flatMap((version) => ['known', 'unknown'].map((who) => ({ version, who }))))(
    'starts a referral of the link that earns from a customer who is $who in version $version, in any order',
    async ({ version, who }) => {
      for (const order of orders([0, 1])) {
        const wire = shop.in(version);
        const { id, token } = await link();
        const paid = charge({ amount: 5_000, customer: who === 'known' ? newId('cus') : null });
        const { customer: customerId, payment_intent } = paid;
        const session = checkoutSession({
          client_reference_id: ` ${token.toUpperCase()}`,
          customer: customerId as string,
          customer_details: null,
        });
        const events = [
          // The event of the checkout comes after the charge, but the checkout was opened before.
          wire.completed({ ...session, payment_intent }, { created: session.created + 5 }),
          wire.charged(paid),
        ];
        await shop.deliver(...order.map((index) => events[index]!));
        const started = (await referrals()).filter(({ link_id }) => link_id === id);
        expect(started).toMatchObject([{ conversion_state: 'conversion' }]);
        expect({ order, earned: await earnedBy(started[0]!.id) }).toEqual({ order, earned: [1_000] });
      }
    },
  );

  test('may be the merchant’s own id of a referral, e.g. its id at a former tool', async () => {
    const former = 'f3b6ad46-2d5e-4d4a-8a3c-1c1f0a0c9d11';
    const { id } = await shop.merchant.call().referrals.create({ link_id: (await link()).id, external_id: former });
    const paid = charge({ amount: 5_000, customer: newId('cus') });
    const { customer: customerId, payment_intent } = paid;
    const session = checkoutSession({ client_reference_id: former, customer: customerId as string, customer_details: null });
    await shop.deliver(
      wireEvent('checkout.session.completed', { ...session, payment_intent }),
      wireEvent('charge.succeeded', paid),
    );
    expect(await earnedBy(id)).toEqual([1_000]);
  });

  test('starts one referral for several checkouts of a customer', async () => {
    const { id, token } = await link();
    const buyer = newId('cus');
    for (let i = 0; i < 2; i += 1)
      await shop.deliver(
        wireEvent('checkout.session.completed', checkoutSession({ client_reference_id: token, customer: buyer })),
        wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer, created: now() + i })),
      );
    const started = (await referrals()).filter(({ link_id }) => link_id === id);
    expect(started).toHaveLength(1);
    expect(await earnedBy(started[0]!.id)).toEqual([1_000, 1_000]);
  });

  test('has no effect if the link is archived', async () => {
    const { id, token } = await link();
    await shop.merchant.call().links.archive({ id });
    await shop.deliver(
      wireEvent('checkout.session.completed', checkoutSession({ client_reference_id: token, customer: newId('cus') })),
    );
    expect(await referrals()).toEqual([]);
  });
});
