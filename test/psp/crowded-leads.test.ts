/** Many leads from one network in a short time flag what they earn (docs/rules/intake.md#many-leads-from-one-network). */
import { purgeRows, flagCrowdedLeads } from '@affiliate/core';
import { expect, test } from 'vitest';
import { onServer } from '../support/postgres.ts';
import { charge, checkoutCustomer, checkoutSession, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { TRIED_ORDERS, useEventShop } from './event-shop.ts';

const OTHERS = 19;
const shop = useEventShop({ isNewForEach: false });
const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);
const later = () => shop.service.clock.advance(5, 'seconds');

async function lead(referral_id: string, email: string): Promise<void> {
  const reply = await fetch(`${shop.service.url}/track/leads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ referral_id, email }),
  });
  expect(reply.status).toBe(200);
}

async function leads(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await lead(await shop.refer(), `${newId('x')}@buyer.example`);
}

/** A customer with a lead, a checkout that proves the lead, and a payment. */
async function story() {
  // Events of the distant past are refused.
  shop.service.clock.set(new Date().toISOString());
  await shop.open();
  const referral = await shop.refer();
  later();
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const email = buyer.email ?? '';
  const checkout = async () => {
    const session = checkoutSession({
      client_reference_id: referral,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email }),
      payment_intent: null,
      amount_total: 0,
      created: seconds(),
    });
    await shop.deliver(wireEvent('checkout.session.completed', session));
  };
  const pay = async () => {
    const paid = charge({ amount: 10_000, currency: 'usd', customer: buyer.id, created: seconds() });
    await shop.deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid));
  };
  return { referral, email, checkout, pay, lead: () => lead(referral, email) };
}

const flags = async () => (await shop.commissions()).map(({ review_status, review_reason }) => [review_status, review_reason]);
const flag = () => flagCrowdedLeads(shop.service.services);

test('the commission of a customer whose lead was one of many is flagged, although a checkout proves the lead, in any order', async () => {
  for (const order of TRIED_ORDERS) {
    const { lead: own, checkout, pay } = await story();
    const facts = [() => leads(OTHERS), own, checkout];
    for (const index of order) {
      await facts[index]!();
      later();
    }
    await pay();
    await flag();
    expect([order, await flags()]).toEqual([order, [['suspicious', 'crowded_network']]]);
  }
}, 120_000);

test('the commission is flagged if the other leads follow the payment', async () => {
  const { lead: own, checkout, pay } = await story();
  await own();
  await checkout();
  await pay();
  expect(await flags()).toEqual([[null, null]]);
  await leads(OTHERS);
  expect(await flag()).toBe(OTHERS + 1);
  expect(await flags()).toEqual([['suspicious', 'crowded_network']]);
  expect(await flag()).toBe(0);
  const [commission] = await shop.commissions();
  await shop.merchant.api.post(`/commissions/${commission!.id}/review`, { review_action: 'approve' });
  await leads(1);
  await flag();
  expect(await flags()).toEqual([['approved', 'crowded_network']]);
});

test('one lead less is not many, and neither are leads over a longer time', async () => {
  const { lead: own, checkout, pay } = await story();
  await own();
  await leads(OTHERS - 1);
  shop.service.clock.advance(10, 'minutes');
  await leads(1);
  await checkout();
  await pay();
  expect(await flag()).toBe(0);
  expect(await flags()).toEqual([[null, null]]);
});

test('the merchant ends the flag by naming the referral, whichever comes first', async () => {
  for (const isNamedFirst of [true, false]) {
    const { referral, email, lead: own, checkout, pay } = await story();
    const name = async () => {
      const reply = await shop.merchant.api.patch(`/referrals/${referral}`, { customer_email: email });
      expect(reply.status).toBe(200);
    };
    await own();
    await checkout();
    await pay();
    if (isNamedFirst) await name();
    await leads(OTHERS);
    await flag();
    if (!isNamedFirst) await name();
    expect(await flags()).toEqual([[null, null]]);
  }
});

test('the decision about the sale explains the flag, and payouts wait', async () => {
  const { lead: own, checkout, pay } = await story();
  await own();
  await leads(OTHERS);
  await checkout();
  await pay();
  await flag();
  const [commission] = await shop.commissions();
  expect(commission).toMatchObject({ payout_id: null, review_reason: 'crowded_network' });
  const { body } = await shop.merchant.api.get(`/sales/${commission!.sale_id}`, { expand: 'decision' });
  const explanation = 'The lead that connects the customer with the affiliate was one of many from one network.';
  expect(body).toMatchObject({ decision: { flags: [{ reason: 'crowded_network', explanation }] } });
});

test('networks of leads are forgotten after a day', async () => {
  await story();
  await leads(2);
  const { kysely } = shop.service.services.database;
  const left = () => kysely.selectFrom('lead_network').select('referral_id').where('account_id', '=', shop.merchant.id).execute();
  shop.service.clock.advance(23, 'hours');
  await purgeRows(shop.service.services, 'lead_network');
  expect(await left()).toHaveLength(2);
  shop.service.clock.advance(1, 'hours');
  await purgeRows(shop.service.services, 'lead_network');
  expect(await left()).toEqual([]);
});

test('leads are flagged although another cannot be', async () => {
  await story();
  await leads(OTHERS);
  const stuck = await shop.refer();
  await lead(stuck, `${newId('x')}@buyer.example`);
  await onServer(
    shop.service.databaseUrl,
    `create function fail_flag() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_flag before update on lead_network for each row when (new.referral_id = '${stuck}' and new.flagged) execute function fail_flag()`,
  );
  await expect(flag()).rejects.toThrow('broken');
  await onServer(shop.service.databaseUrl, 'drop function fail_flag cascade');
  expect(await flag()).toBe(1);
});
