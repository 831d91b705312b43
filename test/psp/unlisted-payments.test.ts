/** Invoices whose payments the provider does not list, or lists later (docs/rules/intake.md#payments-of-invoices). */
import { backfillPspEvents, retryPspEvents } from '@affiliate/core';
import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  charge,
  checkoutSession,
  customer,
  invoice,
  invoicePayment,
  legacyCharge,
  legacyInvoice,
  newId,
  refund,
  sendEvent,
  taxOf,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { TRIED_ORDERS, useEventShop } from './event-shop.ts';

const shop = useEventShop({ restoresClock: true });

/** Delivers an event. Returns its outcome, or the status of an error. */
const post = async (event: WireEvent) => {
  const timestamp = Math.floor(shop.service.clock.now().getTime() / 1000);
  const response = await sendEvent(shop.endpoint, event, { secret: shop.merchant.webhookSecret, timestamp });
  return response.status === 200 ? ((await response.json()) as { outcome: string }).outcome : response.status;
};
const retry = () => retryPspEvents(shop.service.services);
const list = (...payments: Stripe.InvoicePayment[]) => void shop.merchant.psp.records.invoicePayments.push(...payments);

/** Lets the worker try pending events until an hour has passed. */
async function waitAnHour(): Promise<void> {
  for (const minutes of [2, 6, 31, 22]) {
    shop.service.clock.advance(minutes, 'minutes');
    await retry();
  }
}

/** Prepares an invoice of 119.00 including 19.00 tax, of a customer whom the affiliate sent, and the charge that pays the invoice. */
async function invoiced() {
  const referralId = await shop.refer();
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const bill = invoice({ total: 11_900, customer: buyer.id, total_taxes: [taxOf(1_900)] });
  const paid = charge({ amount: 11_900, customer: buyer.id });
  const intent = paid.payment_intent as string;
  const checkout = checkoutSession({ client_reference_id: referralId, customer: buyer.id });
  await shop.deliver(wireEvent('checkout.session.completed', checkout));
  const sales = async () => {
    const mine = (await shop.commissions()).filter(({ referral_id, state }) => referral_id === referralId && state !== 'voided');
    return mine.map(({ amount_cents, sale }) => ({ amount_cents, ...sale })).toSorted((a, b) => b.amount_cents - a.amount_cents);
  };
  return { bill, paid, intent, checkout, sales };
}

describe('an invoice whose payments the provider', () => {
  test.each(['lists later', 'does not know yet (404)'])(
    '%s is retried, and is one sale with its charge in any order',
    async (how) => {
      for (const isChargeFirst of [true, false]) {
        const { bill, paid, intent, sales } = await invoiced();
        const fault = how.includes('404')
          ? shop.service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 404, effect: 'none' })
          : null;
        const told = wireEvent('invoice.paid', bill);
        const before = isChargeFirst ? [wireEvent('charge.succeeded', paid)] : [];
        const after = isChargeFirst ? [] : [wireEvent('charge.succeeded', paid)];
        for (const event of before) expect(await post(event)).toBe('processed');
        expect(await post(told)).toBe('pending');
        expect(await sales()).toHaveLength(isChargeFirst ? 1 : 0);
        shop.service.clock.advance(61, 'seconds');
        expect(await retry()).toBe(0);
        expect(await shop.storedEvents()).toContainEqual({ state: 'pending', problem: expect.stringContaining(bill.id) });
        fault?.lift();
        list(invoicePayment(bill, intent));
        shop.service.clock.advance(301, 'seconds');
        expect(await retry()).toBe(1);
        for (const event of after) expect(await post(event)).toBe('processed');
        expect(await sales()).toMatchObject([
          { amount_cents: 2_000, psp_charge_id: paid.id, psp_invoice_id: bill.id, tax_amount_cents: 1_900 },
        ]);
        expect(await post(told)).toBe('duplicate');
        expect(await sales()).toHaveLength(1);
        shop.restoreClock();
      }
    },
  );

  test('never knows (404) is not a sale, so that it cannot count twice, and reconcile names it in the end', async () => {
    shop.service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 404, effect: 'none' });
    const { bill, paid, sales } = await invoiced();
    const told = wireEvent('invoice.paid', bill);
    await post(wireEvent('charge.succeeded', paid));
    expect(await post(told)).toBe('pending');
    await waitAnHour();
    expect(await sales()).toMatchObject([{ psp_charge_id: paid.id, psp_invoice_id: null }]);
    const attempts = async () =>
      (
        await shop.service.services.database.kysely
          .selectFrom('psp_event')
          .select('attempts')
          .where('psp_event_id', '=', told.id)
          .executeTakeFirstOrThrow()
      ).attempts;
    const afterAnHour = await attempts();
    expect(await retry()).toBe(0);
    expect(await attempts()).toBe(afterAnHour);
    for (let i = afterAnHour; i < 10; i += 1) {
      shop.service.clock.advance(1, 'days');
      await retry();
    }
    const { discrepancies } = await shop.merchant.call().payoutRuns.reconcile({});
    expect(discrepancies).toMatchObject([
      { code: 'failed_event', psp_event_id: told.id, message: expect.stringContaining(bill.id) },
    ]);
    expect(await sales()).toHaveLength(1);
  });

  test('lists in part is retried', async () => {
    const { bill, intent, sales } = await invoiced();
    list(invoicePayment(bill, intent, 5_900));
    const told = wireEvent('invoice.paid', bill);
    expect(await post(told)).toBe('pending');
    list(invoicePayment(bill, newId('pi'), 6_000));
    expect(await post(told)).toBe('processed');
    expect((await sales()).map(({ amount_cents }) => amount_cents)).toEqual([1_008, 992]);
  });

  test('does not list within an hour was paid outside the provider', async () => {
    const { bill, sales } = await invoiced();
    expect(await post(wireEvent('invoice.paid', bill))).toBe('pending');
    shop.service.clock.advance(59, 'minutes');
    expect(await retry()).toBe(0);
    expect(await sales()).toEqual([]);
    shop.service.clock.advance(1, 'minutes');
    expect(await retry()).toBe(1);
    expect(await sales()).toMatchObject([
      { amount_cents: 2_000, psp_charge_id: null, psp_invoice_id: bill.id, charge_amount_cents: 11_900, tax_amount_cents: 1_900 },
    ]);
  });

  test('lists only in part within an hour was paid outside the provider for the rest', async () => {
    const { bill, paid, intent, sales } = await invoiced();
    list(invoicePayment(bill, intent, 5_900));
    await post(wireEvent('invoice.paid', bill));
    await waitAnHour();
    await post(wireEvent('charge.succeeded', { ...paid, amount: 5_900, amount_captured: 5_900 }));
    expect(await sales()).toMatchObject([
      { amount_cents: 1_008, psp_charge_id: null },
      { amount_cents: 992, psp_charge_id: paid.id },
    ]);
  });

  test('lists as recorded by the merchant has one sale for all of these payments', async () => {
    const { bill, intent, sales } = await invoiced();
    const recorded = (amount: number) => ({
      ...invoicePayment(bill, '', amount),
      payment: { type: 'payment_record' as const, payment_record: newId('pr') },
    });
    list(recorded(4_000), invoicePayment(bill, intent, 5_900), recorded(2_000));
    expect(await post(wireEvent('invoice.paid', bill))).toBe('processed');
    expect((await sales()).map(({ charge_amount_cents }) => charge_amount_cents)).toEqual([6_000, 5_900]);
  });

  test('does not list is given up neither early nor at the expense of other events', async () => {
    const { bill, paid, sales } = await invoiced();
    const waiting = wireEvent('invoice.paid', bill);
    for (let i = 0; i < 12; i += 1) expect(await post(waiting)).toBe('pending');
    const fault = shop.service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 500, effect: 'none' });
    expect(await post(wireEvent('charge.succeeded', paid))).toBe(502);
    fault.lift();
    const { id: accountId } = shop.merchant;
    expect(await backfillPspEvents(shop.service.services, { accountId, days: 3 })).toMatchObject({ processed: 1, failed: 1 });
    expect(await sales()).toHaveLength(1);
    shop.service.clock.advance(60, 'minutes');
    expect(await retry()).toBe(1);
  });
});

describe('an invoice of an older API version', () => {
  test('that was paid outside the provider is a sale at once', async () => {
    const { bill, sales } = await invoiced();
    const told = { ...legacyInvoice(bill, null, 1_900), paid_out_of_band: true };
    expect(await post(wireEvent('invoice.paid', told))).toBe('processed');
    expect(await sales()).toMatchObject([{ amount_cents: 2_000, psp_charge_id: null, psp_invoice_id: bill.id }]);
  });

  test('that was paid at the provider, but not by a charge so far, is retried', async () => {
    const { bill, sales } = await invoiced();
    const told = { ...legacyInvoice(bill, null, 1_900), paid_out_of_band: false };
    expect(await post(wireEvent('invoice.paid', told))).toBe('pending');
    expect(await sales()).toEqual([]);
  });
});

describe('an invoice that counts as paid outside the provider', () => {
  const HOURS = ['in an older API version', 'after an hour'];
  test.each(HOURS)('is the sale of a charge that names the invoice, in any order (%s)', async (when) => {
    for (const order of TRIED_ORDERS) {
      const { bill, paid, sales } = await invoiced();
      const older = { ...legacyInvoice(bill, null, 1_900), paid_out_of_band: true };
      const steps = [
        async () => {
          await post(wireEvent('invoice.paid', when === 'after an hour' ? bill : older));
          if (when === 'after an hour') await waitAnHour();
        },
        () => post(wireEvent('charge.succeeded', legacyCharge(paid, bill.id))),
        () => post(wireEvent('refund.created', refund(paid, { amount: 5_950 }))),
      ];
      for (const index of order) await steps[index]!();
      expect({ order, sales: await sales() }).toMatchObject({
        order,
        sales: [{ amount_cents: 1_000, psp_charge_id: paid.id, psp_invoice_id: bill.id, refund_amount_cents: 5_950 }],
      });
      shop.restoreClock();
    }
  });

  test('is the sale of a charge for which the provider names the invoice later', async () => {
    const { bill, paid, intent, sales } = await invoiced();
    await post(wireEvent('invoice.paid', bill));
    await waitAnHour();
    list(invoicePayment(bill, intent));
    await post(wireEvent('charge.succeeded', paid));
    expect(await sales()).toMatchObject([{ amount_cents: 2_000, psp_charge_id: paid.id, psp_invoice_id: bill.id }]);
  });

  test('and its charge earn once when only a checkout connects them, in any order', async () => {
    for (const order of TRIED_ORDERS) {
      const { bill, paid, intent, checkout, sales } = await invoiced();
      const steps = [
        async () => {
          await post(wireEvent('invoice.paid', bill));
          await waitAnHour();
        },
        () => post(wireEvent('charge.succeeded', paid)),
        () => post(wireEvent('checkout.session.completed', { ...checkout, invoice: bill.id, payment_intent: intent })),
      ];
      for (const index of order) await steps[index]!();
      expect({ order, sales: await sales() }).toMatchObject({
        order,
        sales: [{ amount_cents: 2_000, psp_charge_id: paid.id, psp_invoice_id: bill.id }],
      });
      expect(await sales()).toHaveLength(1);
      shop.restoreClock();
    }
  });

  test('is reduced by a charge that paid a part of the invoice, in any order', async () => {
    for (const order of TRIED_ORDERS) {
      const { bill, paid, intent, checkout, sales } = await invoiced();
      const part = { ...paid, amount: 5_900, amount_captured: 5_900 };
      const steps = [
        async () => {
          await post(wireEvent('charge.succeeded', part));
          await post(wireEvent('checkout.session.completed', { ...checkout, invoice: bill.id, payment_intent: intent }));
        },
        async () => {
          await post(wireEvent('invoice.paid', bill));
          await waitAnHour();
        },
        () => post(wireEvent('refund.created', refund(part, { amount: 2_950 }))),
      ];
      for (const index of order) await steps[index]!();
      expect({ order, sales: await sales() }).toMatchObject({
        order,
        sales: [
          { amount_cents: 1_008, psp_charge_id: null },
          { amount_cents: 496, psp_charge_id: paid.id },
        ],
      });
      shop.restoreClock();
    }
  });
});
