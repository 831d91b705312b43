import { data } from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { apportion, CURRENCIES, decimalAmount, minorUnitDigits, parseDecimalAmount, proportionOf, shareOf } from './money.ts';

describe('shareOf', () => {
  it('rounds half away from zero', () => {
    expect(shareOf(50, 100)).toBe(1); // 0.5
    expect(shareOf(-50, 100)).toBe(-1);
    expect(shareOf(49, 100)).toBe(0);
    expect(shareOf(-49, 100)).toBe(0);
    expect(shareOf(1999, 1250)).toBe(250); // 249.875
  });

  it('is within half a cent of the exact share, keeps the sign, and is at most the whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
        fc.integer({ min: 0, max: 10_000 }),
        (amount, points) => {
          const share = shareOf(amount, points);
          const error = BigInt(share) * 10_000n - BigInt(amount) * BigInt(points);
          expect(error >= -5_000n && error <= 5_000n).toBe(true);
          expect(Math.abs(share)).toBeLessThanOrEqual(Math.abs(amount));
          expect(share === 0 || Math.sign(share) === Math.sign(amount)).toBe(true);
          expect(shareOf(-amount, points)).toBe(share === 0 ? 0 : -share);
        },
      ),
    );
  });

  it('returns the whole for 100 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (amount) => {
        expect(shareOf(amount, 10_000)).toBe(amount);
      }),
    );
  });
});

describe('decimalAmount', () => {
  it('formats currencies without a minor unit and with three decimals', () => {
    expect(decimalAmount(123_456, 'USD')).toBe('1234.56');
    expect(decimalAmount(1234, 'JPY')).toBe('1234');
    expect(decimalAmount(1234, 'KWD')).toBe('1.234');
    expect(decimalAmount(123_456, 'HUF')).toBe('1234.56');
    expect(decimalAmount(123_456, 'IDR')).toBe('1234.56');
    expect(decimalAmount(-5, 'USD')).toBe('-0.05');
    expect(decimalAmount(0, 'EUR')).toBe('0.00');
  });

  it('loses no precision', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'EUR', 'CLP'),
        (amount, currency) => {
          const text = decimalAmount(amount, currency);
          expect(Number(text.replace('.', ''))).toBe(amount);
          expect((text.split('.')[1] ?? '').length).toBe(minorUnitDigits(currency));
        },
      ),
    );
  });
});

it('minorUnitDigits agrees with ISO 4217 for every currency that the service accepts', () => {
  const digits = new Map(data.map(({ code, digits }) => [code, digits]));
  const wrong = [...new Set([...CURRENCIES, ...digits.keys()])].filter(
    (code) => minorUnitDigits(code) !== (digits.get(code) ?? 2),
  );
  expect(wrong).toEqual([]);
  expect(digits.get('KWD')).toBe(3);
});

describe('parseDecimalAmount', () => {
  it.each([
    ['12.50', 'USD', 1_250],
    ['12,5', 'USD', 1_250],
    [' 12 ', 'USD', 1_200],
    ['0', 'USD', 0],
    ['1000', 'JPY', 1_000],
    ['0.007', 'KWD', 7],
  ])('reads %s in %s as %d', (text, currency, cents) => {
    expect(parseDecimalAmount(text, currency)).toBe(cents);
  });

  it.each([
    ['12.505', 'USD'],
    ['10.5', 'JPY'],
    ['-1', 'USD'],
    ['', 'USD'],
    ['1.000,50', 'EUR'],
    ['ten', 'USD'],
    ['1e3', 'USD'],
  ])('returns null for %s in %s', (text, currency) => {
    expect(parseDecimalAmount(text, currency)).toBeNull();
  });

  it.each(['USD', 'JPY', 'KWD'])('parses the output of decimalAmount in %s', (currency) => {
    for (const cents of [0, 1, 99, 100, 123_456_789])
      expect(parseDecimalAmount(decimalAmount(cents, currency), currency)).toBe(cents);
  });
});

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
