import { expect, test } from 'vitest';
import { refund, refundedCharge, wireEvent } from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { oneOffPayment, orders } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

/** Returns the events of a payment of 119.00: goods for 90.00, shipping for 10.00 and a tax of 19.00. Half of it is refunded. */
async function purchase() {
  const { paid, checkout, events } = oneOffPayment(await shop.refer());
  const told = wireEvent('checkout.session.completed', {
    ...checkout,
    shipping_cost: { amount_subtotal: 1_000, amount_tax: 190, amount_total: 1_190, shipping_rate: null },
    total_details: { amount_discount: 0, amount_shipping: 1_000, amount_tax: 1_900 },
  });
  const refunded = wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950 })]));
  return [events[0]!, told, events[2]!, refunded] as const;
}

async function outcome() {
  return (await commissions()).map(({ amount_cents, sale: { charge_amount_cents, refund_amount_cents } }) => ({
    amount_cents,
    charge_amount_cents,
    refund_amount_cents,
  }));
}

test('nobody earns from shipping that a checkout tells, in every order of the events', async () => {
  for (const order of sample(orders([0, 1, 2, 3]), 4, 0)) {
    await reopen();
    const events = await purchase();
    for (const index of order) await deliver(events[index]!);
    expect({ order, sales: await outcome() }).toEqual({
      order,
      sales: [{ amount_cents: 900, charge_amount_cents: 10_710, refund_amount_cents: 5_355 }],
    });
  }
});

test('shipping earns if the merchant has chosen so', async () => {
  const path = '/api/settings/v1/connections';
  const { body } = await shop.merchant.api.get<{ data: { id: string; choices: object }[] }>(path);
  const [{ id, choices }] = body.data as [(typeof body.data)[0]];
  expect(choices).toEqual({ shipping: 'exclude' });
  await shop.merchant.api.patch(`${path}/${id}`, { choices: { shipping: 'count' } });
  await deliver(...(await purchase()));
  expect(await outcome()).toEqual([{ amount_cents: 1_000, charge_amount_cents: 11_900, refund_amount_cents: 5_950 }]);
});

test('nobody earns from shipping in a report, and the same report again changes nothing', async () => {
  const report = {
    external_id: 'order-1',
    referral_id: await shop.refer(),
    amount_cents: 13_000,
    tax_amount_cents: 2_000,
    shipping_amount_cents: 1_000,
    currency: 'USD',
  };
  expect(await post(report)).toMatchObject({
    status: 201,
    body: { sale: { charge_amount_cents: 12_000 }, commission: { amount_cents: 2_000 } },
  });
  expect((await post(report)).status).toBe(200);
  expect((await post({ ...report, shipping_amount_cents: 900 })).status).toBe(409);
  expect(await post({ ...report, external_id: 'order-2', shipping_amount_cents: 11_001 })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'shipping_amount_cents', code: 'too_big' }] },
  });
  expect(await commissions()).toHaveLength(1);
});

test('nobody earns from shipping in a report of a charge of which the provider tells the amount only, in every order of the facts', async () => {
  for (const order of sample(orders([0, 1, 2]), 3, 0)) {
    await reopen();
    const referral_id = await shop.refer();
    const { paid } = oneOffPayment(referral_id);
    const refunded = wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950 })]));
    const report = {
      external_id: 'order-1',
      psp_charge_id: paid.id,
      referral_id,
      amount_cents: 11_900,
      tax_amount_cents: 1_900,
      shipping_amount_cents: 1_000,
      currency: 'EUR',
    };
    for (const index of order)
      await (index === 2 ? post(report) : deliver([wireEvent('charge.succeeded', paid), refunded][index]!));
    expect({ order, sales: await outcome() }).toEqual({
      order,
      sales: [{ amount_cents: 900, charge_amount_cents: 10_900, refund_amount_cents: 5_450 }],
    });
  }
});
