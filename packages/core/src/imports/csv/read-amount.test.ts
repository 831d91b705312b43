import { expect, test } from 'vitest';
import { readAmount } from './read-values.ts';

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
  ['US$ 7.00', 'USD', 'no_reading'],
  ['$7.00', 'USD', 700],
  ['USD 7.00', 'USD', 700],
  ['-3.10', 'USD', -310],
  ['−3.10', 'USD', -310],
  ['-0', 'USD', 0],
  ['500', 'JPY', 500],
  ['1.500', 'KWD', 'two_readings'],
  ['1,234.500', 'KWD', 1_234_500],
  ['0.500', 'KWD', 500],
  ['7.00 EUR', 'USD', 'no_reading'],
  ['€7.00', 'USD', 'no_reading'],
  ['$7.00', 'CAD', 700],
  ['¥500', 'JPY', 500],
  ['£7', 'GBP', 700],
  ['1.234', 'USD', 'two_readings'],
  ['1,234', 'EUR', 'two_readings'],
  ['1.23.4', 'USD', 'no_reading'],
  ['1,23,456.00', 'USD', 'no_reading'],
  ['12.345', 'EUR', 'two_readings'],
  ['5.5', 'JPY', 'no_reading'],
  ['.', 'USD', 'no_reading'],
  ['', 'USD', 'no_reading'],
  ['twelve', 'USD', 'no_reading'],
  ['=1+1', 'USD', 'no_reading'],
])('%j in %s is %j', (text, currency, cents) => {
  expect(readAmount(text, currency, null)).toBe(cents);
});

test.each([
  ['1.234', ',', 123_400],
  ['1.234', '.', 'no_reading'],
  ['1,234', '.', 123_400],
  ['1.234,50', ',', 123_450],
  ['1,234.50', ',', 'no_reading'],
  ['12.50', ',', 'no_reading'],
] as const)('%j with decimals after %j is %j', (text, decimal, cents) => {
  expect(readAmount(text, 'EUR', decimal)).toBe(cents);
});
