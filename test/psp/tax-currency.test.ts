import { expect, test } from 'vitest';
import {
  creditNote,
  invoice,
  legacyInvoice,
  refund,
  refundedCharge,
  taxOf,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { oneOffPayment, TRIED_ORDERS } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, commissions } = useLiveShop();

/** Returns the amount, tax and review of the only commission. */
async function outcome() {
  const all = await commissions();
  expect(all).toHaveLength(1);
  const [{ amount_cents, review_status, review_reason, sale }] = all as [(typeof all)[0]];
  const { tax_amount_cents: tax } = sale as typeof sale & { tax_amount_cents: number };
  return { amount_cents, tax, review_status, review_reason };
}

const FLAGGED = { review_status: 'suspicious', review_reason: 'tax_currency' };
const CLEAR = { review_status: null, review_reason: null };

/** Returns the events of a payment of 119.00 EUR whose checkout tells a tax of 19.00 in the currency. */
async function purchase(currency: string, tax = 1_900) {
  const { paid, checkout, events } = oneOffPayment(await shop.refer());
  const told = wireEvent('checkout.session.completed', {
    ...checkout,
    currency,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
  });
  return { paid, events: [events[0]!, told, events[2]!] as [WireEvent, WireEvent, WireEvent] };
}

test.each([
  ['eur', 1_900, { amount_cents: 2_000, tax: 1_900, ...CLEAR }],
  ['usd', 1_900, { amount_cents: 2_380, tax: 0, ...FLAGGED }],
  ['jpy', 1_900, { amount_cents: 2_380, tax: 0, ...FLAGGED }],
  ['usd', 0, { amount_cents: 2_380, tax: 0, ...CLEAR }],
])(
  'a tax in %s of %i is ignored and flagged only if it is in another currency, in every order',
  async (currency, tax, expected) => {
    for (const order of TRIED_ORDERS) {
      await reopen();
      const { events } = await purchase(currency, tax);
      for (const index of order) await deliver(events[index]!);
      expect({ order, ...(await outcome()) }).toEqual({ order, ...expected });
    }
  },
);

test('an ignored tax stays out of payouts until it is reviewed, and is not flagged again', async () => {
  await shop.merchant.api.patch(`/campaigns/${shop.program.campaignId}`, { days_until_commissions_are_due: 0 });
  const { paid, events } = await purchase('usd');
  shop.service.clock.advance(2, 'minutes');
  await deliver(...events);
  const payable = async () =>
    (await shop.merchant.api.get<{ data: { amount_cents: number }[] }>('/payouts')).body.data.map(
      ({ amount_cents }) => amount_cents,
    );
  expect(await payable()).toEqual([]);
  const [flagged] = await commissions();
  await shop.merchant.api.post(`/commissions/${flagged!.id}/review`, { review_action: 'approve' });
  expect(await payable()).toEqual([2_380]);
  await deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950 })])));
  expect(await payable()).toEqual([1_190]);
});

test('the flag ends once the invoice tells the tax in the currency of the charge, in every order', async () => {
  for (const order of TRIED_ORDERS) {
    await reopen();
    const { paid, events } = await purchase('usd');
    const bill = invoice({ total: 11_900, currency: 'eur', customer: paid.customer, total_taxes: [taxOf(1_900)] });
    const steps = [events[1], events[2], wireEvent('invoice.paid', legacyInvoice(bill, paid, 1_900))];
    await deliver(events[0]);
    for (const index of order) await deliver(steps[index]!);
    expect({ order, ...(await outcome()) }).toEqual({ order, amount_cents: 2_000, tax: 1_900, ...CLEAR });
  }
});

test('the tax of a credit note in another currency is ignored and flagged, in every order, until the note is voided', async () => {
  for (const order of TRIED_ORDERS) {
    await reopen();
    const { paid, events } = await purchase('eur');
    const bill = invoice({ total: 11_900, currency: 'eur', customer: paid.customer, total_taxes: [taxOf(1_900)] });
    const back = refund(paid, { amount: 5_950 });
    const note = { ...creditNote(bill, { refunds: [back], tax: 0 }), currency: 'usd' };
    const steps = [
      wireEvent('invoice.paid', legacyInvoice(bill, paid, 1_900)),
      wireEvent('refund.created', back, { created: 200 }),
      wireEvent('credit_note.created', note, { created: 201 }),
    ];
    await deliver(events[0], events[1]);
    for (const index of order) await deliver(steps[index]!);
    // Without the note, the refund contains its share of the tax.
    expect({ order, ...(await outcome()) }).toEqual({ order, amount_cents: 1_000, tax: 1_900, ...FLAGGED });
    await deliver(wireEvent('credit_note.voided', { ...note, status: 'void' }, { created: 300 }));
    expect(await outcome()).toEqual({ amount_cents: 1_000, tax: 1_900, ...CLEAR });
  }
});
