import { expect, it } from 'vitest';
import { charge, checkoutSession, customer, wireEvent } from '../support/psp-server/index.ts';
import { TRIED_ORDERS, useEventShop } from './event-shop.ts';

const shop = useEventShop({ restoresClock: true });

/** The events of a payment through an affiliate's payment link, which the customer opened without a visit before. */
async function paymentLink(isGuest: boolean) {
  const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
  const { token } = await shop.merchant.call().links.create({ affiliate_id, campaign_id, url: 'https://shop.example/start' });
  const buyer = customer({ email: `${token}@buyer.example` });
  const payer = isGuest ? { customer: null } : { customer: buyer.id };
  const paid = charge({ amount: 1_000, ...payer });
  const details = isGuest ? null : { email: buyer.email, name: null };
  const checkout = checkoutSession({
    ...payer,
    client_reference_id: token,
    customer_details: details as never,
    payment_intent: paid.payment_intent,
    amount_total: 1_000,
  });
  const events = [wireEvent('charge.succeeded', paid), wireEvent('checkout.session.completed', checkout)];
  return isGuest ? events : [wireEvent('customer.created', buyer), ...events];
}

it.each([
  ['a customer', false],
  ['a guest', true],
])('a payment of %s through a payment link earns when its events come an hour late, in every order', async (_, isGuest) => {
  for (const order of isGuest
    ? [
        [0, 1],
        [1, 0],
      ]
    : TRIED_ORDERS) {
    const events = await paymentLink(isGuest);
    shop.service.clock.advance(1, 'hours');
    await shop.deliver(...order.map((at) => events[at]!));
    expect({ order, earned: await shop.commissions() }).toMatchObject({ order, earned: [{ amount_cents: 200 }] });
    await shop.open();
  }
});
