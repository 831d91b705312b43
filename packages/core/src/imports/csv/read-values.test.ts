import { expect, test } from 'vitest';
import { readAmount, readTime } from './read-values.ts';

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

function told(...[text, order]: Parameters<typeof readTime>): string {
  const read = readTime(text, order);
  return read instanceof Date ? read.toISOString() : read;
}

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31 10:00:00.123 UTC', '2026-01-31T10:00:00.000Z'],
  ['2026/1/5', '2026-01-05T00:00:00.000Z'],
  ['31.01.2026', '2026-01-31T00:00:00.000Z'],
  ['1. 2. 2026, 14:05', '2026-02-01T14:05:00.000Z'],
  ['1/31/2026 2:05 PM', '2026-01-31T14:05:00.000Z'],
  ['31/01/2026 12:00 am', '2026-01-31T00:00:00.000Z'],
  ['31 Jan 2026', '2026-01-31T00:00:00.000Z'],
  ['3. März 2026', '2026-03-03T00:00:00.000Z'],
  ['January 31st, 2026', '2026-01-31T00:00:00.000Z'],
  ['02/02/2026', '2026-02-02T00:00:00.000Z'],
  ['01/02/2026', 'two_readings'],
  ['1-2-2026', 'two_readings'],
  ['13/13/2026', 'no_reading'],
  ['2026-02-30', 'no_reading'],
  ['30.02.2026', 'no_reading'],
  ['01/02/26', 'no_reading'],
  ['31 Foo 2026', 'no_reading'],
  ['yesterday', 'no_reading'],
  ['=TODAY()', 'no_reading'],
])('%j is %j', (text, time) => {
  expect(told(text, null)).toBe(time);
});

test.each([
  ['01/02/2026', 'day_first', '2026-02-01T00:00:00.000Z'],
  ['01/02/2026', 'month_first', '2026-01-02T00:00:00.000Z'],
  ['01.02.2026', 'month_first', '2026-01-02T00:00:00.000Z'],
  ['31/01/2026', 'month_first', 'no_reading'],
] as const)('%j with %s is %j', (text, order, time) => {
  expect(told(text, order)).toBe(time);
});
