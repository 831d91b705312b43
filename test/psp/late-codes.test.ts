/** A code is known with its charge: rules about codes apply, whichever fact shows the code first (docs/rules/attribution.md#order-of-facts). */
import { settleDueDecisions } from '@affiliate/core';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../support/http.ts';
import {
  charge,
  checkoutSession,
  customer,
  discount,
  invoice,
  invoicePayment,
  legacyInvoice,
  newId,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { orders } from './event-shop.ts';
import { createAffiliate, createCode, importCode } from './fixtures.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

const CODE = 'JANE20';
/** The code that the facts show: that of the affiliate of the link, or another one. */
let redeemed: { id: string; code: string };
let buyer: ReturnType<typeof customer>;
let visit: string;

const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);

/** Opens a shop of a campaign that pays 10 %, and by a rule 40 % for sales with the code of its affiliate. */
async function open(rule: Fields = { pay: { percent: 40 } }): Promise<void> {
  await reopen();
  const { merchant, program } = shop;
  await merchant.call().campaigns.update({ id: program.campaignId, commission_percent: 10, days_until_commissions_are_due: 0 });
  const created = createCode(merchant, { code: CODE, promotion: { type: 'coupon', coupon: 'SPRING' }, livemode: true });
  redeemed = created;
  await importCode(merchant, program.affiliateId, created);
  await createRule(rule);
  visit = await shop.refer();
  shop.service.clock.advance(10, 'seconds');
  buyer = customer({ email: `${newId('x')}@buyer.example` });
}

async function createRule(rule: Fields): Promise<void> {
  const { status } = await shop.merchant.api.post('/reward_rules', {
    campaign_id: shop.program.campaignId,
    name: 'Code',
    when: { codes: [CODE] },
    ...rule,
  });
  expect(status).toBe(201);
}

/** Returns the earnings of the sale now, by kind. */
async function earned(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { kind, state, amount_cents } of await commissions())
    if (state !== 'voided') sums[kind] = (sums[kind] ?? 0) + amount_cents;
  return sums;
}

/** Each way in which a code becomes known, with the event of the charge. Facts about one payment of 100.00. */
const WAYS: Record<string, () => Promise<(() => Promise<void>)[]>> = {
  'the checkout of a payment': async () => {
    const paid = charge({ amount: 10_000, customer: buyer.id, created: seconds() });
    const checkout = checkoutSession({
      created: seconds(),
      customer: buyer.id,
      payment_intent: paid.payment_intent,
      discounts: [{ coupon: null, promotion_code: redeemed.id }],
    });
    return [
      () => deliver(wireEvent('charge.succeeded', paid, { created: seconds() })),
      () => deliver(wireEvent('checkout.session.completed', checkout, { created: seconds() })),
    ];
  },
  'the checkout of an invoice': async () => {
    const { bill, paid } = billed();
    const checkout = checkoutSession({
      created: seconds(),
      mode: 'subscription',
      customer: buyer.id,
      invoice: bill.id,
      discounts: [{ coupon: null, promotion_code: redeemed.id }],
    });
    return [
      () => deliver(paidEvent(bill, paid)),
      () => deliver(wireEvent('checkout.session.completed', checkout, { created: seconds() })),
    ];
  },
  'the discount of an invoice, after its charge': async () => {
    const { bill, paid } = billed();
    const { records } = shop.merchant.psp;
    const reduction = discount({ promotion_code: redeemed.id });
    const discounted = {
      ...bill,
      discounts: [reduction.id],
      total_discount_amounts: [{ amount: 1_000, discount: reduction.id }],
    };
    records.discounts.push(reduction);
    records.invoices.push(discounted);
    records.invoicePayments.push(invoicePayment(discounted, paid.payment_intent as string));
    return [
      () => deliver(wireEvent('charge.succeeded', paid, { created: seconds() })),
      () => deliver(paidEvent(discounted, paid)),
    ];
  },
  'a report of the merchant': async () => {
    const paid = charge({ amount: 10_000, customer: buyer.id, created: seconds() });
    return [
      () => deliver(wireEvent('charge.succeeded', paid, { created: seconds() })),
      () => report({ psp_charge_id: paid.id, promo_code: redeemed.code.toLowerCase() }),
    ];
  },
};

const billed = () => {
  const paid = charge({ amount: 10_000, customer: buyer.id, created: seconds() });
  const bill = invoice({ customer: buyer.id, total: 10_000, created: seconds() });
  const settled = { ...bill, status_transitions: { ...bill.status_transitions, paid_at: seconds() } };
  return { bill: settled, paid };
};

const paidEvent = (bill: ReturnType<typeof invoice>, paid: ReturnType<typeof charge>): WireEvent =>
  wireEvent('invoice.paid', legacyInvoice(bill, paid), { created: seconds() });

async function report(more: Fields): Promise<void> {
  const sale = { external_id: 'order-1', amount_cents: 10_000, currency: 'USD', psp_customer_id: buyer.id, ...more };
  expect((await post(sale)).status).toBeLessThan(202);
}

/** The checkout that names the link of the same affiliate, so that the link earns. */
const visited = () =>
  deliver(
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        created: seconds(),
        client_reference_id: visit,
        customer: buyer.id,
        payment_intent: null,
        amount_total: 0,
      }),
      { created: seconds() },
    ),
  );

describe.each(Object.keys(WAYS))('a code that %s shows', (way) => {
  test('earns by the rule about the code in every order', async () => {
    for (const order of orders([0, 1])) {
      await open();
      const facts = await WAYS[way]!();
      for (const place of order) await facts[place]!();
      expect({ order, ...(await earned()) }).toEqual({ order, sale: 4_000 });
    }
  });

  test('earns by the rule about the code, although the link of the same affiliate earns, in every order', async () => {
    for (const order of orders([0, 1, 2])) {
      await open();
      const facts = [...(await WAYS[way]!()), visited];
      for (const place of order) await facts[place]!();
      expect({ order, ...(await earned()) }).toEqual({ order, sale: 4_000 });
    }
  });

  test('earns what the rule pays on top, in every order', async () => {
    for (const order of orders([0, 1, 2])) {
      await open({ apply: 'on_top', pay: { percent: 15 } });
      const facts = [...(await WAYS[way]!()), visited];
      for (const place of order) await facts[place]!();
      expect({ order, ...(await earned()) }).toEqual({ order, sale: 1_000, bonus: 1_500 });
    }
  });

  test('of another affiliate decides about the link that earns, in every order', async () => {
    for (const order of orders([0, 1, 2])) {
      await open();
      const { merchant, program } = shop;
      const other = await createAffiliate(merchant, program.campaignId);
      const theirs = createCode(merchant, { code: 'JOE20', promotion: { type: 'coupon', coupon: 'SPRING' }, livemode: true });
      await importCode(merchant, other, theirs);
      await createRule({ when: { codes: ['JOE20'] }, pay: { nothing: true } });
      shop.service.clock.advance(2, 'seconds');
      redeemed = theirs;
      const facts = [...(await WAYS[way]!()), visited];
      for (const place of order) await facts[place]!();
      expect({ order, ...(await earned()) }).toEqual({ order });
    }
  });
});

test('a reported code that belongs to nobody decides about the link that earns, in every order', async () => {
  for (const order of orders([0, 1, 2])) {
    await open();
    await createRule({ when: { codes: ['SUMMER'] }, pay: { percent: 25 } });
    shop.service.clock.advance(2, 'seconds');
    const paid = charge({ amount: 10_000, customer: buyer.id, created: seconds() });
    const facts = [
      () => deliver(wireEvent('charge.succeeded', paid, { created: seconds() })),
      () => report({ psp_charge_id: paid.id, promo_code: 'SUMMER' }),
      visited,
    ];
    for (const place of order) await facts[place]!();
    expect({ order, ...(await earned()) }).toEqual({ order, sale: 2_500 });
  }
});

describe('a code that becomes known late', () => {
  /** A sale of the link, whose commission is due. */
  async function sold() {
    await open();
    const paid = charge({ amount: 10_000, customer: buyer.id, created: seconds() });
    await visited();
    await deliver(wireEvent('charge.succeeded', paid, { created: seconds() }));
    const [commission] = await commissions();
    expect(commission).toMatchObject({ amount_cents: 1_000 });
    return { commission: commission!, tell: () => report({ psp_charge_id: paid.id, promo_code: CODE }) };
  }

  const paidReward = async () => {
    const { body } = await shop.merchant.api.get<{ discrepancies: { code: string }[] }>('/payout_runs/reconcile');
    return body.discrepancies.map(({ code }) => code);
  };

  test('leaves a paid commission as it is and lists it, until it becomes unpaid', async () => {
    const { commission, tell } = await sold();
    const set = (paid_at: string | null) => shop.merchant.api.patch(`/commissions/${commission.id}`, { paid_at });
    await set(shop.service.clock.instant());
    await tell();
    expect(await earned()).toEqual({ sale: 1_000 });
    expect(await paidReward()).toEqual(['paid_reward']);
    await set(null);
    await settleDueDecisions(shop.service.services);
    expect(await earned()).toEqual({ sale: 4_000 });
    expect(await paidReward()).toEqual([]);
  });

  test('waits while the commission is in a claimed payout', async () => {
    const { tell } = await sold();
    const { merchant, program } = shop;
    await merchant.call().affiliates.update({ id: program.affiliateId, walleta_email: 'jane@pay.example' });
    const made = await merchant.api.post<{ id: string }>('/payout_exports', {});
    expect(made).toMatchObject({ status: 201 });
    await tell();
    expect(await earned()).toEqual({ sale: 1_000 });
    await merchant.api.delete(`/payout_exports/${made.body.id}`);
    await settleDueDecisions(shop.service.services);
    expect(await earned()).toEqual({ sale: 4_000 });
  });
});
