import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesAfterRefunds, linesOfSale, type StatedLine } from './sale-lines.ts';

function stated(product: string | null, amount_cents: number, more: Partial<StatedLine> = {}): StatedLine {
  return { product, price: null, interval: null, quantity: 1, amount_cents, ...more };
}

/** The amounts of the lines of a sale, by product. */
function amounts(amountCents: number, lines: readonly StatedLine[]): [string | null, number][] {
  return linesOfSale(amountCents, lines).map(({ product, net_cents }) => [product, net_cents]);
}

describe('the lines of a sale', () => {
  it('have the stated amounts, and keep what was stated about them', () => {
    const line = stated('pro', 700, { price: 'monthly', name: 'Pro', interval: 'month', quantity: 3 });
    expect(linesOfSale(1_000, [line, stated('add-on', 300)])).toEqual([
      { product: 'pro', price: 'monthly', name: 'Pro', interval: 'month', quantity: 3, net_cents: 700 },
      { product: 'add-on', price: null, interval: null, quantity: 1, net_cents: 300 },
    ]);
  });

  it('leave out lines of nothing, also beside a discount', () => {
    expect(amounts(1_000, [stated('pro', 1_000), stated('gift', 0)])).toEqual([['pro', 1_000]]);
    expect(amounts(900, [stated('pro', 1_000), stated('gift', 0), stated('gift', -100)])).toEqual([['pro', 900]]);
  });

  it('share a discount that no line states in proportion, and keep the stated amounts beside it', () => {
    expect(linesOfSale(900, [stated('pro', 700), stated('add-on', 300)])).toMatchObject([
      { product: 'pro', net_cents: 630, recorded_cents: 700 },
      { product: 'add-on', net_cents: 270, recorded_cents: 300 },
    ]);
    // One line keeps its amount, but the other does not.
    expect(linesOfSale(1_001, [stated('pro', 1_000), stated('add-on', 1)])).not.toHaveProperty('0.recorded_cents');
    expect(linesOfSale(1_002, [stated('pro', 1_000), stated('add-on', 1)])).toHaveProperty('1.recorded_cents', 1);
  });

  it('are reduced by negative lines of the same product first, then by what these leave', () => {
    const lines = [stated('pro', 500), stated('add-on', 500)];
    expect(amounts(800, [...lines, stated('pro', -200)])).toEqual([
      ['pro', 300],
      ['add-on', 500],
    ]);
    expect(amounts(300, [...lines, stated('pro', -700)])).toEqual([
      ['pro', 0],
      ['add-on', 300],
    ]);
    // A negative line without a product, or of a product that was not sold, reduces all lines.
    for (const product of [null, 'credit'])
      expect(amounts(800, [...lines, stated(product, -200)])).toEqual([
        ['pro', 400],
        ['add-on', 400],
      ]);
    expect(amounts(800, [stated(null, 500), stated('add-on', 500), stated(null, -200)])).toEqual([
      [null, 400],
      ['add-on', 400],
    ]);
  });

  it('are one line without a product if no line has an amount', () => {
    const whole = [{ product: null, price: null, interval: null, quantity: 1, net_cents: 1_000 }];
    for (const lines of [[], [stated('pro', 0)], [stated('pro', 300), stated('pro', -300)]])
      expect(linesOfSale(1_000, lines)).toEqual(whole);
  });

  const line = fc.record({ product: fc.constantFrom('a', 'b', null), amount: fc.integer({ min: -500, max: 1_000 }) });

  it('add up to the amount of the sale, whatever the order of the negative lines', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.integer({ min: 0, max: 3_000 }), (lines, amountCents) => {
        const each = lines.map(({ product, amount }) => stated(product, amount));
        const found = linesOfSale(amountCents, each);
        expect(found.reduce((sum, { net_cents }) => sum + net_cents, 0)).toBe(amountCents);
        expect(found.every(({ net_cents }) => net_cents >= 0)).toBe(true);
        const [plus, minus] = [each.filter((one) => one.amount_cents > 0), each.filter((one) => one.amount_cents <= 0)];
        expect(linesOfSale(amountCents, [...plus, ...minus.toReversed()])).toEqual(found);
      }),
    );
  });
});

describe('what refunds leave of the lines', () => {
  const lines = (...of: [net: number, refunded: number][]) =>
    of.map(([net_cents, refunded_cents]) => ({ net_cents, refunded_cents }));

  it('is reduced by the refunds that name the line, then by the others in proportion', () => {
    expect(linesAfterRefunds(700, lines([500, 300], [500, 0]))).toEqual([200, 500]);
    expect(linesAfterRefunds(350, lines([500, 300], [500, 0]))).toEqual([100, 250]);
  });

  it('is divided by the amounts of the lines if the refunds that name lines leave nothing of any', () => {
    expect(linesAfterRefunds(100, lines([300, 300], [100, 150]))).toEqual([75, 25]);
  });

  it('is nothing for a line that is refunded in full, also if the other lines have only a cent', () => {
    expect(linesAfterRefunds(1, lines([500, 500], [1, 0]))).toEqual([0, 1]);
  });
});
