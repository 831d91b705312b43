import { expect, test } from 'vitest';
import { readAmount } from './read-amount.ts';

test.each([
  ['12', 'USD', 1_200],
  ['12.5', 'USD', 1_250],
  ['12,50', 'EUR', 1_250],
  ['1,234.50', 'USD', 123_450],
  ['1.234,50', 'EUR', 123_450],
  ['1.234.567', 'EUR', 123_456_700],
  ['1,234,567.8', 'USD', 123_456_780],
  ["1'234.50", 'CHF', 123_450],
  ['1 234,50 €', 'EUR', 123_450],
  ['US$ 7.00', 'USD', null],
  ['$7.00', 'USD', 700],
  ['USD 7.00', 'USD', 700],
  ['-3.10', 'USD', -310],
  ['−3.10', 'USD', -310],
  ['-0', 'USD', 0],
  ['500', 'JPY', 500],
  ['1.500', 'KWD', 1_500],
  // Two readings, or none.
  ['1.234', 'USD', null],
  ['1,234', 'EUR', null],
  ['1.23.4', 'USD', null],
  ['1,23,456.00', 'USD', null],
  ['12.345', 'EUR', null],
  ['5.5', 'JPY', null],
  ['.', 'USD', null],
  ['', 'USD', null],
  ['twelve', 'USD', null],
  ['=1+1', 'USD', null],
])('%j in %s is %j', (text, currency, cents) => {
  expect(readAmount(text, currency)).toBe(cents);
});
