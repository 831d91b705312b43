/** The invoice with which a subscription begins may arrive before its checkout, which the provider is then asked for (docs/rules/intake.md#first-invoices). */
import { retryPspEvents } from '@affiliate/core';
import { beforeEach, expect, test } from 'vitest';
import {
  API_VERSIONS,
  type ApiVersion,
  charge,
  checkoutCustomer,
  checkoutSession,
  coupon,
  customer,
  discount,
  invoice,
  newId,
} from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';
import { createAffiliate, createCode, importCode } from './fixtures.ts';

const shop = useEventShop();

/** A code of another affiliate than the one whose referral the checkouts name. */
let promotionCodeId: string;
beforeEach(async () => {
  shop.merchant.psp.records.coupons.push(coupon({ id: 'SPRING' }));
  const code = createCode(shop.merchant, { code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
  await importCode(shop.merchant, await createAffiliate(shop.merchant, shop.program.campaignId), code);
  promotionCodeId = code.id;
});

const requests = () => shop.service.psp.received('GET', /^\/v1\/checkout\/sessions$/);

/** Makes the events of a subscription that begins with a checkout, which names a referral and redeems the other affiliate's code. */
async function subscribed(version: ApiVersion, isFirst = true) {
  const { records } = shop.merchant.psp;
  const referralId = await shop.refer();
  shop.service.clock.advance(1, 'seconds');
  const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const paid = charge({ amount: 5_000, customer: buyer.id, created });
  const subscription = newId('sub');
  const reduction = discount({ promotion_code: promotionCodeId });
  records.discounts.push(reduction);
  const bill = {
    ...invoice({
      total: 5_000,
      customer: buyer.id,
      customer_email: buyer.email,
      billing_reason: isFirst ? 'subscription_create' : 'subscription_cycle',
      discounts: [reduction.id],
      total_discount_amounts: [{ amount: 1_000, discount: reduction.id }],
      created,
      status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: created, voided_at: null },
    }),
    subscription,
  };
  const session = checkoutSession({
    mode: 'subscription',
    created,
    client_reference_id: referralId,
    customer: buyer.id,
    customer_details: checkoutCustomer({ email: buyer.email ?? '', name: 'Ann Buyer' }),
    invoice: bill.id,
    subscription,
    discounts: [{ coupon: null, promotion_code: promotionCodeId }],
  });
  records.checkoutSessions.push(session);
  records.invoices.push(bill);
  const wire = shop.in(version);
  shop.service.psp.requests.length = 0;
  return {
    referralId,
    invoiced: wire.paid({ invoice: bill, paidBy: paid }),
    completed: wire.completed(session),
    charged: wire.charged(paid, bill.id),
  };
}

async function told(): Promise<string[]> {
  const { data } = await shop.merchant.call().events.list({ limit: 100 });
  return data.map(({ type }) => type).filter((type) => type.startsWith('commission.'));
}

test.each(API_VERSIONS)(
  'in API version %s, earns once for the referral of its checkout, which is then no news',
  async (version) => {
    const { referralId, invoiced, completed, charged } = await subscribed(version);
    await shop.deliver(invoiced);
    expect(await shop.commissions()).toMatchObject([{ referral_id: referralId, amount_cents: 1_000 }]);
    expect(requests()).toHaveLength(1);
    await shop.deliver(completed, charged);
    expect(await shop.commissions()).toMatchObject([{ referral_id: referralId, amount_cents: 1_000 }]);
    expect(await told()).toEqual(['commission.created']);
  },
);

test('the checkout is not asked for if its event has arrived, nor for a later invoice', async () => {
  const { invoiced, completed } = await subscribed('2024-06-20');
  await shop.deliver(completed, invoiced);
  const renewal = await subscribed('2024-06-20', false);
  await shop.deliver(renewal.invoiced);
  expect(requests()).toEqual([]);
});

test('the invoice is retried while the provider does not answer, and recorded without its checkout if the key may not read it', async () => {
  const { invoiced } = await subscribed('2024-06-20');
  const fault = shop.service.psp.faults.plant({ method: 'GET', path: /checkout\/sessions/, kind: 503, effect: 'none' });
  await expect(shop.deliver(invoiced)).rejects.toThrow('502');
  expect(await shop.count('sale')).toBe(0);
  fault.lift();
  shop.service.clock.advance(2, 'minutes');
  await retryPspEvents(shop.service.services);
  expect(await shop.count('sale')).toBe(1);
  const secret_key = shop.service.psp.restrictKey(shop.merchant.psp, [
    'rak_accounts_kyc_basic_read',
    'rak_invoice_read',
    'rak_event_read',
    'rak_subscription_read',
  ]);
  await shop.merchant.call().pspConnection.connect({ secret_key, webhook_secret: shop.merchant.webhookSecret });
  await shop.deliver((await subscribed('2024-06-20')).invoiced);
  expect(await shop.count('sale')).toBe(2);
});
