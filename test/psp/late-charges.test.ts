import { describe, expect, test } from 'vitest';
import { charge, checkoutCustomer, checkoutSession, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();
const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);

/** Events of a payment that a visitor of the affiliate makes now. They are delivered later. */
async function payment() {
  const referralId = await shop.refer();
  shop.service.clock.advance(10, 'seconds');
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const paid = charge({ amount: 10_000, currency: 'usd', customer: buyer.id, created: seconds() });
  const checkout = checkoutSession({
    client_reference_id: referralId,
    customer: buyer.id,
    customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
    payment_intent: paid.payment_intent,
    currency: 'usd',
    amount_total: 10_000,
    created: seconds() - 5,
  });
  return [wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid)];
}

const reasons = async () => {
  const sales = await shop.service.services.database.kysely
    .selectFrom('sale')
    .select('no_commission_reason')
    .where('account_id', '=', shop.merchant.id)
    .execute();
  return sales.map(({ no_commission_reason: reason }) => reason);
};

describe('a charge that arrives late', () => {
  test('earns on the terms at its time', async () => {
    const events = await payment();
    shop.service.clock.advance(10, 'seconds');
    const { campaignId } = shop.program;
    await shop.merchant.api.patch(`/campaigns/${campaignId}`, { commission_percent: 50 });
    shop.service.clock.advance(10, 'seconds');
    await shop.merchant.api.patch(`/campaigns/${campaignId}`, { commission_percent: 0 });
    await shop.deliver(...events);
    expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000 }]);
  });

  test('earns although its affiliate was disabled since', async () => {
    const events = await payment();
    shop.service.clock.advance(10, 'seconds');
    await shop.merchant.api.patch(`/affiliates/${shop.program.affiliateId}`, { state: 'disabled' });
    await shop.deliver(...events.toReversed());
    expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000 }]);
  });

  test('earns nothing if its affiliate was disabled at its time, although the affiliate is active now', async () => {
    await shop.merchant.api.patch(`/affiliates/${shop.program.affiliateId}`, { state: 'disabled' });
    const events = await payment();
    shop.service.clock.advance(10, 'seconds');
    await shop.merchant.api.patch(`/affiliates/${shop.program.affiliateId}`, { state: 'active' });
    await shop.deliver(...events);
    expect(await shop.commissions()).toEqual([]);
    expect(await reasons()).toEqual(['affiliate_inactive']);
  });
});
