import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf } from '../../packages/core/src/rewards/worth/amount-of.ts';
import { evaluate } from '../../packages/core/src/rewards/worth/evaluate.ts';
import { linesAfterRefunds, linesOfSale } from '../../packages/core/src/rewards/worth/sale-lines.ts';
import { THOROUGH } from '../support/thorough.ts';
import { bases, facts, ruleSets, statedLines } from './random-sales.ts';
import { referenceWorth } from './reference.ts';

const SALES = Number(process.env['REWARDED_SALES'] ?? (THOROUGH ? 100_000 : 10_000));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('the worth of a sale', () => {
  it('is what a second implementation computes, for random rules and invoices, before and after refunds', () => {
    const seen = { rules: new Set<string | null>(), bonuses: 0, otherCurrency: 0, capped: 0, several: 0 };
    fc.assert(
      fc.property(ruleSets, bases, facts, fc.double({ min: 0, max: 1, noNaN: true }), (rules, base, sale, kept) => {
        const amount = sum(sale.lines.map(({ net_cents }) => net_cents));
        const left = Math.floor(amount * kept);
        const nets = linesAfterRefunds(
          left,
          sale.lines.map(({ net_cents }) => ({ net_cents, refunded_cents: 0 })),
        );
        const { sale: terms, bonuses } = evaluate({ rules, base }, sale);
        const computed = [terms, ...bonuses].map((one) => {
          const { cents, lines } = amountOf(one, nets);
          expect(sum(lines.map((line) => line.cents))).toBe(cents);
          return {
            currency: one.currency,
            cents,
            lines: lines.map((line, i) => ({ rule: one.lines[i]!.rule_id, cents: line.cents })),
          };
        });
        expect(computed).toEqual(referenceWorth(rules, base, sale, nets));
        for (const line of terms.lines) seen.rules.add(line.rule_id);
        seen.bonuses += bonuses.length;
        seen.otherCurrency += terms.lines.filter(({ note }) => note === 'other_currency').length;
        seen.capped += terms.lines.filter(({ at_most_cents }) => at_most_cents !== null).length;
        seen.several += new Set(terms.lines.map(({ rule_id }) => rule_id)).size > 1 ? 1 : 0;
      }),
      { numRuns: SALES },
    );
    // The random sets reach every part of the rules.
    expect(seen.rules.size).toBeGreaterThan(6);
    for (const count of [seen.bonuses, seen.otherCurrency, seen.capped, seen.several]) expect(count).toBeGreaterThan(SALES / 100);
  });

  it('does not depend on the order in which the rules are given', () => {
    fc.assert(
      fc.property(ruleSets, bases, facts, fc.infiniteStream(fc.nat()), (rules, base, sale, random) => {
        const shuffled = rules
          .map((rule) => ({ rule, at: random.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ rule }) => rule);
        expect(evaluate({ rules: shuffled, base }, sale)).toEqual(evaluate({ rules, base }, sale));
      }),
    );
  });

  it('is the percentage of the amount, however the amount is divided into lines that one rule decides', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 10_000 }), (sale, points) => {
        const rewards = { rules: [], base: { kind: 'percent' as const, basis_points: points } };
        const amount = sum(sale.lines.map(({ net_cents }) => net_cents));
        const divided = amountOf(
          evaluate(rewards, sale).sale,
          sale.lines.map(({ net_cents }) => net_cents),
        );
        const whole = { ...sale, lines: linesOfSale(amount, []) };
        expect(divided.cents).toBe(amountOf(evaluate(rewards, whole).sale, [amount]).cents);
      }),
    );
  });

  it('shrinks with refunds down to 0, and never exceeds what the sale earned at its charge', () => {
    fc.assert(
      fc.property(
        ruleSets,
        bases,
        facts,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
        (rules, base, sale, shares) => {
          const terms = evaluate({ rules, base }, sale).sale;
          const lines = sale.lines.map(({ net_cents }) => ({ net_cents, refunded_cents: 0 }));
          const amount = sum(sale.lines.map(({ net_cents }) => net_cents));
          const worthAt = (left: number) => amountOf(terms, linesAfterRefunds(left, lines)).cents;
          expect(worthAt(0)).toBe(0);
          const rulesCount = new Set(terms.lines.map(({ rule_id }) => rule_id)).size;
          let former = worthAt(amount);
          for (const share of shares.toSorted((a, b) => b - a)) {
            const now = worthAt(Math.floor(amount * share));
            // Each rule rounds its own share, so a smaller sale can move a cent between rules.
            expect(now).toBeLessThanOrEqual(former + rulesCount);
            former = now;
          }
        },
      ),
    );
  });
});

describe('the lines of a sale', () => {
  it('add up to the amount of the sale, and are never negative', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(20), fc.nat(999_999_999_999)), statedLines, (amount, stated) => {
        const lines = linesOfSale(amount, stated);
        expect(sum(lines.map(({ net_cents }) => net_cents))).toBe(amount);
        expect(lines.every(({ net_cents }) => net_cents >= 0)).toBe(true);
      }),
    );
  });

  const line = (product: string | null, amount_cents: number) => ({
    product,
    price: null,
    interval: null,
    quantity: 1,
    amount_cents,
  });
  const netsOf = (amount: number, ...stated: ReturnType<typeof line>[]) =>
    linesOfSale(amount, stated).map(({ product, net_cents }) => [product, net_cents]);

  it('keep the stated amounts if these add up', () => {
    expect(netsOf(3_000, line('pro', 2_000), line('addon', 1_000))).toEqual([
      ['pro', 2_000],
      ['addon', 1_000],
    ]);
  });

  it('share a discount that no line states in proportion, to the cent', () => {
    expect(netsOf(100, line('a', 100), line('b', 100), line('c', 100))).toEqual([
      ['a', 34],
      ['b', 33],
      ['c', 33],
    ]);
  });

  it('are reduced by a negative line of the same product first, and then all together', () => {
    expect(netsOf(2_500, line('pro', 2_000), line('addon', 1_000), line('pro', -500))).toEqual([
      ['pro', 1_500],
      ['addon', 1_000],
    ]);
    expect(netsOf(600, line('pro', 2_000), line('addon', 1_000), line('pro', -2_400))).toEqual([
      ['pro', 0],
      ['addon', 600],
    ]);
    expect(netsOf(1_500, line('a', 2_000), line('b', 1_000), line(null, -1_500))).toEqual([
      ['a', 1_000],
      ['b', 500],
    ]);
  });

  it('are one line without a product if nothing is stated, or everything is taken back', () => {
    expect(netsOf(700)).toEqual([[null, 700]]);
    expect(netsOf(700, line('pro', 500), line('pro', -900))).toEqual([[null, 700]]);
    expect(netsOf(0, line('pro', 0))).toEqual([[null, 0]]);
  });
});

describe('refunds of lines', () => {
  /** A refund of some cents, which may name a line. */
  interface Refund {
    cents: number;
    line: number | null;
  }

  /** Refunds arrive one by one; only their sums are kept. */
  function leftAfter(nets: number[], refunds: readonly Refund[]): number[] {
    const refunded = nets.map(() => 0);
    let total = 0;
    for (const { cents, line } of refunds) {
      total += cents;
      if (line !== null) refunded[line]! += cents;
    }
    const amount = sum(nets);
    return linesAfterRefunds(
      Math.max(0, amount - total),
      nets.map((net_cents, i) => ({ net_cents, refunded_cents: refunded[i]! })),
    );
  }

  it('end at the same cents in any order, and always add up to what is left of the sale', () => {
    const nets = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 6 });
    const refunds = fc.array(fc.record({ cents: fc.nat(20_000), line: fc.option(fc.nat(5)) }), { maxLength: 6 });
    fc.assert(
      fc.property(nets, refunds, (amounts, all) => {
        const named = all.map(({ cents, line }) => ({ cents, line: line === null ? null : line % amounts.length }));
        const left = leftAfter(amounts, named);
        expect(sum(left)).toBe(Math.max(0, sum(amounts) - sum(named.map(({ cents }) => cents))));
        expect(leftAfter(amounts, named.toReversed())).toEqual(left);
        expect(leftAfter(amounts, [...named.slice(1), ...named.slice(0, 1)])).toEqual(left);
      }),
    );
  });

  it('reduce the line that they name, and all lines in proportion if they name none', () => {
    expect(leftAfter([2_000, 1_000], [{ cents: 1_000, line: 1 }])).toEqual([2_000, 0]);
    expect(leftAfter([2_000, 1_000], [{ cents: 1_500, line: null }])).toEqual([1_000, 500]);
    expect(
      leftAfter(
        [2_000, 1_000],
        [
          { cents: 1_000, line: 1 },
          { cents: 500, line: null },
        ],
      ),
    ).toEqual([1_500, 0]);
  });
});
