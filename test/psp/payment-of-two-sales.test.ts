/**
 * A merchant's report names a charge, and an invoice of newer API versions names only the payment intent. The charge and the invoice may both become
 * sales before the provider's events show that they are the same payment (docs/rules/intake.md#the-same-sale-twice).
 */
import { describe, expect, test } from 'vitest';
import { Locks } from '../support/locks.ts';
import {
  charge,
  customer,
  invoice,
  invoicePayment,
  newId,
  refund,
  refundedCharge,
  taxOf,
  wireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

/**
 * Prepares the payment of an invoice by a customer whom the affiliate sent. Returns functions that send the merchant's report and the provider's
 * events.
 */
async function payment() {
  const referral_id = await shop.refer();
  // The purchase must come after the visit.
  shop.service.clock.advance(1, 'seconds');
  const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const paid = charge({ amount: 11_900, customer: buyer.id, created });
  const bill = invoice({
    total: 11_900,
    customer: buyer.id,
    customer_email: buyer.email,
    total_taxes: [taxOf(1_900)],
    created,
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: created, voided_at: null },
  });
  const data = [
    {
      amount_paid: 11_900,
      currency: 'usd',
      status: 'paid',
      payment: { type: 'payment_intent', payment_intent: paid.payment_intent },
    },
  ];
  const report = {
    external_id: 'order-1',
    referral_id,
    customer_email: buyer.email,
    amount_cents: 11_900,
    tax_amount_cents: 1_900,
    currency: 'USD',
  };
  return {
    report,
    paid,
    bill,
    /** Lets the provider list the payment of the invoice, with its charge. */
    list: () => {
      const { records } = shop.merchant.psp;
      records.invoicePayments.push(invoicePayment(bill, paid.payment_intent as string));
      records.charges.push(paid);
    },
    reported: async (named: object) => expect([200, 201]).toContain((await post({ ...report, ...named })).status),
    invoiced: () => deliver(wireEvent('invoice.paid', { ...bill, payments: { object: 'list', data, has_more: false, url: '' } })),
    charged: () => deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid)),
    refunded: () =>
      deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950, status: 'succeeded' })]))),
  };
}

async function discrepancies() {
  return (await shop.merchant.call().payoutRuns.reconcile({})).discrepancies;
}

const earned = async () =>
  (await commissions())
    .map(({ kind, state, amount_cents, review_reason, sale }) =>
      [kind, state, amount_cents, review_reason ?? 'unflagged', `refunded ${sale.refund_amount_cents}`].join(' '),
    )
    .toSorted();

const HALF = 'sale pending 1000 unflagged refunded 5950';
const FLAGGED_HALF = 'sale pending 1000 possible_duplicate refunded 5950';

describe('a payment whose charge the provider names', () => {
  const NAMES: [name: string, names: (told: Awaited<ReturnType<typeof payment>>) => object][] = [
    ['charge', ({ paid }) => ({ psp_charge_id: paid.id })],
    ['payment intent', ({ paid }) => ({ psp_payment_intent_id: paid.payment_intent })],
    ['invoice', ({ bill }) => ({ psp_invoice_id: bill.id })],
  ];

  test.each(NAMES)('is one sale in every order if the merchant reports it by its %s', async (_, names) => {
    const all = orders<'reported' | 'invoiced' | 'charged' | 'refunded'>(['reported', 'invoiced', 'charged', 'refunded']);
    for (const order of sample(all, 3, 0)) {
      await reopen();
      const told = await payment();
      told.list();
      for (const step of order) await told[step](names(told));
      expect({ order, earned: await earned() }).toEqual({ order, earned: [HALF] });
      expect(await shop.countSales()).toBe(1);
      expect(await discrepancies()).toEqual([]);
    }
  });
});

describe('a sale reported by its charge, with an invoice that names the payment intent, if the key may not read the charge', () => {
  test('earns only once without a flag in every order, and a refund applies to every sale of the payment', async () => {
    const all = orders<'reported' | 'invoiced' | 'charged' | 'refunded'>(['reported', 'invoiced', 'charged', 'refunded']);
    for (const order of sample(all, 2, 0)) {
      await reopen();
      const told = await payment();
      for (const step of order) await told[step]({ psp_charge_id: told.paid.id });
      const isDoubled = new Set(order.slice(0, 2)).isSubsetOf(new Set(['reported', 'invoiced']));
      expect({ order, earned: await earned() }).toEqual({ order, earned: isDoubled ? [FLAGGED_HALF, HALF] : [HALF] });
      expect(await shop.countSales()).toBe(isDoubled ? 2 : 1);
      expect(await discrepancies()).toEqual([]);
    }
  });

  test('is flagged until the provider reports the charge', async () => {
    const { reported, invoiced, paid } = await payment();
    await reported({ psp_charge_id: paid.id });
    await invoiced();
    expect(await earned()).toEqual([FLAGGED_HALF, HALF].map((half) => half.replace('1000', '2000').replace('5950', '0')));
  });

  test('is clawed back after a refund if it was paid, and the invoice’s sale is flagged', async () => {
    await shop.merchant.api.patch(`/campaigns/${shop.program.campaignId}`, { days_until_commissions_are_due: 0 });
    const { reported, invoiced, charged, refunded, paid } = await payment();
    await reported({ psp_charge_id: paid.id });
    const [payout] = (await shop.merchant.api.get<{ data: { id: string }[] }>('/payouts')).body.data;
    await shop.merchant.api.post(`/payouts/${payout!.id}/pay`);
    await invoiced();
    await charged();
    await refunded();
    expect(await earned()).toEqual([
      'adjustment due -1000 unflagged refunded 5950',
      'sale due 1000 possible_duplicate refunded 5950',
      'sale paid 2000 unflagged refunded 5950',
    ]);
    expect(await discrepancies()).toEqual([]);
  });
});

describe('a payment named in two reports, by its charge and by its payment intent', () => {
  test.each([true, false])('earns only once without a flag (charge first: %s)', async (chargeFirst) => {
    const { reported, charged, refunded, paid } = await payment();
    const named = [
      { external_id: 'order-1', psp_charge_id: paid.id },
      { external_id: 'order-2', psp_payment_intent_id: paid.payment_intent },
    ];
    for (const names of chargeFirst ? named : named.toReversed()) await reported(names);
    await charged();
    await refunded();
    // The tax is unknown without an invoice.
    expect(await earned()).toEqual([FLAGGED_HALF, HALF].map((half) => half.replace('1000', '1190')));
    expect(await discrepancies()).toEqual([]);
  });

  test('waits for the customers’ locks before it locks the affiliate', async () => {
    const { report, reported, charged, paid } = await payment();
    await reported({ external_id: 'order-1', psp_charge_id: paid.id });
    const other = { external_id: 'order-2', psp_payment_intent_id: paid.payment_intent };
    const { body } = await post({ ...report, ...other, customer_email: `${newId('x')}@buyer.example` });
    await using locks = await Locks.open(shop.service.databaseUrl, shop.merchant.id);
    const held = await locks.customer(body.sale.customer_id!);
    await held.held;
    const told = charged();
    await locks.areWaiting(1);
    expect(await locks.isFree('affiliate', shop.program.affiliateId)).toBe(true);
    await held.release();
    await told;
    expect(await earned()).toHaveLength(2);
  });
});
