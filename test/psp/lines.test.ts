/** The lines of invoices and checkouts of the payment provider (docs/rules/rewards.md#lines). */
import type { Stripe } from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { line, linesOf, type RewardRule } from '../rewards/program.ts';
import type { Fields } from '../support/http.ts';
import {
  API_VERSIONS,
  charge,
  checkoutLine,
  checkoutSession,
  creditNote,
  customer,
  invoice,
  invoiceLine,
  price,
  refund,
  taxOf,
  type WireEvent,
  wireEvent,
} from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();
let pro: RewardRule;
let yearly: RewardRule;
let referral: string;
let buyer: ReturnType<typeof customer>;

beforeEach(async () => {
  pro = await rule({ when: { products: ['prod_pro'] }, pay: { percent: 40 } });
  yearly = await rule({ when: { interval: ['year'] }, pay: { percent: 50 } });
  await rule({ when: { products: ['prod_addon'] }, pay: { nothing: true } });
  referral = await shop.refer();
  shop.service.clock.advance(10, 'seconds');
  buyer = customer({ email: `${crypto.randomUUID()}@buyer.example`, metadata: { referral } });
});

async function rule(values: Fields): Promise<RewardRule> {
  const rules = { campaign_id: shop.program.campaignId, name: 'Rule', ...values };
  const { status, body } = await shop.merchant.api.post<RewardRule>('/reward_rules', rules);
  expect(status).toBe(201);
  return body;
}

const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);

const aPrice = (...fields: Parameters<typeof price>) => {
  const made = price(...fields);
  shop.merchant.psp.records.prices.push(made);
  return made;
};

/** The only commission, with its lines. */
async function earned() {
  const [commission, ...others] = (await shop.commissions()).filter(({ state }) => state !== 'voided');
  expect(others).toEqual([]);
  const { body } = await shop.merchant.api.get<Parameters<typeof linesOf>[0]>(`/commissions/${commission!.id}`, {
    expand: 'lines',
  });
  return body;
}

const billed = (lines: ReturnType<typeof invoiceLine>[], total: number, more: Parameters<typeof invoice>[0] = {}) => {
  const paid = charge({ amount: total, customer: buyer.id, created: seconds() });
  const bill = invoice({
    customer: buyer.id,
    customer_email: buyer.email,
    total,
    amount_paid: total,
    created: seconds(),
    lines: { object: 'list', data: lines, has_more: false, url: '' },
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, voided_at: null, paid_at: seconds() },
    ...more,
  });
  return { bill, paid };
};

describe.each(API_VERSIONS)('an invoice in API version %s', (version) => {
  async function pay({ bill, paid }: ReturnType<typeof billed>): Promise<void> {
    await shop.deliver(wireEvent('customer.created', buyer), shop.in(version).paid({ invoice: bill, paidBy: paid }));
  }

  test('earns by its products, quantities and intervals, after the discount and without the tax of each line', async () => {
    const monthly = aPrice('prod_pro', 'month');
    const addon = aPrice('prod_addon', 'month');
    const domain = aPrice('prod_domain', 'year');
    const setup = aPrice('prod_setup', null);
    await pay(
      billed(
        [
          invoiceLine(monthly, { amount: 5_950, discount: 1_190, includedTax: 760, quantity: 3, description: '3 × Pro' }),
          invoiceLine(addon, { amount: 1_190, includedTax: 190 }),
          invoiceLine(domain, { amount: 1_190, includedTax: 190, description: 'Domain' }),
          invoiceLine(setup, { amount: 595, includedTax: 95 }),
        ],
        7_735,
        { total_taxes: [taxOf(1_235)] },
      ),
    );
    const commission = await earned();
    expect(linesOf(commission)).toEqual([
      ['prod_pro', pro.id, 1_600],
      ['prod_addon', expect.any(String), 0],
      ['prod_domain', yearly.id, 500],
      ['prod_setup', null, 100],
    ]);
    expect(commission.lines).toMatchObject([
      { name: '3 × Pro', price: monthly.id, interval: 'month', quantity: 3, base_cents: 4_000 },
      { name: null, interval: 'month', base_cents: 1_000 },
      { name: 'Domain', interval: 'year', base_cents: 1_000 },
      { interval: 'one_time', base_cents: 500 },
    ]);
    expect(commission.amount_cents).toBe(2_200);
  });

  test('reduces the lines of a product by the unused time of this product first', async () => {
    const small = aPrice('prod_basic', 'month');
    const large = aPrice('prod_pro', 'month');
    await pay(
      billed(
        [
          invoiceLine(small, { amount: -900, proration: true, description: 'Unused time on Basic' }),
          invoiceLine(large, { amount: -1_000, proration: true, description: 'Unused time on Pro' }),
          invoiceLine(large, { amount: 3_000 }),
          invoiceLine(small, { amount: 1_000 }),
        ],
        2_100,
      ),
    );
    expect(linesOf(await earned())).toEqual([
      ['prod_pro', pro.id, 800],
      ['prod_basic', null, 20],
    ]);
  });

  test('adds up to what was paid when credit of the customer covered a part', async () => {
    const large = aPrice('prod_pro', 'month');
    const addon = aPrice('prod_addon', 'month');
    await pay(
      billed([invoiceLine(large, { amount: 2_000 }), invoiceLine(addon, { amount: 1_000 })], 1_000, {
        total: 3_000,
        amount_paid: 1_000,
      }),
    );
    const { lines } = await earned();
    expect(lines!.map(({ base_cents }) => base_cents)).toEqual([667, 333]);
  });
});

test('an invoice of more lines than its event contains, whose key may not read prices, earns by the lines of the event', async () => {
  const large = aPrice('prod_pro', 'month');
  shop.service.psp.faults.plant({ method: 'GET', path: /lines/, kind: 403, effect: 'none' });
  const { bill, paid } = billed([invoiceLine(large, { amount: 2_000 })], 2_000);
  bill.lines.has_more = true;
  await shop.deliver(wireEvent('customer.created', buyer), shop.in('2025-09-30.clover').paid({ invoice: bill, paidBy: paid }));
  expect(linesOf(await earned())).toEqual([['prod_pro', pro.id, 800]]);
});

describe('a credit note that names lines', () => {
  type CreditLine = Stripe.CreditNoteLineItem;

  async function invoiced() {
    const [large, addon] = [aPrice('prod_pro', 'month'), aPrice('prod_addon', 'month')];
    const lines = [invoiceLine(large, { amount: 2_000 }), invoiceLine(addon, { amount: 1_000 })];
    const { bill, paid } = billed(lines, 3_000);
    const back = refund(paid, { amount: 1_000 });
    const note = (line: number) => {
      const credited = {
        id: 'cnli_1',
        type: 'invoice_line_item',
        invoice_line_item: lines[line]!.id,
        amount: 1_000,
      } as CreditLine;
      return creditNote(bill, {
        refunds: [back],
        tax: 0,
        lines: { object: 'list', data: [credited], has_more: false, url: '' },
      });
    };
    const pay = [wireEvent('customer.created', buyer), shop.in(API_VERSIONS[0]).paid({ invoice: bill, paidBy: paid })];
    return { pay: pay.flat(), giveBack: wireEvent('refund.created', back, { created: 200 }), note };
  }

  /** An invoice of 30.00 that a note of 10.00 reduced, before the rest was paid. */
  function reduced() {
    const [large, addon] = [aPrice('prod_pro', 'month'), aPrice('prod_addon', 'month')];
    const lines = [invoiceLine(large, { amount: 2_000 }), invoiceLine(addon, { amount: 1_000 })];
    const { bill, paid } = billed(lines, 2_000, { total: 3_000 });
    const credited = { id: 'cnli_1', type: 'invoice_line_item', invoice_line_item: lines[1]!.id, amount: 1_000 } as CreditLine;
    const note = creditNote(bill, {
      amount: 1_000,
      pre_payment_amount: 1_000,
      post_payment_amount: 0,
      tax: 0,
      lines: { object: 'list', data: [credited], has_more: false, url: '' },
    });
    const pay = [wireEvent('customer.created', buyer), shop.in(API_VERSIONS[0]).paid({ invoice: bill, paidBy: paid })];
    return { pay: pay.flat(), note };
  }

  const amounts = async () => linesOf(await earned()).map(([product, , cents]) => [product, cents]);

  test.each([
    ['before', 0],
    ['after', 1],
  ])('before the payment, and told %s it, leaves the other lines what they earn', async (_, order) => {
    const { pay, note } = reduced();
    const credit = wireEvent('credit_note.created', note, { created: seconds() - 5 });
    await shop.deliver(...(order === 0 ? [credit, ...pay] : [...pay, credit]));
    expect(await amounts()).toEqual([['prod_pro', 800]]);
  });

  test('before the payment, and voided later, reduces no line', async () => {
    const { pay, note } = reduced();
    await shop.deliver(wireEvent('credit_note.created', note, { created: seconds() - 5 }), ...pay);
    await shop.deliver(wireEvent('credit_note.voided', { ...note, status: 'void' }, { created: seconds() - 4 }));
    // 20.00 of 30.00 are paid, so that two thirds of each line are.
    expect(await amounts()).toEqual([
      ['prod_pro', 533],
      ['prod_addon', 0],
    ]);
  });

  test.each([
    ['after', [0, 1]],
    ['before', [1, 0]],
  ])('%s its refund, reduces only what these lines have earned', async (_, order) => {
    const { pay, giveBack, note } = await invoiced();
    const events = [giveBack, wireEvent('credit_note.created', note(1), { created: 201 })];
    await shop.deliver(...pay, ...order.map((i) => events[i]!));
    expect(await amounts()).toEqual([
      ['prod_pro', 800],
      ['prod_addon', 0],
    ]);
  });

  test('reduces them until it is voided, and then the refund reduces all lines', async () => {
    const { pay, giveBack, note } = await invoiced();
    const issued = note(0);
    await shop.deliver(...pay, giveBack, wireEvent('credit_note.created', issued, { created: 201 }));
    expect(await amounts()).toEqual([
      ['prod_pro', 400],
      ['prod_addon', 0],
    ]);
    await shop.deliver(wireEvent('credit_note.voided', { ...issued, status: 'void' }, { created: 300 }));
    expect((await earned()).amount_cents).toBe(533);
  });
});

describe('a checkout', () => {
  const sold = () => {
    const paid = charge({ amount: 4_760, customer: buyer.id, created: seconds() });
    const checkout = checkoutSession({
      created: seconds(),
      client_reference_id: referral,
      customer: buyer.id,
      payment_intent: paid.payment_intent,
      amount_total: 4_760,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 760 },
    });
    shop.merchant.psp.records.checkoutLines.set(checkout.id, [
      checkoutLine(aPrice('prod_pro', null), { amount: 3_570, tax: 570, description: 'Pro' }),
      checkoutLine(aPrice('prod_addon', null), { amount: 1_190, tax: 190 }),
    ]);
    return { checkout, paid };
  };

  test.each([
    ['before', 0],
    ['after', 1],
  ])('earns by its lines when its event comes %s that of the charge', async (_when, order) => {
    const { checkout, paid } = sold();
    const events: WireEvent[] = [
      wireEvent('checkout.session.completed', checkout, { created: seconds() }),
      wireEvent('charge.succeeded', paid, { created: seconds() }),
    ];
    await shop.deliver(wireEvent('customer.created', buyer), ...(order === 0 ? events : events.toReversed()));
    const commission = await earned();
    expect(linesOf(commission)).toEqual([
      ['prod_pro', pro.id, 1_200],
      ['prod_addon', expect.any(String), 0],
    ]);
    expect(commission).toMatchObject({ amount_cents: 1_200, lines: [{ name: 'Pro' }, {}] });
  });

  test('decides again about bonuses when its event comes after that of the charge', async () => {
    const onTop = await rule({ apply: 'on_top', when: {}, pay: { percent: 5 } });
    const addon = await rule({ apply: 'on_top', when: { products: ['prod_addon'] }, pay: { percent: 10 } });
    const { checkout, paid } = sold();
    await shop.deliver(
      wireEvent('customer.created', buyer),
      wireEvent('charge.succeeded', paid, { created: seconds() }),
      wireEvent('checkout.session.completed', checkout, { created: seconds() }),
    );
    const { body } = await shop.merchant.api.get<{
      data: { kind: string; state: string; rule_id: string; amount_cents: number }[];
    }>('/commissions');
    const bonuses = body.data.filter(({ kind }) => kind === 'bonus');
    const ofState = (state: 'pending' | 'voided') =>
      Object.fromEntries(bonuses.flatMap((bonus) => (bonus.state === state ? [[bonus.rule_id, bonus.amount_cents]] : [])));
    expect(ofState('pending')).toEqual({ [onTop.id]: 200, [addon.id]: 100 });
    expect(ofState('voided')).toEqual({ [onTop.id]: 200 });
    const { body: checked } = await shop.merchant.api.get<{ discrepancies: unknown[] }>('/payout_runs/reconcile');
    expect(checked.discrepancies).toEqual([]);
  });

  test('that becomes known after the payment of its commission leaves the commission as it is', async () => {
    const { checkout, paid } = sold();
    await shop.deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid, { created: seconds() }));
    const [commission] = await shop.commissions();
    expect(commission).toMatchObject({ amount_cents: 952 });
    const paid_at = shop.service.clock.instant();
    expect((await shop.merchant.api.patch(`/commissions/${commission!.id}`, { paid_at })).status).toBe(200);
    await shop.deliver(wireEvent('checkout.session.completed', checkout, { created: seconds() }));
    // The tax becomes known, too, and is taken back by an adjustment.
    const amounts = Object.fromEntries((await shop.commissions()).map(({ kind, amount_cents }) => [kind, amount_cents]));
    expect(amounts).toEqual({ sale: 952, adjustment: -152 });
  });

  test('that becomes known after the payment of a commission by rules leaves its terms as they are', async () => {
    await rule({ position: 0, when: {}, pay: { percent: 30 } });
    const { checkout, paid } = sold();
    await shop.deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid, { created: seconds() }));
    const [commission] = await shop.commissions();
    const paid_at = shop.service.clock.instant();
    await shop.merchant.api.patch(`/commissions/${commission!.id}`, { paid_at });
    await shop.deliver(wireEvent('checkout.session.completed', checkout, { created: seconds() }));
    const amounts = Object.fromEntries((await shop.commissions()).map(({ kind, amount_cents }) => [kind, amount_cents]));
    expect(amounts).toEqual({ sale: 1_428, adjustment: -228 });
  });

  test.each([true, false])('without lines of its own earns by the report of the merchant (report first: %s)', async (first) => {
    const team = await rule({
      position: 0,
      when: { metadata: { plan: ['team'] }, products: ['prod_mug'] },
      pay: { percent: 30 },
    });
    shop.service.clock.advance(1, 'seconds');
    const { paid } = sold();
    const report = {
      external_id: 'order-1',
      referral_id: referral,
      amount_cents: 4_760,
      currency: 'USD',
      psp_charge_id: paid.id,
      metadata: { plan: 'team' },
      lines: [line('prod_pro', 4_000), line('prod_mug', 760)],
    };
    const events = [wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid, { created: seconds() })];
    if (!first) await shop.deliver(...events);
    expect((await shop.merchant.api.post('/track/sales', report)).status).toBe(first ? 201 : 200);
    if (first) await shop.deliver(...events);
    expect(linesOf(await earned())).toEqual([
      ['prod_pro', pro.id, 1_600],
      ['prod_mug', team.id, 228],
    ]);
  });

  test('replaces the lines of a report of the merchant that came first', async () => {
    const { checkout, paid } = sold();
    const report = {
      external_id: 'order-1',
      referral_id: referral,
      amount_cents: 4_760,
      tax_amount_cents: 760,
      currency: 'USD',
      psp_charge_id: paid.id,
      lines: [line('prod_pro', 4_000, { name: 'Pro' })],
    };
    expect((await shop.merchant.api.post('/track/sales', report)).status).toBe(201);
    await shop.deliver(
      wireEvent('customer.created', buyer),
      wireEvent('charge.succeeded', paid, { created: seconds() }),
      wireEvent('checkout.session.completed', checkout, { created: seconds() }),
    );
    expect(linesOf(await earned())).toEqual([
      ['prod_pro', pro.id, 1_200],
      ['prod_addon', expect.any(String), 0],
    ]);
  });

  test('is asked for its lines only if a campaign has reward rules', async () => {
    await shop.open();
    referral = await shop.refer();
    shop.service.clock.advance(10, 'seconds');
    const { checkout, paid } = sold();
    await shop.deliver(
      wireEvent('checkout.session.completed', checkout, { created: seconds() }),
      wireEvent('charge.succeeded', paid, { created: seconds() }),
    );
    expect(shop.service.psp.received('GET', new RegExp(checkout.id))).toEqual([]);
    expect(await earned()).toMatchObject({ amount_cents: 800, lines: null });
  });
});
