import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proportionOf } from './proportion.ts';

test.each([
  [190, 1_000, 2_000, 95],
  [5, 1, 2, 3],
  [-5, 1, 2, -3],
  [-250, 1, 100, -3],
  [-1, 1, 3, 0],
  [999_999_999_998, 999_999_999_997, 999_999_999_999, 999_999_999_996],
])('%d × %d ÷ %d is %d', (amount, part, whole, share) => {
  expect(proportionOf(amount, part, whole)).toBe(share);
});

test('is within half a unit of the exact quotient, and symmetric around zero', () => {
  const cents = fc.integer({ min: 1, max: 999_999_999_999 });
  fc.assert(
    fc.property(cents, cents, cents, (amount, part, whole) => {
      fc.pre(part <= whole);
      const share = proportionOf(amount, part, whole);
      const error = 2n * (BigInt(share) * BigInt(whole) - BigInt(amount) * BigInt(part));
      expect(error > -BigInt(whole) && error <= BigInt(whole)).toBe(true);
      expect(proportionOf(-amount, part, whole) + share).toBe(0);
    }),
  );
});
