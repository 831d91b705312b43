import { expect, test } from 'vitest';
import { readTime } from './read-values.ts';

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
