import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitTax } from './split-tax.ts';

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
