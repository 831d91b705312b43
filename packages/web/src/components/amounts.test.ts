import { describe, expect, it } from 'vitest';
import { formatMoney, formatRoughly } from './amounts.ts';

/** Removes everything but digits and separators, because the currency symbol depends on the machine's locale. */
const digitsOf = (text: string) => text.replaceAll(/[^\d.,-]/g, '');

describe('formatMoney', () => {
  it.each([
    [123_456, 'USD', '1,234.56'],
    [-5, 'USD', '-0.05'],
    [0, 'EUR', '0.00'],
    [123_456, 'JPY', '123,456'],
    [1_234_567, 'KWD', '1,234.567'],
    [7, 'KWD', '0.007'],
    // `Intl` shows this currency without decimals by default, although ISO 4217 gives it two.
    [12_345, 'COP', '123.45'],
    // Dividing this amount by 100 in floating point would lose digits.
    [9_007_199_254_740_991, 'USD', '90,071,992,547,409.91'],
  ])('%d %s is %s', (cents, currency, text) => {
    expect(digitsOf(formatMoney(cents, currency))).toBe(text);
  });
});

it('rounds amounts for the axes of charts', () => {
  expect(digitsOf(formatRoughly(150_000, 'USD'))).toBe('1.5');
  expect(digitsOf(formatRoughly(1_500, 'JPY'))).toBe('1.5');
});
