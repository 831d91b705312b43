/** Pieces of payments come in any order, any number of times, and in the forms of several API versions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PaymentSeen } from '../../port/seen.ts';
import { assemble, type Assembled } from './assemble.ts';
import { inOrder, type Piece } from './piece.ts';

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

function taxedAmount({ taxed }: Assembled['refunds'][number], { charged }: Assembled): number {
  const own = taxed.filter(({ tax }) => tax.currency === charged?.amount.currency);
  return own.reduce((sum, { amount }) => sum + amount, 0);
}
