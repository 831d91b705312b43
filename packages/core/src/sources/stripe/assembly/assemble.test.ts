/** Pieces of payments come in any order, any number of times, and in the forms of several API versions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PaymentSeen } from '../../port/seen.ts';
import { assemble as assembleBy, type Assembled } from './assemble.ts';
import { inOrder, type Piece } from './piece.ts';

const assemble = (pieces: readonly Piece[]) => assembleBy(pieces, { countsShipping: false });
const CHARGES = ['ch_1', 'ch_2'] as const;
const INTENTS = ['pi_1', 'pi_2'] as const;
const INVOICES = ['in_1', 'in_2'] as const;

const at = fc.integer({ min: 0, max: 3 }).map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString());
const maybe = <T>(...values: T[]) => fc.constantFrom(null, ...values);
const cents = fc.constantFrom(0, 300, 1_000, 1_190);
const currency = fc.constantFrom('USD', 'USD', 'USD', 'EUR');
const customer = fc.record({
  customerId: maybe('cus_1', 'cus_2'),
  externalId: maybe('7'),
  email: maybe('ada@example.com', 'grace@example.com'),
  name: maybe('Ada'),
});
const lines = fc.subarray([
  { id: 'il_1', product: 'prod_a', price: null, name: null, interval: null, quantity: 1, amount: 600 },
  { id: 'il_2', product: 'prod_b', price: null, name: null, interval: null, quantity: 2, amount: 400 },
]);
/** A charge and its payment intent go together, as at the provider. Pieces may name both or only one of them. */
const payment = fc
  .record({ nth: fc.constantFrom(0, 1), hasCharge: fc.boolean(), hasIntent: fc.boolean(), invoiceId: maybe(...INVOICES) })
  .map(({ nth, hasCharge, hasIntent, invoiceId }) => ({
    chargeId: hasCharge || !hasIntent ? CHARGES[nth] : null,
    paymentIntentId: hasIntent ? INTENTS[nth] : null,
    invoiceId,
  }));
const shipping = fc.option(fc.record({ amount: fc.constantFrom(100, 1_190), tax: fc.constantFrom(0, 16) }));
const naming = { customer, namedReferral: maybe<string>('ref_1', 'ref_2') };

const fact: fc.Arbitrary<Piece['fact']> = fc.oneof(
  fc.record({
    kind: fc.constant('charge_succeeded' as const),
    payment,
    invoiceKnown: fc.boolean(),
    ...naming,
    amount: cents,
    released: maybe(0, 190),
    currency,
    description: maybe('Plan'),
    isExcluded: fc.boolean(),
    createdAt: at,
  }),
  fc.record({
    kind: fc.constant('checkout_completed' as const),
    way: fc.constantFrom('checkout' as const, 'payment_link' as const),
    payment: payment.map((ids) => ({ ...ids, chargeId: null, invoiceId: ids.paymentIntentId ? ids.invoiceId : 'in_1' })),
    ...naming,
    clientReferenceId: maybe('ref_1', 'token'),
    openedAt: fc.constant(null),
    promotionCodeIds: fc.subarray(['promo_1', 'promo_2']),
    isExcluded: fc.boolean(),
    currency: maybe('USD', 'EUR'),
    taxAmount: maybe(190),
    shipping,
    sessionId: fc.constant(null),
    lines,
  }),
  fc.record({
    kind: fc.constant('customer_referred' as const),
    payment,
    ...naming,
    redemptions: fc.constant<never[]>([]),
    trial: fc.constant(null),
    subscriptionId: fc.constant(null),
    referredAt: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('invoice_paid' as const),
    way: fc.constant('invoice' as const),
    invoiceId: fc.constantFrom(...INVOICES),
    payments: fc.option(
      fc.array(
        fc.record({ ids: fc.option(payment), amount: cents }).map(({ ids, amount }) => ({
          chargeId: ids?.chargeId ?? null,
          paymentIntentId: ids?.paymentIntentId ?? null,
          amount,
        })),
        { maxLength: 2 },
      ),
    ),
    ...naming,
    amountPaid: fc.constant(1_190),
    taxAmount: fc.constantFrom(0, 190),
    shipping,
    currency,
    description: maybe('Invoice'),
    lines,
    linesKnown: fc.constant(true),
    promotionCodeIds: fc.subarray(['promo_1', 'promo_3']),
    promotionCodesKnown: fc.constant(true),
    isExcluded: fc.boolean(),
    paidAt: at,
    beginningId: fc.constant(null),
    checkout: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('charge_refunded' as const),
    payment,
    amountRefunded: cents,
    released: maybe(0, 190),
    currency,
    refunds: fc.constant<never[]>([]),
  }),
  fc.record({
    kind: fc.constant('refund_updated' as const),
    payment,
    refund: fc.record({ refundId: fc.constantFrom('re_1', 're_2'), amount: cents, effective: fc.boolean() }),
    currency,
  }),
  fc.record({ kind: fc.constant('payment_excluded' as const), payment }),
  fc.record({
    kind: fc.constant('dispute_changed' as const),
    payment,
    disputeId: fc.constantFrom('dp_1', 'dp_2'),
    amount: cents,
    currency,
    outcome: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
  }),
  fc.record({
    kind: fc.constant('credit_note_changed' as const),
    creditNoteId: fc.constantFrom('cn_1', 'cn_2'),
    invoiceId: fc.constantFrom(...INVOICES),
    total: cents,
    taxAmount: maybe(0, 50),
    currency,
    refunds: fc.array(fc.record({ refundId: fc.constantFrom('re_1', 're_2'), amount: fc.option(cents) }), { maxLength: 2 }),
    outside: cents,
    lines: fc.constant<{ lineId: string; amount: number }[]>([{ lineId: 'il_1', amount: 200 }]),
    voided: fc.boolean(),
  }),
);
const pieces = fc.array(fc.record({ at, fact }), { minLength: 1, maxLength: 10 });

describe('the payments that are put together', () => {
  test('are the same in every order of the pieces, whether they come once or twice, and after they were stored', () => {
    const shuffled = pieces.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, twice]) => {
        const expected = assemble(list);
        expect(assemble(twice)).toEqual(expected);
        const stored = twice.map((piece) => JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(piece).toReversed()))));
        expect(assemble(stored as Piece[])).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('are the same whether all pieces were kept at once or in two parts', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), (list, cut) => {
        const [one, other] = [list.slice(0, cut % list.length), list.slice(cut % list.length)];
        expect(assemble([...inOrder(other), ...inOrder(one)])).toEqual(assemble(list));
      }),
    );
  });

  test('have each name once, return no more than they state, and speak the language of sources', () => {
    fc.assert(
      fc.property(pieces, (list) => {
        const payments = assemble(list);
        const names = payments.flatMap((each) => each.names);
        expect(names).toHaveLength(new Set(names).size);
        for (const each of payments) {
          const seen = { ...each, kind: 'payment', source: 'stripe', connectionId: null, mode: 'live', version: '1' };
          expect(() => PaymentSeen.parse(seen)).not.toThrow();
          for (const refund of each.refunds) expect(taxedAmount(refund, each)).toBeLessThanOrEqual(refund.amount);
          const { tax = null, amount = null } = each.charged ?? {};
          const own = tax?.currency === amount?.currency ? (tax?.amount ?? 0) : 0;
          expect(own).toBeLessThanOrEqual(amount?.amount ?? 0);
        }
      }),
    );
  });
});

/** A payment of 130.00: goods for 100.00, shipping for 10.00, and a tax of 20.00, of which 1.82 is for shipping. */
describe('shipping', () => {
  const ids = { chargeId: 'ch_1', paymentIntentId: 'pi_1', invoiceId: null };
  const nobody = { customerId: null, externalId: null, email: null, name: null };
  const second = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
  const SHIPPING = { amount: 1_182, tax: 182 };
  const charged: Piece = {
    at: second(0),
    fact: {
      kind: 'charge_succeeded',
      payment: ids,
      invoiceKnown: true,
      customer: nobody,
      namedReferral: null,
      amount: 13_000,
      released: null,
      currency: 'USD',
      description: null,
      isExcluded: false,
      createdAt: second(0),
    },
  };
  const checkout: Piece = {
    at: second(1),
    fact: {
      kind: 'checkout_completed',
      way: 'checkout',
      payment: { ...ids, chargeId: null },
      customer: nobody,
      namedReferral: null,
      clientReferenceId: null,
      openedAt: null,
      promotionCodeIds: [],
      isExcluded: false,
      currency: 'USD',
      taxAmount: 2_000,
      shipping: SHIPPING,
      sessionId: null,
      lines: [],
    },
  };
  const refunded = (refundId: string, amount: number): Piece => ({
    at: second(2),
    fact: { kind: 'refund_updated', payment: ids, refund: { refundId, amount, effective: true }, currency: 'USD' },
  });
  const paidInvoice = (amounts: number[]): Piece => ({
    at: second(1),
    fact: {
      kind: 'invoice_paid',
      way: 'invoice',
      invoiceId: 'in_1',
      payments: amounts.map((amount, i) => ({ chargeId: `ch_${i}`, paymentIntentId: null, amount })),
      customer: nobody,
      namedReferral: null,
      amountPaid: 13_000,
      taxAmount: 2_000,
      shipping: SHIPPING,
      currency: 'USD',
      description: null,
      lines: [{ id: 'il_1', product: 'prod_a', price: null, name: null, interval: null, quantity: 1, amount: 10_000 }],
      linesKnown: true,
      promotionCodeIds: [],
      promotionCodesKnown: true,
      isExcluded: false,
      paidAt: second(1),
      beginningId: null,
      checkout: null,
    },
  });
  const note = (total: number, tax: number, net: number): Piece => ({
    at: second(3),
    fact: {
      kind: 'credit_note_changed',
      creditNoteId: 'cn_1',
      invoiceId: 'in_1',
      total,
      taxAmount: tax,
      currency: 'USD',
      refunds: [{ refundId: 're_1', amount: null }],
      lines: [{ lineId: 'il_1', amount: net }],
      voided: false,
    },
  });
  const ofShipping = ({ at: time, fact }: Piece): Piece => ({
    at: time,
    fact: { ...fact, shipping: SHIPPING.amount, lines: [] } as Piece['fact'],
  });
  const ofInvoice = { chargeId: 'ch_0', paymentIntentId: null, invoiceId: 'in_1' };
  const amountsOf = (told: readonly Piece[]) =>
    assemble(told).map(({ charged: of, refunds, disputes }) => [
      of && [of.amount.amount, of.tax?.amount ?? 0],
      refunds.map(({ amount, taxed }) => [amount, ...taxed.map(({ tax }) => tax.amount)]),
      disputes.map(({ amount }) => amount),
    ]);

  test.each<[string, Piece[], ReturnType<typeof amountsOf>]>([
    ['is unknown while only the charge is', [charged], [[[13_000, 0], [], []]]],
    ['of a checkout earns nothing', [charged, checkout], [[[11_818, 1_818], [], []]]],
    ['of an invoice earns nothing', [paidInvoice([13_000])], [[[11_818, 1_818], [], []]]],
    [
      'of an invoice is split over its payments to the cent',
      [paidInvoice([4_333, 8_667])],
      [
        [[3_939, 606], [], []],
        [[7_879, 1_212], [], []],
      ],
    ],
    ['has its share of a refund', [charged, checkout, refunded('re_1', 6_500)], [[[11_818, 1_818], [[5_909]], []]]],
    [
      'has its share of refunds that add up to the payment',
      [charged, checkout, refunded('re_1', 4_333), refunded('re_2', 8_667)],
      [[[11_818, 1_818], [[3_939], [7_879]], []]],
    ],
    [
      'has no share of a credit note for goods',
      [
        paidInvoice([13_000]),
        { ...refunded('re_1', 5_909), fact: { ...refunded('re_1', 5_909).fact, payment: ofInvoice } as Piece['fact'] },
        note(5_909, 909, 5_000),
      ],
      [[[11_818, 1_818], [[5_909, 909]], []]],
    ],
    [
      'has what a credit note returns of it, with its tax',
      [
        paidInvoice([13_000]),
        { ...refunded('re_1', 13_000), fact: { ...refunded('re_1', 13_000).fact, payment: ofInvoice } as Piece['fact'] },
        note(13_000, 2_000, 10_000),
      ],
      [[[11_818, 1_818], [[11_818, 1_818]], []]],
    ],
    [
      'has all of what a credit note returns for shipping alone',
      [
        paidInvoice([13_000]),
        { ...refunded('re_1', 1_182), fact: { ...refunded('re_1', 1_182).fact, payment: ofInvoice } as Piece['fact'] },
        ofShipping(note(1_182, 182, 0)),
      ],
      [[[11_818, 1_818], [[0]], []]],
    ],
    [
      'has its share of what a credit note returns beside it',
      [
        paidInvoice([13_000]),
        { ...refunded('re_1', 7_682), fact: { ...refunded('re_1', 7_682).fact, payment: ofInvoice } as Piece['fact'] },
        ofShipping(note(7_682, 1_182, 0)),
      ],
      [[[11_818, 1_818], [[5_909]], []]],
    ],
    [
      'has its share of a lost dispute',
      [
        charged,
        checkout,
        {
          at: second(4),
          fact: { kind: 'dispute_changed', payment: ids, disputeId: 'dp_1', amount: 13_000, currency: 'USD', outcome: 'lost' },
        },
      ],
      [[[11_818, 1_818], [], [11_818]]],
    ],
  ])('%s', (_, told, amounts) => {
    expect(amountsOf(told)).toEqual(amounts);
    expect(amountsOf(told.toReversed())).toEqual(amounts);
  });

  test('earns like goods if the merchant has chosen so', () => {
    const [told] = assembleBy([charged, checkout, refunded('re_1', 6_500)], { countsShipping: true });
    expect(told).toMatchObject({ charged: { amount: { amount: 13_000 }, tax: { amount: 2_000 } }, refunds: [{ amount: 6_500 }] });
  });
});

function taxedAmount({ taxed }: Assembled['refunds'][number], { charged }: Assembled): number {
  const own = taxed.filter(({ tax }) => tax.currency === charged?.amount.currency);
  return own.reduce((sum, { amount }) => sum + amount, 0);
}
