import { expect, test } from 'vitest';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  newId,
  refund,
  refundedCharge,
  wireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders, useEventShop } from './event-shop.ts';
import { createAffiliate } from './fixtures.ts';

const shop = useEventShop({ isNewForEach: false });
const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);
const later = () => shop.service.clock.advance(5, 'seconds');

/** A customer who buys through a visitor's referral, and whom a later checkout ties to a referral of another affiliate with an earlier visit. */
async function story() {
  // Events of the distant past are refused.
  shop.service.clock.set(new Date().toISOString());
  await shop.open();
  const { campaignId } = shop.program;
  const other = await createAffiliate(shop.merchant, campaignId);
  const earlier = await shop.merchant.call().referrals.create({ affiliate_id: other, campaign_id: campaignId });
  later();
  const referral = await shop.refer();
  later();
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const checkout = (client_reference_id: string, more: Parameters<typeof checkoutSession>[0] = {}) =>
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        client_reference_id,
        customer: buyer.id,
        customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
        payment_intent: null,
        amount_total: 0,
        created: seconds(),
        ...more,
      }),
    );
  const pay = () => charge({ amount: 10_000, currency: 'usd', customer: buyer.id, created: seconds() });
  const first = pay();
  const events = [
    checkout(referral, { payment_intent: first.payment_intent, amount_total: 10_000, currency: 'usd' }),
    wireEvent('charge.succeeded', first),
  ];
  later();
  events.push(checkout(earlier.id));
  later();
  events.push(wireEvent('charge.succeeded', pay()));
  return { events, referral, buyer, checkout, earlier };
}

const standing = async () =>
  (await shop.commissions())
    .filter(({ state }) => state !== 'voided')
    .map(({ referral_id, amount_cents }) => `${referral_id} ${amount_cents}`);

test('a later checkout with an earlier visit takes neither a commission nor the customer who has converted, in any order', async () => {
  for (const order of sample(orders([0, 1, 2, 3]), 3, 0)) {
    const { events, referral } = await story();
    await shop.deliver(...order.map((index) => events[index]!));
    expect({ order, standing: await standing() }).toEqual({ order, standing: [`${referral} 2000`, `${referral} 2000`] });
  }
}, 120_000);

test('a lead by a stranger with an earlier visit takes nothing from a customer who has paid', async () => {
  const { events, referral, buyer, earlier } = await story();
  await shop.deliver(events[0]!, events[1]!);
  await fetch(`${shop.service.url}/track/leads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ referral_id: earlier.id, email: buyer.email }),
  });
  await shop.deliver(events[3]!);
  expect(await standing()).toEqual([`${referral} 2000`, `${referral} 2000`]);
});

test('a paid commission stays with its affiliate when an earlier visit is named later', async () => {
  const { events, referral } = await story();
  await shop.deliver(events[0]!, events[1]!);
  const [commission] = await shop.commissions();
  await shop.merchant.api.patch(`/commissions/${commission!.id}`, { paid_at: shop.service.clock.instant() });
  await shop.deliver(events[2]!, events[3]!);
  const kept = (await shop.commissions()).find(({ id }) => id === commission!.id);
  expect(kept).toMatchObject({ state: 'paid', referral_id: referral });
  expect((await shop.commissions()).filter(({ kind }) => kind === 'adjustment')).toEqual([]);
});

test('a checkout proves a lead that named the same referral, whichever comes first, also of a charge whose refund fails', async () => {
  for (const [isLeadFirst, isRefunded] of [
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ]) {
    shop.service.clock.set(new Date().toISOString());
    await shop.open();
    const referral_id = await shop.refer();
    later();
    const buyer = customer({ email: `${newId('x')}@buyer.example` });
    const sendLead = () =>
      fetch(`${shop.service.url}/track/leads`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ referral_id, email: buyer.email }),
      });
    const checkout = wireEvent(
      'checkout.session.completed',
      checkoutSession({
        client_reference_id: referral_id,
        customer: buyer.id,
        customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
        payment_intent: null,
        amount_total: 0,
        created: seconds(),
      }),
    );
    if (isLeadFirst) await sendLead();
    else await shop.deliver(checkout);
    later();
    if (!isLeadFirst) await sendLead();
    const paid = charge({ amount: 10_000, currency: 'usd', customer: buyer.id, created: seconds() });
    await shop.deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid));
    const flag = isLeadFirst ? { review_status: 'suspicious', review_reason: 'unproven_lead' } : { review_status: null };
    expect(await shop.commissions()).toMatchObject([{ referral_id, ...flag }]);
    const back = refund(paid, { amount: 10_000 });
    const at = (after: number) => ({ created: paid.created + after });
    if (isRefunded) await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [back]), at(60)));
    if (isLeadFirst) await shop.deliver(checkout);
    if (isRefunded) await shop.deliver(wireEvent('refund.failed', { ...back, status: 'failed' }, at(120)));
    const unpaid = (await shop.commissions()).filter(({ state }) => state !== 'voided');
    const kind = isRefunded ? 'adjustment' : 'sale';
    expect(unpaid).toMatchObject([{ kind, amount_cents: 2_000, referral_id, review_status: null, review_reason: null }]);
  }
});
