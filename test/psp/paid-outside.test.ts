/** Invoices that the merchant marked as paid outside the provider (docs/rules/intake.md#payments-of-invoices). */
import { describe, expect, test } from 'vitest';
import { API_VERSIONS, charge, checkoutSession, invoice, newId, wireEvent } from '../support/psp-server/index.ts';
import { orders, useEventShop } from './event-shop.ts';

const shop = useEventShop();

const sales = async () => {
  const { data } = await shop.merchant.call().sales.list({});
  return data.map(({ paid_outside, no_commission_reason }) => ({ paid_outside, no_commission_reason }));
};
const earned = async () =>
  (await shop.commissions()).filter(({ state }) => state !== 'voided').map(({ amount_cents }) => amount_cents);

describe.each(API_VERSIONS)('in API version %s, an invoice that was paid outside the provider', (version) => {
  test.each([
    ['count', { paid_outside: 'counted', no_commission_reason: null }, [1_000]],
    ['exclude', { paid_outside: 'excluded', no_commission_reason: 'excluded' }, []],
  ] as const)('follows the decision of the merchant (%s), in any order', async (outside_payments, sale, commissions) => {
    for (const order of orders([0, 1])) {
      await shop.open();
      if (outside_payments !== 'count') await shop.merchant.call().pspConnection.update({ outside_payments });
      const wire = shop.in(version);
      const buyer = newId('cus');
      const events = [
        wire.completed(checkoutSession({ client_reference_id: await shop.refer(), customer: buyer })),
        wire.paid({ invoice: invoice({ total: 5_000, customer: buyer }), paidBy: null }),
      ];
      await shop.deliver(...order.map((index) => events[index]!));
      expect({ order, sales: await sales() }).toEqual({ order, sales: [sale] });
      expect(await earned()).toEqual(commissions);
    }
  });
});

test.each(['count', 'exclude'] as const)(
  'a payment outside the provider (%s) that turns out to be a charge earns like any charge',
  async (outside_payments) => {
    await shop.merchant.call().pspConnection.update({ outside_payments });
    const wire = shop.in('2024-06-20');
    const buyer = newId('cus');
    const bill = invoice({ total: 5_000, customer: buyer });
    await shop.deliver(
      wire.completed(checkoutSession({ client_reference_id: await shop.refer(), customer: buyer })),
      wire.paid({ invoice: bill, paidBy: null }),
      wire.charged(charge({ amount: 5_000, customer: buyer }), bill.id),
    );
    expect(await sales()).toContainEqual({ paid_outside: null, no_commission_reason: null });
    expect(await earned()).toEqual([1_000]);
  },
);

test('a sale keeps the decision of its time', async () => {
  const wire = shop.in('2024-06-20');
  const buyer = newId('cus');
  const paid = wire.paid({ invoice: invoice({ total: 5_000, customer: buyer }), paidBy: null });
  await shop.deliver(wire.completed(checkoutSession({ client_reference_id: await shop.refer(), customer: buyer })), paid);
  await shop.merchant.call().pspConnection.update({ outside_payments: 'exclude' });
  await shop.deliver(wireEvent('invoice.paid', paid.data.object, { apiVersion: paid.api_version }));
  expect(await sales()).toEqual([{ paid_outside: 'counted', no_commission_reason: null }]);
});
