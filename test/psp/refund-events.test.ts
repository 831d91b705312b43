import { describe, expect, test } from 'vitest';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  creditNote,
  dispute,
  invoice,
  legacyCharge,
  legacyCreditNote,
  legacyInvoice,
  refund,
  refundedCharge,
  taxOf,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { TRIED_ORDERS, oneOffPayment, orders, useEventShop } from './event-shop.ts';
import { createAffiliate } from './fixtures.ts';

const shop = useEventShop({ checksIndexes: true });

describe('returned money', () => {
  test('settles the commission once when refunds are reported singly and in total, in any order', async () => {
    // Every fourth permutation is enough for each event to come first, last and in between.
    for (const order of orders([0, 1, 2, 3]).filter((_, i) => i % 4 === 0)) {
      const referralId = await shop.refer();
      const { paid, checkout } = oneOffPayment(referralId);
      await shop.deliver(wireEvent('checkout.session.completed', checkout));
      const back = refund(paid, { amount: 5_000 });
      const events = [
        wireEvent('charge.succeeded', paid, { created: 100 }),
        wireEvent('refund.created', { ...back, status: 'pending' }, { created: 200 }),
        wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 201 }),
        wireEvent('refund.updated', back, { created: 202 }),
      ];
      await shop.deliver(...order.map((i) => events[i] as WireEvent));
      const mine = (await shop.commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ state: 'pending', amount_cents: 1_160, sale: { refund_amount_cents: 5_000 } }]);
    }
  });

  test('voids the commission by a full refund, but not by a failed refund', async () => {
    const { paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const back = refund(paid, { amount: 5_000 });
    await shop.deliver(
      wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 100 }),
      wireEvent('refund.failed', { ...back, status: 'failed' }, { created: 200 }),
    );
    expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000, sale: { refund_amount_cents: 0 } }]);
    const all = refund(paid);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 300 }));
    expect(await shop.commissions()).toMatchObject([{ state: 'voided', sale: { refund_amount_cents: 11_900 } }]);
  });

  test('restores the commission on its original terms when a full refund fails', async () => {
    const { paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const all = refund(paid);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }));
    const failed = wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 });
    await shop.deliver(failed, failed);
    const told = await shop.commissions();
    const voided = told.find(({ state }) => state === 'voided');
    expect(told).toHaveLength(2);
    expect(voided).toMatchObject({ kind: 'sale', void_reason: 'refunded' });
    expect(told.find(({ state }) => state !== 'voided')).toMatchObject({
      kind: 'adjustment',
      state: 'pending',
      amount_cents: 2_000,
      due_at: voided?.due_at,
    });

    const half = refund(paid, { amount: paid.amount / 2 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [half]), { created: 300 }));
    expect((await shop.commissions()).filter(({ state }) => state !== 'voided')).toMatchObject([
      { kind: 'adjustment', amount_cents: 1_000 },
    ]);
    const rest = refund(paid, { amount: paid.amount / 2 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [half, rest]), { created: 400 }));
    expect(await shop.commissions()).toMatchObject([{ state: 'voided' }, { state: 'voided', void_reason: 'refunded' }]);
  });

  test('does not restore a commission that the merchant voided when a refund fails', async () => {
    const { paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const [earned] = await shop.commissions();
    await shop.merchant.api.delete(`/commissions/${earned!.id}`, { void_reason: 'refunded' });
    const all = refund(paid);
    await shop.deliver(
      wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }),
      wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 }),
    );
    expect(await shop.commissions()).toMatchObject([{ state: 'voided', kind: 'sale' }]);
  });

  test.each(['it is voided', 'another refund takes it'])(
    'counts a sale with a failed refund toward the campaign’s limit again until %s',
    async (end) => {
      await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, max_commissions: 1 });
      const { buyer, paid, checkout } = oneOffPayment(await shop.refer());
      await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
      const all = refund(paid);
      // Each payment is a second later than the one before, because the limit on commissions counts charges in the order of their times.
      let created = paid.created;
      const pay = () => {
        created += 1;
        return shop.deliver(wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id, created })));
      };
      await shop.deliver(
        wireEvent('charge.refunded', refundedCharge(paid, [all]), { created: 100 }),
        wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 }),
      );
      await pay();
      expect(await shop.count('sale')).toBe(2);
      expect(
        (await shop.commissions()).map(({ kind, state }) => `${state} ${kind}`).toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(['pending adjustment', 'voided sale']);

      const given = (await shop.commissions()).find(({ kind }) => kind === 'adjustment');
      if (end === 'it is voided') await shop.merchant.api.delete(`/commissions/${given!.id}`);
      else await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)]), { created: 300 }));
      await pay();
      expect((await shop.commissions()).filter(({ kind, state }) => kind === 'sale' && state === 'pending')).toHaveLength(1);
    },
  );

  test('stays taken back if the merchant voids what a failed refund gave back, even if the sale moves away and comes back', async () => {
    const { campaignId: campaign_id, affiliateId } = shop.program;
    const rival = await createAffiliate(shop.merchant, campaign_id);
    const visits: string[] = [];
    // The clock ends where it was, because the other tests of this file use it too.
    shop.service.clock.advance(-3, 'seconds');
    for (const affiliate_id of [affiliateId, rival, affiliateId]) {
      visits.push((await shop.merchant.call().referrals.create({ affiliate_id, campaign_id })).id);
      shop.service.clock.advance(1, 'seconds');
    }
    const [earliest, early, late] = visits as [string, string, string];
    const { buyer, paid, events } = oneOffPayment(late);
    const later = { ...paid, created: paid.created + 60 };
    const visit = (client_reference_id: string) =>
      wireEvent(
        'checkout.session.completed',
        checkoutSession({
          client_reference_id,
          customer: buyer.id,
          customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
        }),
      );
    const all = refund(later);
    await shop.deliver(
      ...events.slice(0, 2),
      wireEvent('charge.succeeded', later),
      wireEvent('charge.refunded', refundedCharge(later, [all]), { created: 100 }),
      wireEvent('refund.failed', { ...all, status: 'failed' }, { created: 200 }),
    );
    const given = (await shop.commissions()).find(({ kind }) => kind === 'adjustment');
    await shop.merchant.api.delete(`/commissions/${given!.id}`);
    await shop.deliver(visit(early));
    expect((await shop.commissions()).filter(({ state }) => state === 'pending')).toMatchObject([{ referral_id: early }]);
    await shop.deliver(visit(earliest));
    expect((await shop.commissions()).filter(({ state }) => state !== 'voided')).toEqual([]);
  });

  test('does not count a sale toward the campaign’s limit if the refund leaves too little to earn a commission', async () => {
    await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, max_commissions: 1, commission_percent: 1 });
    const { buyer, paid, checkout } = oneOffPayment(await shop.refer());
    await shop.deliver(wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid));
    const most = refund(paid, { amount: 11_860 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [most]), { created: 100 }));
    expect(await shop.commissions()).toMatchObject([{ state: 'voided' }]);
    await shop.deliver(wireEvent('charge.succeeded', charge({ amount: 5_000, customer: buyer.id })));
    expect((await shop.commissions()).filter(({ state }) => state === 'pending')).toMatchObject([{ amount_cents: 50 }]);
  });

  test('includes lost disputes, but not won disputes', async () => {
    for (const status of ['won', 'lost'] as const) {
      const referralId = await shop.refer();
      const { paid, events } = oneOffPayment(referralId);
      await shop.deliver(...events, wireEvent('charge.dispute.closed', dispute(paid, { status })));
      const mine = (await shop.commissions()).filter((commission) => commission.referral_id === referralId);
      expect(mine).toMatchObject([{ state: status === 'lost' ? 'voided' : 'pending' }]);
    }
  });

  test('appears in the timeline with its time and amount, whatever its outcome', async () => {
    const { paid, events } = oneOffPayment(await shop.refer());
    const back = refund(paid, { amount: 5_000 });
    const failing = refund(paid, { amount: 1_000 });
    await shop.deliver(
      ...events,
      wireEvent('refund.created', { ...back, status: 'pending' }, { created: 100 }),
      wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: 200 }),
      wireEvent('refund.updated', back, { created: 300 }),
      wireEvent('refund.created', failing, { created: 400 }),
      wireEvent('refund.failed', { ...failing, status: 'failed' }, { created: 500 }),
      wireEvent('charge.dispute.closed', dispute(paid, { status: 'lost', amount: 2_500 }), { created: 600 }),
    );
    const [sale] = (await shop.merchant.call().sales.list({})).data;
    const { entries } = await shop.merchant.call().sales.timeline({ id: sale!.id });
    const returned = entries.filter(({ kind }) => ['refund', 'refund_failed', 'dispute_lost'].includes(kind));
    expect(returned.map(({ at, kind, amount_cents: amount }) => [Date.parse(at) / 1000, kind, amount])).toEqual([
      [600, 'dispute_lost', -2_500],
      [500, 'refund_failed', 1_000],
      [400, 'refund', -1_000],
      [100, 'refund', -5_000],
    ]);
    expect(returned).toMatchObject(Array.from({ length: 4 }, () => ({ currency: 'EUR', actor: 'stripe', record_id: sale!.id })));
    expect(sale).toMatchObject({ refund_amount_cents: 7_500 });
  });

  test('is stored without an effect for an unknown charge', async () => {
    const paid = charge();
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)])));
    expect(await shop.count('sale')).toBe(0);
  });
});

describe('a partial capture', () => {
  /** Prepares a hold, and the events of a capture of `captured`. The provider releases the rest as a refund of its own. */
  async function hold(amount: number, captured: number) {
    const referralId = await shop.refer();
    const { paid, checkout } = oneOffPayment(referralId);
    const held = { ...paid, amount, amount_captured: captured, amount_refunded: amount - captured };
    const release = refund(held, { amount: amount - captured });
    await shop.deliver(wireEvent('checkout.session.completed', { ...checkout, total_details: null }));
    const mine = async () => (await shop.commissions()).filter(({ referral_id }) => referral_id === referralId);
    return { held, release, mine };
  }

  test('earns on the captured amount only, even if it is the smaller part, in any order', async () => {
    for (const order of TRIED_ORDERS) {
      const { held, release, mine } = await hold(50_000, 10_000);
      const listed = { ...held, refunds: { object: 'list', data: [release], has_more: false, url: '' } };
      const events = [
        wireEvent('charge.captured', listed, { created: 100 }),
        wireEvent('charge.refunded', listed, { created: 100 }),
        wireEvent('refund.created', release, { created: 100 }),
      ];
      await shop.deliver(...order.map((i) => events[i] as WireEvent));
      expect(await mine()).toMatchObject([
        { state: 'pending', amount_cents: 2_000, sale: { charge_amount_cents: 10_000, refund_amount_cents: 0 } },
      ]);
    }
  });

  test('has the part of the checkout’s tax that was captured, in any order', async () => {
    for (const order of TRIED_ORDERS) {
      const { paid, checkout } = oneOffPayment(await shop.refer());
      const held = { ...paid, amount_captured: 5_950, amount_refunded: 5_950 };
      const events = [
        wireEvent('checkout.session.completed', checkout),
        wireEvent('charge.captured', held, { created: 100 }),
        wireEvent('charge.refunded', held, { created: 100 }),
      ];
      await shop.deliver(...order.map((i) => events[i] as WireEvent));
      const mine = (await shop.commissions()).filter(({ sale }) => sale.psp_charge_id === paid.id);
      expect({ order, mine }).toMatchObject({ order, mine: [{ amount_cents: 1_000, sale: { tax_amount_cents: 950 } }] });
    }
  });

  test('can be refunded later', async () => {
    for (const order of TRIED_ORDERS) {
      const { held, release, mine } = await hold(20_675, 20_300);
      const back = refund(held, { amount: 10_000 });
      await shop.deliver(wireEvent('refund.created', release, { created: 100 }));
      const events = [
        wireEvent('charge.captured', held, { created: 100 }),
        wireEvent('charge.refunded', { ...held, amount_refunded: 10_375 }, { created: 200 }),
        wireEvent('refund.created', back, { created: 200 }),
      ];
      await shop.deliver(...order.map((i) => events[i] as WireEvent));
      expect(await mine()).toMatchObject([{ amount_cents: 2_060, sale: { refund_amount_cents: 10_000 } }]);
      const [sale] = (await shop.merchant.call().sales.list({})).data;
      const { entries } = await shop.merchant.call().sales.timeline({ id: sale!.id });
      expect(entries.filter(({ kind }) => kind === 'refund')).toMatchObject([{ amount_cents: -10_000 }]);
    }
  });

  test('in several steps earns on their sum, in any order', async () => {
    for (const turned of [false, true]) {
      const { held, mine } = await hold(50_000, 30_000);
      const first = wireEvent('charge.captured', { ...held, amount_captured: 10_000, amount_refunded: 0 }, { created: 100 });
      const last = wireEvent('charge.captured', held, { created: 200 });
      const refunded = wireEvent('charge.refunded', held, { created: 200 });
      await shop.deliver(...(turned ? [last, refunded, first] : [first, last, refunded]));
      expect(await mine()).toMatchObject([{ amount_cents: 6_000, sale: { refund_amount_cents: 0 } }]);
    }
  });
});

describe('credit notes', () => {
  /**
   * Prepares the events of an invoice of 119.00 including 19.00 tax, paid by one charge, and of a refund of 59.50. The affiliate earns a fifth of the
   * net amount after the refund.
   */
  async function invoiced() {
    const referralId = await shop.refer();
    const { buyer, paid, checkout } = oneOffPayment(referralId);
    const bill = invoice({ total: 11_900, currency: 'eur', customer: buyer.id, total_taxes: [taxOf(1_900)] });
    await shop.deliver(wireEvent('checkout.session.completed', { ...checkout, payment_intent: null, invoice: bill.id }));
    const back = refund(paid, { amount: 5_950 });
    const pay = wireEvent('invoice.paid', legacyInvoice(bill, paid, 1_900));
    const giveBack = wireEvent('refund.created', back, { created: 200 });
    const earned = async () => {
      const mine = (await shop.commissions()).filter(({ referral_id }) => referral_id === referralId);
      return mine.map(({ state, amount_cents }) => `${state} ${amount_cents}`).toSorted((a, b) => a.localeCompare(b));
    };
    return { bill, paid, back, pay, giveBack, earned };
  }

  test('state the exact tax of a refund in any order of events', async () => {
    for (const order of TRIED_ORDERS) {
      const { bill, back, pay, giveBack, earned } = await invoiced();
      const note = wireEvent('credit_note.created', creditNote(bill, { refunds: [back], tax: 0 }), { created: 200 });
      await shop.deliver(...order.map((i) => [pay, giveBack, note][i] as WireEvent));
      // The credit note states no tax, so the whole refund of 59.50 reduces the net amount, from 100.00 to 40.50.
      expect(await earned()).toEqual(['pending 810']);
    }
  });

  test('state the tax of the refunds that they cover, and other refunds get a proportional share of the rest', async () => {
    const { bill, paid, back, pay, giveBack, earned } = await invoiced();
    const legacy = legacyCreditNote(creditNote(bill, { refunds: [back], tax: 1_900 }), back);
    await shop.deliver(pay, giveBack, wireEvent('credit_note.created', legacy, { created: 201 }));
    expect(await earned()).toEqual(['pending 1190']);
    // The credit note has used up the tax, so this refund reduces only the net amount.
    await shop.deliver(wireEvent('refund.created', refund(paid, { amount: 1_000 }), { created: 300 }));
    expect(await earned()).toEqual(['pending 990']);
    await shop.deliver(wireEvent('refund.created', refund(paid, { amount: 4_950 }), { created: 400 }));
    expect(await earned()).toEqual(['voided 990']);
  });

  test('count until they are voided, or their refund fails', async () => {
    const { bill, back, pay, giveBack, earned } = await invoiced();
    const note = creditNote(bill, { refunds: [back], tax: 0 });
    await shop.deliver(pay, giveBack, wireEvent('credit_note.created', note, { created: 201 }));
    expect(await earned()).toEqual(['pending 810']);
    await shop.deliver(wireEvent('credit_note.voided', { ...note, status: 'void' }, { created: 300 }));
    expect(await earned()).toEqual(['pending 1000']);
    await shop.deliver(wireEvent('credit_note.created', { ...note, id: 'cn_2' }, { created: 301 }));
    expect(await earned()).toEqual(['pending 810']);
    await shop.deliver(wireEvent('refund.failed', { ...back, status: 'failed' }, { created: 400 }));
    expect(await earned()).toEqual(['pending 2000']);
  });

  test('correct a paid commission by an adjustment', async () => {
    const { bill, back, pay, giveBack, earned } = await invoiced();
    await shop.deliver(pay, giveBack);
    const [commission] = await shop.commissions();
    await shop.merchant.api.patch(`/commissions/${commission!.id}`, { paid_at: shop.service.clock.instant() });
    await shop.deliver(wireEvent('credit_note.created', creditNote(bill, { refunds: [back], tax: 0 }), { created: 201 }));
    expect(await earned()).toEqual(['due -190', 'paid 1000']);
  });

  test('for credit to the customer’s balance do not reduce the commission', async () => {
    const { bill, pay, earned } = await invoiced();
    const credited = creditNote(bill, { amount: 5_950, tax: 950, customer_balance_transaction: 'cbtxn_1' });
    await shop.deliver(pay, wireEvent('credit_note.created', credited));
    expect(await earned()).toEqual(['pending 2000']);
  });

  test('for money that was paid back outside the provider reduce the commission like a refund, until they are voided, in any order', async () => {
    await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, commission_percent: 10 });
    for (const order of TRIED_ORDERS) {
      const { bill, back, pay, giveBack, earned } = await invoiced();
      const partly = creditNote(bill, { refunds: [back], amount: 5_950, tax: 950, out_of_band_amount: 3_950 });
      partly.refunds[0]!.amount_refunded = 2_000;
      const note = wireEvent('credit_note.created', partly, { created: 201 });
      const refunded = wireEvent('refund.created', { ...giveBack.data.object, amount: 2_000 }, { created: 200 });
      await shop.deliver(...order.map((i) => [pay, refunded, note][i]!));
      expect({ order, earned: await earned() }).toEqual({ order, earned: ['pending 500'] });
      await shop.deliver(wireEvent('credit_note.voided', { ...partly, status: 'void' }, { created: 300 }));
      // The refund of 20.00 stays, with its share of the tax.
      expect({ order, earned: await earned() }).toEqual({ order, earned: ['pending 832'] });
    }
  });

  test.each([
    ['outside the provider, of all of it', true, 10_000, ['voided 1000']],
    ['by card, of a part', false, 4_000, ['pending 600']],
  ])('for an invoice that was paid %s, outside the provider reduce the commission', async (_, isOutside, back, right) => {
    await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, commission_percent: 10 });
    const referralId = await shop.refer();
    const { buyer, paid, checkout } = oneOffPayment(referralId);
    const bill = invoice({ total: 10_000, currency: 'eur', customer: buyer.id });
    const told = legacyInvoice(bill, isOutside ? null : { ...paid, amount: 10_000 }, 0);
    const note = creditNote(bill, { amount: back, tax: 0, out_of_band_amount: back });
    await shop.deliver(
      wireEvent('checkout.session.completed', { ...checkout, payment_intent: null, invoice: bill.id }),
      wireEvent('invoice.paid', { ...told, ...(isOutside && { paid_out_of_band: true }) }),
      wireEvent('credit_note.created', note),
    );
    expect((await shop.commissions()).map(({ state, amount_cents }) => `${state} ${amount_cents}`)).toEqual(right);
    expect((await shop.merchant.call().payoutRuns.reconcile({})).discrepancies).toEqual([]);
    await shop.deliver(wireEvent('credit_note.voided', { ...note, status: 'void' }, { created: note.created + 60 }));
    expect((await shop.commissions()).filter(({ state }) => state !== 'voided')).toMatchObject([{ amount_cents: 1_000 }]);
  });

  test('for money that was paid back outside the provider are shared by the payments of an invoice', async () => {
    const { bill, paid, earned } = await invoiced();
    const second = charge({ amount: 5_950, currency: 'eur' });
    const data = [paid, second].map(({ payment_intent }, i) => ({
      amount_paid: [11_900, 5_950][i],
      currency: 'eur',
      status: 'paid',
      payment: { type: 'payment_intent', payment_intent },
    }));
    const split = { ...bill, total: 17_850, amount_paid: 17_850, total_taxes: [taxOf(2_850)] };
    await shop.deliver(
      wireEvent('invoice.paid', { ...split, payments: { object: 'list', data, has_more: false, url: '' } }),
      wireEvent('credit_note.created', creditNote(bill, { amount: 3_570, tax: 570, out_of_band_amount: 3_570 })),
    );
    expect(await earned()).toEqual(['pending 1600', 'pending 800']);
  });

  test('of an invoice with several payments apply to the payment with the named refund', async () => {
    const { bill, paid, back, earned } = await invoiced();
    const second = charge({ amount: 1_900, currency: 'eur' });
    const split = { ...bill, total: 13_800, amount_paid: 13_800, total_taxes: [taxOf(2_300)] };
    const payments = [
      [paid, 11_900],
      [second, 1_900],
    ] as const;
    const data = payments.map(([{ payment_intent }, amount_paid]) => ({
      amount_paid,
      currency: 'eur',
      status: 'paid',
      payment: { type: 'payment_intent', payment_intent },
    }));
    const note = creditNote(bill, { refunds: [back, refund(second)], tax: 1_900 });
    await shop.deliver(
      wireEvent('credit_note.created', note, { created: 201 }),
      wireEvent('refund.created', back, { created: 200 }),
      wireEvent('invoice.paid', { ...split, payments: { object: 'list', data, has_more: false, url: '' } }),
      wireEvent('charge.succeeded', legacyCharge(paid, bill.id)),
    );
    // The tax of 23.00 is split into 19.83 and 3.17 for the two sales. The credit note splits its tax of 19.00 between both refunds, but only the
    // first refund has taken effect.
    const sales = (await shop.commissions()).map(({ sale }) => sale.tax_amount_cents).toSorted((a, b) => a - b);
    expect(sales).toEqual([317, 1_983]);
    const noted = Math.round((1_900 * 5_950) / (5_950 + 1_900));
    const left = 11_900 - 1_983 - (5_950 - noted);
    const shares = [Math.round(left / 5), Math.round((1_900 - 317) / 5)].map((cents) => `pending ${cents}`);
    expect(await earned()).toEqual(shares.toSorted((a, b) => a.localeCompare(b)));
  });
});
