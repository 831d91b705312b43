import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type InvoicePart, splitOutside, splitTax } from './split-tax.ts';

test.each([
  [380, [2380], [380]],
  [100, [1000, 1000, 1000], [33, 34, 33]],
  [0, [500, 500], [0, 0]],
  [10, [], []],
])('a tax of %d is split over the payments %j as %j', (tax, amounts, shares) => {
  expect(splitTax(tax, amounts)).toEqual(shares);
});

test('the shares add up to the tax, and each is at most its payment', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 6 }),
      fc.float({ min: 0, max: 1, noNaN: true }),
      (amounts, rate) => {
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        const tax = Math.floor(total * rate);
        const shares = splitTax(tax, amounts);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(tax);
        expect(shares.every((share, i) => share >= 0 && share <= (amounts[i] ?? 0) + 1)).toBe(true);
      },
    ),
  );
});

test.each([
  [[], 100, []],
  [[40], 60, [8]],
  [[40, 60], 0, [8, 12]],
  [[150], 0, [20]],
])('an amount of 100 with a tax of 20, of which %j were paid at the provider, leaves %i outside', (known, amount, inside) => {
  const split = splitOutside({ amount: 100, tax: 20, shipping: null }, known);
  expect([split.rest.amount, split.inside.map(({ tax }) => tax)]).toEqual([amount, inside]);
});

test('loses no tax and no shipping, and leaves the same rest in any order of the payments', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 4 });
  const part = fc.record({
    amount: fc.integer({ min: 1, max: 1_000 }),
    tax: fc.integer({ min: 0, max: 200 }),
    shipping: fc.option(fc.record({ amount: fc.integer({ min: 1, max: 100 }), tax: fc.integer({ min: 0, max: 20 }) })),
  });
  fc.assert(
    fc.property(part, amounts, (whole, known) => {
      const { rest, inside } = splitOutside(whole, known);
      const sum = (of: (each: InvoicePart) => number) => [...inside, rest].reduce((total, each) => total + of(each), 0);
      expect(sum(({ tax }) => tax)).toBe(whole.tax);
      expect(sum(({ shipping }) => shipping?.amount ?? 0)).toBe(whole.shipping?.amount ?? 0);
      expect(sum(({ shipping }) => shipping?.tax ?? 0)).toBe(whole.shipping?.tax ?? 0);
      expect(splitOutside(whole, known.toReversed()).rest.amount).toBe(rest.amount);
      const oneByOne = known.reduce((left, each) => splitOutside(left, [each]).rest, whole);
      expect(oneByOne.amount).toBe(rest.amount);
    }),
  );
});
