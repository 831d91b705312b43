/** Lines and refunds of a payment that the provider and the merchant both state (docs/rules/rewards.md#lines). */
import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../support/http.ts';
import {
  API_VERSIONS,
  charge,
  creditNote,
  customer,
  invoice,
  invoiceLine,
  newId,
  price,
  refund,
  wireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post } = useLiveShop();

type Told = () => Promise<unknown>;

/** A payment of two products, of which one pays 30 % and the other nothing, with everything that tells about it. */
async function story() {
  await reopen();
  shop.service.clock.set(new Date().toISOString());
  const { merchant, program } = shop;
  for (const [product, pay] of [
    ['prod_pro', { percent: 30 }],
    ['prod_free', { nothing: true }],
  ] as const) {
    const rule = { campaign_id: program.campaignId, name: product, when: { products: [product] }, pay };
    expect((await merchant.api.post('/reward_rules', rule)).status).toBe(201);
  }
  await merchant.call().campaigns.update({ id: program.campaignId, days_until_commissions_are_due: 0 });
  const referral = await shop.refer();
  shop.service.clock.advance(10, 'seconds');
  const at = Math.floor(shop.service.clock.now().getTime() / 1_000);
  shop.service.clock.advance(1, 'hours');
  const buyer = customer({ email: `${newId('x')}@buyer.example`, metadata: { referral }, created: at });
  const lines = ['prod_pro', 'prod_free'].map((product) => {
    const made = price(product, 'month');
    merchant.psp.records.prices.push(made);
    return invoiceLine(made, { amount: 5_000 });
  });
  const paid = charge({ amount: 10_000, customer: buyer.id, created: at });
  const bill = invoice({
    customer: buyer.id,
    customer_email: buyer.email,
    total: 10_000,
    amount_paid: 10_000,
    created: at,
    lines: { object: 'list', data: lines, has_more: false, url: '' },
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, voided_at: null, paid_at: at },
  });
  const back = refund(paid, { amount: 5_000 });
  const credited = (line: number) =>
    ({ id: 'cnli_1', type: 'invoice_line_item', invoice_line_item: lines[line]!.id, amount: 5_000 }) as Stripe.CreditNoteLineItem;
  const noteOf = (line: number) =>
    creditNote(bill, {
      refunds: [back],
      tax: 0,
      lines: { object: 'list', data: [credited(line)], has_more: false, url: '' },
    });
  const charged_at = new Date(at * 1_000).toISOString();
  const events = {
    customer: () => deliver(wireEvent('customer.created', buyer, { created: at })),
    invoice: () => deliver(...[shop.in(API_VERSIONS[0]).paid({ invoice: bill, paidBy: paid })].flat()),
    refund: () => deliver(wireEvent('refund.created', back, { created: at + 60 })),
    note: (line: number) => () => deliver(wireEvent('credit_note.created', noteOf(line), { created: at + 61 })),
  } satisfies Record<string, Told | ((line: number) => Told)>;
  const report =
    (more: Fields = {}) =>
    async () => {
      const sale = { external_id: 'order-1', amount_cents: 10_000, currency: 'USD', psp_customer_id: buyer.id };
      expect((await post({ ...sale, psp_charge_id: paid.id, charged_at, ...more })).status).toBeLessThan(202);
    };
  const giveBack = (lines: Fields[]) => async () => {
    const input = { external_id: 'order-1', refund_id: 'refund-1', amount_cents: 5_000, lines };
    return merchant.api.post('/track/refunds', input);
  };
  return { events, report, giveBack, referral };
}

/** Returns the earnings of the sale, with adjustments. */
async function earned(): Promise<number> {
  const { body } = await shop.merchant.api.get<{ data: { state: string; amount_cents: number }[] }>('/commissions');
  return body.data.reduce((sum, { state, amount_cents }) => sum + (state === 'voided' ? 0 : amount_cents), 0);
}

/** Tells a story in orders of its facts. Returns the orders in which the sale does not earn `cents`. */
async function wrongOrders(tell: (told: Awaited<ReturnType<typeof story>>) => Told[], cents: number, every: number) {
  const wrong: { order: number[]; cents: number }[] = [];
  const count = tell(await story()).length;
  for (const order of sample(orders(Array.from({ length: count }, (_, i) => i)), every, 0)) {
    const told = tell(await story());
    for (const place of order) await told[place]!();
    const found = await earned();
    if (found !== cents) wrong.push({ order, cents: found });
  }
  return wrong;
}

describe.each([
  ['the product that pays', 0, 0],
  ['the product that pays nothing', 1, 1_500],
])('a credit note that names %s', (_product, line, cents) => {
  test('reduces this line, although the merchant reports the payment without lines, in every order', async () => {
    const wrong = await wrongOrders(
      ({ events, report }) => [events.customer, events.invoice, report(), events.refund, events.note(line)],
      cents,
      15,
    );
    expect(wrong).toEqual([]);
  }, 120_000);

  test('after the payment of the commission is taken back by an adjustment of the same amount', async () => {
    for (const isReportFirst of [true, false]) {
      const { events, report } = await story();
      const told = [events.customer, ...(isReportFirst ? [report(), events.invoice] : [events.invoice, report()])];
      for (const each of told) await each();
      const { body } = await shop.merchant.api.get<{ data: { id: string; state: string; amount_cents: number }[] }>(
        '/commissions',
      );
      const standing = body.data.filter(({ state }) => state !== 'voided');
      expect(standing).toMatchObject([{ amount_cents: 1_500 }]);
      const paid_at = shop.service.clock.instant();
      expect((await shop.merchant.api.patch(`/commissions/${standing[0]!.id}`, { paid_at })).status).toBe(200);
      for (const each of [events.refund, events.note(line)]) await each();
      expect({ isReportFirst, cents: await earned() }).toEqual({ isReportFirst, cents });
    }
  });
});

test.each([
  ['pays', 'prod_pro', 0],
  ['pays nothing', 'prod_free', 1_500],
])(
  'a refund that the merchant reports for the product that %s reduces this line, in every order',
  async (_, product, cents) => {
    const wrong = await wrongOrders(
      ({ events, report, giveBack }) => [
        events.customer,
        events.invoice,
        async () => {
          await report()();
          const { status } = await giveBack([{ product, amount_cents: 5_000 }])();
          expect(status).toBe(201);
        },
        events.refund,
      ],
      cents,
      4,
    );
    expect(wrong).toEqual([]);
  },
  120_000,
);

test('the lines of the provider win over those of a report, in every order', async () => {
  const wrong = await wrongOrders(
    ({ events, report }) => [
      events.customer,
      events.invoice,
      report({
        lines: [
          { product: 'prod_pro', amount_cents: 9_000 },
          { product: 'prod_mug', amount_cents: 1_000 },
        ],
      }),
    ],
    1_500,
    1,
  );
  expect(wrong).toEqual([]);
}, 120_000);

test('a refund of a product that only the report knows reduces all lines, in every order', async () => {
  const wrong = await wrongOrders(
    ({ events, report, giveBack }) => [
      events.customer,
      events.invoice,
      async () => {
        await report({
          lines: [
            { product: 'prod_pro', amount_cents: 5_000 },
            { product: 'prod_mug', amount_cents: 5_000 },
          ],
        })();
        expect((await giveBack([{ product: 'prod_mug', amount_cents: 5_000 }])()).status).toBe(201);
      },
    ],
    750,
    1,
  );
  expect(wrong).toEqual([]);
}, 120_000);
