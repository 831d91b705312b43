import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportion } from './apportion.ts';
import { proportionOf } from './proportion.ts';

describe('apportion', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [100, [1, 2, 3], [17, 33, 50]],
    [2, [1, 1, 1], [1, 1, 0]],
    [7, [0, 5, 0], [0, 7, 0]],
    [3, [0, 0], [2, 1]],
    [0, [3, 4], [0, 0]],
    [999_999_999_999, [999_999_999_998, 999_999_999_999, 1], [499_999_999_999, 500_000_000_000, 0]],
  ])('divides %i by %j into %j', (total, weights, parts) => {
    expect(apportion(total, weights)).toEqual(parts);
  });

  it('loses nothing, and keeps each part within one unit of its exact proportion', () => {
    const cents = fc.oneof(fc.nat(12), fc.nat(999_999_999_999));
    fc.assert(
      fc.property(cents, fc.array(cents, { minLength: 1, maxLength: 12 }), (total, weights) => {
        const parts = apportion(total, weights);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        if (whole === 0) return;
        for (const [i, weight] of weights.entries())
          expect(Math.abs(parts[i]! - proportionOf(total, weight, whole))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('refuses to divide among nobody', () => {
    expect(() => apportion(1, [])).toThrow(RangeError);
  });
});
