import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredFact } from './piece.ts';
import {
  enterCreditNote,
  enterRefund,
  enterRelease,
  NOTHING_REFUNDED,
  type RefundLedger,
  refundedTotal,
  disputesSeen,
  refundsSeen,
} from './refund-ledger.ts';

type Reported = Parameters<typeof enterRefund>[1] | ReturnType<typeof capture>;

interface Dated<Fact = Reported> {
  fact: Fact;
  at: string;
}

const payment = { chargeId: 'ch_1', paymentIntentId: 'pi_1', invoiceId: null };

function at<Fact>(second: number, fact: Fact): Dated<Fact> {
  return { fact, at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() };
}

function ledgerOf(reported: Dated<Reported | Note>[]): RefundLedger {
  return reported.reduce((ledger, { fact, at }) => {
    if (fact.kind === 'capture') return enterRelease(ledger, fact.released);
    return fact.kind === 'credit_note_changed' ? enterCreditNote(ledger, fact, at) : enterRefund(ledger, fact, at);
  }, NOTHING_REFUNDED);
}

function total(reported: Dated[]): number {
  return refundedTotal(ledgerOf(reported));
}

/** Returns the history as sorted entries, oldest first. */
function history(reported: Dated[]) {
  return historyOf(ledgerOf(reported));
}

function historyOf(ledger: RefundLedger) {
  const entries = [
    ...refundsSeen(ledger, 'USD', []).flatMap(({ at, amount, state, failedAt }) => {
      const back = { at, kind: 'refund', amount: -amount };
      if (state === 'done') return [back];
      return failedAt === null ? [] : [back, { at: failedAt, kind: 'refund_failed', amount }];
    }),
    ...disputesSeen(ledger).flatMap(({ at, amount, outcome }) =>
      outcome === 'lost' ? [{ at, kind: 'dispute_lost', amount: -amount }] : [],
    ),
  ];
  const text = (entry: (typeof entries)[number]) => `${entry.at} ${entry.kind} ${entry.amount}`;
  return entries.toSorted((a, b) => text(a).localeCompare(text(b)));
}

function hasOpenDispute(ledger: RefundLedger): boolean {
  return disputesSeen(ledger).some(({ outcome }) => outcome === 'open');
}

/** Returns the part of the refunds whose tax is known, and that tax. */
function creditNoteRefunds(ledger: RefundLedger, currency: string) {
  const parts = refundsSeen(ledger, currency, []).flatMap(({ taxed }) => taxed);
  const counted = parts.filter(({ tax }) => tax.currency === currency);
  return {
    creditNote: counted.reduce((sum, { amount }) => sum + amount, 0),
    creditNoteTax: counted.reduce((sum, { tax }) => sum + tax.amount, 0),
    isIgnored: counted.length < parts.length,
  };
}

function refund(refundId: string, amount: number, effective = true): StoredFact<'refund_updated'> {
  return { kind: 'refund_updated', payment, currency: 'USD', refund: { refundId, amount, effective } };
}

function charge(
  amountRefunded: number,
  refunds: { refundId: string; amount: number; effective: boolean }[] = [],
  released: number | null = null,
) {
  return { kind: 'charge_refunded' as const, payment, currency: 'USD', amountRefunded, released, refunds };
}

/** A capture that leaves `released` of the authorized amount. */
function capture(released: number | null) {
  return { kind: 'capture' as const, released };
}

function dispute(disputeId: string, amount: number, outcome: 'open' | 'won' | 'lost') {
  return { kind: 'dispute_changed' as const, payment, currency: 'USD', disputeId, amount, outcome };
}

/** Makes lists of reports, each with a list that has every report twice, in any order. */
function reportedTwice<Report>(reported: fc.Arbitrary<Report>) {
  return fc
    .array(reported, { maxLength: 8 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length })));
}

describe('the refunded total', () => {
  test.each<[string, Dated[], number]>([
    ['nothing', [], 0],
    ['one refund reported twice', [at(1, refund('re_1', 500)), at(1, charge(500)), at(2, refund('re_1', 500))], 500],
    ['the charge alone', [at(1, charge(300)), at(2, charge(800))], 800],
    ['an older total reported late', [at(2, charge(800)), at(1, charge(300))], 800],
    ['a total that lists its refunds', [at(1, charge(500, [{ refundId: 're_1', amount: 500, effective: true }]))], 500],
    [
      'refunds that the charge’s total does not include yet',
      [at(1, charge(300)), at(1, refund('re_1', 300)), at(2, refund('re_2', 200))],
      500,
    ],
    ['a refund that failed', [at(1, refund('re_1', 500)), at(1, charge(500)), at(9, refund('re_1', 500, false))], 0],
    [
      'a failed refund, reported in reverse order',
      [at(9, refund('re_1', 500, false)), at(1, charge(500)), at(1, refund('re_1', 500))],
      0,
    ],
    ['one failed refund of two', [at(2, charge(700)), at(9, refund('re_1', 500, false)), at(2, refund('re_2', 200))], 200],
    ['a charge total that already excludes the failed refund', [at(8, refund('re_1', 500, false)), at(9, charge(200))], 200],
    ['a lost dispute in addition to a refund', [at(1, charge(200)), at(5, dispute('dp_1', 800, 'lost'))], 1000],
    ['a won dispute', [at(5, dispute('dp_1', 800, 'won'))], 0],
    ['an open dispute', [at(5, dispute('dp_1', 800, 'open'))], 0],
    ['a dispute with a reversed outcome', [at(5, dispute('dp_1', 800, 'lost')), at(6, dispute('dp_1', 800, 'won'))], 0],
    ['a dispute won and lost in the same second', [at(5, dispute('dp_1', 800, 'won')), at(5, dispute('dp_1', 800, 'lost'))], 800],
    [
      'a dispute opened and lost in the same second',
      [at(5, dispute('dp_1', 800, 'open')), at(5, dispute('dp_1', 800, 'lost'))],
      800,
    ],
    ['two lost disputes', [at(5, dispute('dp_1', 300, 'lost')), at(5, dispute('dp_2', 200, 'lost'))], 500],
  ])('is correct after these facts: %s', (_what, reported, expected) => {
    expect(total(reported)).toBe(expected);
    expect(total(reported.toReversed())).toBe(expected);
    expect(total([...reported, ...reported])).toBe(expected);
  });

  const listed = (refundId: string, amount: number, effective = true) => ({ refundId, amount, effective });
  test.each<[string, Dated[], number]>([
    ['the capture alone', [at(1, capture(375))], 0],
    ['the release as a refund of its own', [at(1, capture(375)), at(1, refund('re_1', 375))], 0],
    ['the release within the charge’s total', [at(1, charge(375, [], 375))], 0],
    ['the release within a charge that lists it', [at(1, charge(375, [listed('re_1', 375)], 375))], 0],
    ['every report of the release', [at(1, capture(375)), at(1, charge(375, [], 375)), at(1, refund('re_1', 375))], 0],
    ['a capture of the smaller part', [at(1, charge(40_000, [listed('re_1', 40_000)], 40_000))], 0],
    ['a capture of everything', [at(1, capture(0)), at(2, refund('re_1', 375))], 375],
    ['a later refund, reported before the charge', [at(1, capture(375)), at(5, refund('re_2', 1000))], 1000],
    [
      'a later refund, reported in every way',
      [at(1, charge(375, [], 375)), at(1, refund('re_1', 375)), at(5, charge(1375, [], 375)), at(5, refund('re_2', 1000))],
      1000,
    ],
    ['a later refund without a report of its own', [at(1, refund('re_1', 375)), at(5, charge(1375, [], 375))], 1000],
    ['a later refund, with a release that is not listed', [at(5, charge(1375, [], 375)), at(5, refund('re_2', 1000))], 1000],
    [
      'a later refund of the amount of the release',
      [at(1, refund('re_1', 375)), at(5, refund('re_2', 375)), at(5, charge(750, [], 375))],
      375,
    ],
    [
      'a later refund of the amount of the release, which is not listed',
      [at(5, charge(750, [], 375)), at(5, refund('re_2', 375))],
      375,
    ],
    [
      'a later refund that failed',
      [at(1, refund('re_1', 375)), at(5, charge(1375, [], 375)), at(9, refund('re_2', 1000, false))],
      0,
    ],
    [
      'a refund of everything that was captured',
      [at(1, refund('re_1', 375)), at(5, charge(20_675, [], 375)), at(5, refund('re_2', 20_300))],
      20_300,
    ],
    ['a lost dispute', [at(1, charge(375, [], 375)), at(5, dispute('dp_1', 20_300, 'lost'))], 20_300],
    [
      'several captures',
      [at(1, capture(40_000)), at(2, capture(20_000)), at(2, refund('re_1', 20_000)), at(2, charge(20_000, [], 20_000))],
      0,
    ],
  ])('excludes what was not captured after these facts: %s', (_what, reported, expected) => {
    for (const order of permutations(reported)) {
      expect(total(order)).toBe(expected);
      expect(history(order).reduce((sum, { amount }) => sum - amount, 0)).toBe(expected);
      expect(total([...order, ...order])).toBe(expected);
    }
  });

  test('does not depend on order or repetition', () => {
    const reported = fc
      .tuple(
        fc.oneof(
          fc
            .record({ id: fc.constantFrom('re_1', 're_2', 're_3'), effective: fc.boolean() })
            .map(({ id, effective }) => refund(id, id.length * 100, effective)),
          fc
            .tuple(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(null, 0, 400))
            .map(([amount, released]) => charge(amount, [], released)),
          fc.constantFrom(0, 400, 600).map((released) => capture(released)),
          fc
            .record({
              id: fc.constantFrom('dp_1', 'dp_2'),
              outcome: fc.constantFrom('open', 'won', 'lost'),
              cents: fc.constantFrom(300, 400),
            })
            .map(({ id, outcome, cents }) => dispute(id, cents, outcome)),
        ),
        fc.integer({ min: 0, max: 3 }),
      )
      .map(([fact, second]) => at(second, fact));
    fc.assert(
      fc.property(reportedTwice(reported), ([list, shuffled]) => {
        expect(total(shuffled)).toBe(total(list));
        expect(hasOpenDispute(ledgerOf(shuffled))).toBe(hasOpenDispute(ledgerOf(list)));
        expect(ledgerOf(shuffled).disputes).toEqual(ledgerOf(list).disputes);
        expect(history(shuffled)).toEqual(history(list));
        expect(history(list).reduce((sum, { amount }) => sum + amount, total(list))).toBe(0);
      }),
    );
  });
});

describe('a credit note in another currency', () => {
  const foreign = { ...note('cn_1', 500, 70, [{ refundId: 're_1', amount: 500 }]), currency: 'EUR' };
  const ledgerWith = (...notes: Note[]) =>
    notes.reduce((ledger, each) => enterCreditNote(ledger, each, at(2, each).at), ledgerOf([at(1, refund('re_1', 500))]));

  test('is ignored and reported, unless it states no tax or covers no effective refund', () => {
    expect(creditNoteRefunds(ledgerWith(foreign), 'USD')).toEqual({ creditNote: 0, creditNoteTax: 0, isIgnored: true });
    expect(creditNoteRefunds(ledgerWith(foreign), 'EUR')).toEqual({ creditNote: 500, creditNoteTax: 70, isIgnored: false });
    for (const harmless of [{ voided: true }, { taxAmount: null }, { refunds: [] }])
      expect(creditNoteRefunds(ledgerWith({ ...foreign, ...harmless }), 'USD')).toEqual({
        creditNote: 0,
        creditNoteTax: 0,
        isIgnored: false,
      });
    const own = note('cn_2', 500, 70, [{ refundId: 're_1', amount: 500 }]);
    for (const notes of [
      [foreign, own],
      [own, foreign],
    ])
      expect(creditNoteRefunds(ledgerWith(...notes), 'USD')).toEqual({ creditNote: 500, creditNoteTax: 70, isIgnored: true });
  });
});

describe('an open dispute', () => {
  const [open, won, lost] = (['open', 'won', 'lost'] as const).map((outcome) => dispute('dp_1', 800, outcome)) as [
    ReturnType<typeof dispute>,
    ReturnType<typeof dispute>,
    ReturnType<typeof dispute>,
  ];
  test.each<[string, Dated[], boolean]>([
    ['nothing', [], false],
    ['the opening', [at(1, open)], true],
    ['the opening and the end', [at(1, open), at(5, won)], false],
    ['the opening and the end in the same second', [at(5, open), at(5, won)], false],
    ['the opening and a loss in the same second', [at(5, open), at(5, lost)], false],
    ['a dispute that was opened again', [at(1, won), at(5, open)], true],
    ['the end of one of two disputes', [at(1, open), at(5, won), at(3, dispute('dp_2', 100, 'open'))], true],
    ['a refund', [at(1, refund('re_1', 500))], false],
  ])('is known in every order after these facts: %s', (_what, reported, expected) => {
    expect(hasOpenDispute(ledgerOf(reported))).toBe(expected);
    expect(hasOpenDispute(ledgerOf(reported.toReversed()))).toBe(expected);
    expect(hasOpenDispute(ledgerOf([...reported, ...reported]))).toBe(expected);
  });
});
function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

type Note = StoredFact<'credit_note_changed'>;

function note(creditNoteId: string, total: number, taxAmount: number | null, refunds: Note['refunds'], voided = false): Note {
  return { kind: 'credit_note_changed', creditNoteId, invoiceId: 'in_1', currency: 'USD', total, taxAmount, refunds, voided };
}

function creditNote(reported: Dated<Reported | Note>[]): [number, number] {
  const { creditNote: covered, creditNoteTax } = creditNoteRefunds(ledgerOf(reported), 'USD');
  return [covered, creditNoteTax];
}

describe('the tax stated by credit notes', () => {
  const back = refund('re_1', 500);
  const covers = (amount: number | null, refundId = 're_1') => [{ refundId, amount }];
  test.each<[string, Parameters<typeof creditNote>[0], [number, number]]>([
    ['no credit note', [at(1, back)], [0, 0]],
    ['a note of the whole refund', [at(1, back), at(2, note('cn_1', 500, 70, covers(500)))], [500, 70]],
    ['a note that does not name the amount', [at(1, back), at(2, note('cn_1', 500, 70, covers(null)))], [500, 70]],
    ['a note that does not state the tax', [at(1, back), at(2, note('cn_1', 500, null, covers(500)))], [0, 0]],
    ['a note of a part of the refund', [at(1, back), at(2, note('cn_1', 200, 70, covers(200)))], [200, 70]],
    [
      'two notes of one refund',
      [at(1, back), at(2, note('cn_1', 200, 70, covers(200))), at(3, note('cn_2', 300, 0, covers(300)))],
      [500, 70],
    ],
    [
      'two notes of more than the refund',
      [at(1, back), at(2, note('cn_1', 400, 70, covers(400))), at(3, note('cn_2', 400, 20, covers(400)))],
      [500, 75],
    ],
    ['a note that also credits the customer’s balance', [at(1, back), at(2, note('cn_1', 1_000, 70, covers(500)))], [500, 35]],
    ['a note of only a credit', [at(1, back), at(2, note('cn_1', 500, 70, []))], [0, 0]],
    [
      'a note that also covers another payment’s refund',
      [at(1, back), at(2, note('cn_1', 800, 80, [...covers(500), ...covers(300, 're_9')]))],
      [500, 50],
    ],
    [
      'a note that was voided',
      [at(1, back), at(2, note('cn_1', 500, 70, covers(500))), at(3, note('cn_1', 500, 70, covers(500), true))],
      [0, 0],
    ],
    [
      'a note that was voided within the second',
      [at(1, back), at(2, note('cn_1', 500, 70, covers(500), true)), at(2, note('cn_1', 500, 70, covers(500)))],
      [0, 0],
    ],
    [
      'a note of a refund that failed',
      [at(1, back), at(2, note('cn_1', 500, 70, covers(500))), at(3, refund('re_1', 500, false))],
      [0, 0],
    ],
    [
      'a refund that was linked later',
      [at(1, back), at(2, note('cn_1', 500, 70, [])), at(2, note('cn_1', 500, 70, covers(500)))],
      [500, 70],
    ],
  ])('is correct after these facts: %s', (_what, reported, expected) => {
    expect(creditNote(reported)).toEqual(expected);
    expect(creditNote(reported.toReversed())).toEqual(expected);
    expect(creditNote([...reported, ...reported])).toEqual(expected);
  });

  test('does not depend on order or repetition, and does not exceed the refunds', () => {
    const reported = fc
      .tuple(
        fc.oneof(
          fc
            .record({ id: fc.constantFrom('re_1', 're_22'), effective: fc.boolean() })
            .map(({ id, effective }) => refund(id, id.length * 100, effective)),
          fc
            .record({
              id: fc.constantFrom('cn_1', 'cn_2'),
              tax: fc.integer({ min: 0, max: 300 }),
              amounts: fc.array(fc.option(fc.integer({ min: 0, max: 500 })), { maxLength: 2 }),
              voided: fc.boolean(),
            })
            .map(({ id, tax, amounts, voided }) =>
              note(
                id,
                600,
                tax,
                amounts.map((amount, index) => ({ refundId: ['re_1', 're_22'][index]!, amount })),
                voided,
              ),
            ),
        ),
        fc.integer({ min: 0, max: 3 }),
      )
      .map(([fact, second]) => at(second, fact));
    fc.assert(
      fc.property(reportedTwice(reported), ([list, shuffled]) => {
        const [covered, tax] = creditNote(list);
        expect(creditNote(shuffled)).toEqual([covered, tax]);
        expect(covered).toBeLessThanOrEqual(
          total(list.flatMap(({ fact, at }): Dated[] => (fact.kind === 'credit_note_changed' ? [] : [{ fact, at }]))),
        );
        expect(tax).toBeLessThanOrEqual(covered);
      }),
    );
  });
});
