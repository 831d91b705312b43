/** An address that somebody typed at a checkout moves no money by itself: what it alone connects is flagged (docs/rules/ledger.md#review). */
import { expect, test } from 'vitest';
import { charge, checkoutCustomer, checkoutSession, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { createAffiliate } from './fixtures.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

/** A free checkout by a stranger, who types the address of somebody else, and a charge of that person under another id at the provider. */
async function story() {
  await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, days_until_commissions_are_due: 0 });
  const referral = await shop.refer();
  const email = `${newId('x')}@buyer.example`;
  const [stranger, buyer] = [customer({ email }), customer({ email })];
  const seconds = Math.floor(shop.service.clock.now().getTime() / 1_000);
  shop.service.clock.advance(2, 'minutes');
  const checkout = (of: ReturnType<typeof customer>) =>
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        client_reference_id: referral,
        customer: of.id,
        customer_details: checkoutCustomer({ email }),
        payment_intent: null,
        amount_total: 0,
        created: seconds + 1,
      }),
      { created: seconds + 1 },
    );
  const paid = charge({ amount: 10_000, currency: 'eur', customer: buyer.id, created: seconds + 10 });
  const pay = [wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid)];
  return { referral, email, checkout, stranger, buyer, pay };
}

const FLAGGED = { amount_cents: 2_000, review_status: 'suspicious', review_reason: 'unverified_address', payout_id: null };
const RELEASED = { amount_cents: 2_000, review_status: null, review_reason: null, payout_id: expect.any(String) };

test('a stranger who types the address of a customer at a free checkout earns a flagged commission, in every order', async () => {
  for (const isCheckoutFirst of [true, false]) {
    await reopen();
    const { checkout, stranger, pay } = await story();
    const events = [[checkout(stranger)], pay];
    for (const each of isCheckoutFirst ? events : events.toReversed()) await deliver(...each);
    expect(await commissions()).toMatchObject([FLAGGED]);
  }
});

test('a checkout with the id by which the customer pays earns a commission without a flag, and ends a flag', async () => {
  const { checkout, stranger, buyer, pay } = await story();
  await deliver(checkout(buyer), ...pay);
  expect(await commissions()).toMatchObject([RELEASED]);
  await reopen();
  const other = await story();
  await deliver(other.checkout(other.stranger), ...other.pay);
  expect(await commissions()).toMatchObject([FLAGGED]);
  await deliver(other.checkout(other.buyer));
  expect(await commissions()).toMatchObject([RELEASED]);
  expect(stranger.id).not.toBe(buyer.id);
});

test('the merchant ends the flag by naming the customer of the referral, or the address', async () => {
  const named = await story();
  await deliver(named.checkout(named.stranger), ...named.pay);
  expect(await commissions()).toMatchObject([FLAGGED]);
  const { status } = await shop.merchant.api.patch(`/referrals/${named.referral}`, { customer_email: named.email });
  expect(status).toBe(200);
  expect(await commissions()).toMatchObject([RELEASED]);

  await reopen();
  const vouched = await story();
  await deliver(vouched.checkout(vouched.stranger), ...vouched.pay);
  expect(await commissions()).toMatchObject([FLAGGED]);
  const report = { external_id: 'order-1', customer_email: vouched.email, amount_cents: 0, currency: 'EUR' };
  expect((await post(report)).status).toBe(201);
  expect(await commissions()).toMatchObject([RELEASED]);
});

test('guests with one placeholder address, whose checkouts name several affiliates, earn flagged commissions for the first', async () => {
  const { campaigns, referrals } = shop.merchant.call();
  const { affiliateId, campaignId: campaign_id } = shop.program;
  await campaigns.update({ id: campaign_id, days_until_commissions_are_due: 0 });
  const others = [await createAffiliate(shop.merchant, campaign_id), await createAffiliate(shop.merchant, campaign_id)];
  const seconds = Math.floor(shop.service.clock.now().getTime() / 1_000);
  const named = [];
  for (const affiliate_id of [affiliateId, ...others]) named.push((await referrals.create({ affiliate_id, campaign_id })).id);
  shop.service.clock.advance(10, 'minutes');
  for (const [nth, client_reference_id] of named.entries()) {
    const created = seconds + 60 * (nth + 1);
    const paid = charge({ amount: 10_000, currency: 'eur', customer: null, created });
    const details = checkoutCustomer({ email: 'guest@shop.example' });
    const { payment_intent } = paid;
    const of = { client_reference_id, customer: null, customer_details: details, payment_intent, amount_total: 10_000, created };
    await deliver(wireEvent('checkout.session.completed', checkoutSession(of), { created }), wireEvent('charge.succeeded', paid));
  }
  const earned = (await commissions()).toSorted((a, b) => (a.sale.id < b.sale.id ? -1 : 1));
  expect(earned).toMatchObject([RELEASED, FLAGGED, FLAGGED]);
  expect(new Set(earned.map(({ referral_id }) => referral_id))).toEqual(new Set([named[0]]));
});

test('reports of guests with one placeholder address, which name several affiliates, earn flagged commissions for the first', async () => {
  const { campaigns, referrals } = shop.merchant.call();
  const { affiliateId, campaignId: campaign_id } = shop.program;
  await campaigns.update({ id: campaign_id, days_until_commissions_are_due: 0 });
  const other = await createAffiliate(shop.merchant, campaign_id);
  const named = [];
  for (const affiliate_id of [affiliateId, other, affiliateId])
    named.push((await referrals.create({ affiliate_id, campaign_id })).id);
  for (const [nth, referral_id] of named.entries()) {
    shop.service.clock.advance(1, 'minutes');
    const report = { external_id: `guest-${nth}`, customer_email: 'guest@shop.example', referral_id, amount_cents: 10_000 };
    await post({ ...report, currency: 'EUR' });
  }
  shop.service.clock.advance(1, 'minutes');
  const again = { external_id: 'known', customer_email: 'guest@shop.example', external_customer_id: '7', referral_id: named[1] };
  await post({ ...again, amount_cents: 10_000, currency: 'EUR' });
  const earned = (await commissions()).toSorted((a, b) => (a.sale.id < b.sale.id ? -1 : 1));
  // The customer whose id the report names is no guest.
  expect(earned).toMatchObject([RELEASED, FLAGGED, RELEASED, RELEASED]);
});
