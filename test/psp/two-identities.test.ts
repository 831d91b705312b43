import { expect, test } from 'vitest';
import { charge, checkoutSession, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

test('a customer whom the shop and the provider know by different addresses earns the same affiliate everything, in any order', async () => {
  for (const order of sample(orders([0, 1, 2, 3]), 3, 0)) {
    await reopen();
    shop.service.clock.set(new Date().toISOString());
    const referral_id = await shop.refer();
    const seconds = Math.floor(shop.service.clock.now().getTime() / 1_000);
    const buyer = customer({ email: `${newId('private')}@buyer.example` });
    const pay = (created: number) => charge({ amount: 10_000, currency: 'eur', customer: buyer.id, created });
    const [first, renewal] = [pay(seconds + 1), pay(seconds + 60)];
    shop.service.clock.advance(2, 'minutes');
    const report = (psp_charge_id: string | undefined, charged: number, more: object = {}) => ({
      external_id: crypto.randomUUID(),
      customer_email: `${buyer.id}@shop.example`,
      amount_cents: 10_000,
      currency: 'EUR',
      charged_at: new Date(charged * 1_000).toISOString(),
      ...(psp_charge_id && { psp_charge_id }),
      ...more,
    });
    const facts = [
      // The shop names the referral and its own address of the customer; the provider names neither.
      async () => void (await post(report(first.id, seconds + 1, { referral_id }))),
      async () => deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', first)),
      // A renewal that only the provider reports, and a purchase that only the shop reports.
      async () => deliver(wireEvent('charge.succeeded', renewal)),
      async () => void (await post(report(undefined, seconds + 90, { amount_cents: 5_000 }))),
    ];
    for (const index of order) await facts[index]!();
    const standing = (await commissions()).filter(({ state }) => state !== 'voided');
    expect({ order, amounts: standing.map(({ amount_cents }) => amount_cents).toSorted((a, b) => a - b) }).toEqual({
      order,
      amounts: [1_000, 2_000, 2_000],
    });
    expect(await shop.count('customer')).toBe(1);
  }
}, 120_000);

test.each(orders(['the checkout', 'the address']))(
  'an address that the merchant enters in a referral is that of the buyer without one, with %s before %s',
  async (first) => {
    shop.service.clock.set(new Date().toISOString());
    const referral = await shop.refer();
    const customer_email = `${newId('x')}@buyer.example`;
    shop.service.clock.advance(10, 'seconds');
    const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
    shop.service.clock.advance(1, 'minutes');
    const buyer = customer({ email: null, created });
    const paid = charge({ amount: 10_000, customer: buyer.id, created });
    const names = { client_reference_id: referral, customer: buyer.id, customer_details: null };
    const checkout = checkoutSession({ ...names, payment_intent: paid.payment_intent, amount_total: 10_000, created });
    const facts = [
      () => deliver(wireEvent('checkout.session.completed', checkout, { created }), wireEvent('charge.succeeded', paid)),
      async () =>
        expect(await shop.merchant.api.patch(`/referrals/${referral}`, { customer_email })).toMatchObject({ status: 200 }),
    ];
    for (const tell of first === 'the checkout' ? facts : facts.toReversed()) await tell();
    shop.service.clock.advance(1, 'minutes');
    // A purchase by the address alone.
    await post({ external_id: 'later', customer_email, amount_cents: 5_000, currency: 'USD' });
    expect((await commissions()).map(({ amount_cents }) => amount_cents).toSorted((a, b) => a - b)).toEqual([1_000, 2_000]);
  },
);
