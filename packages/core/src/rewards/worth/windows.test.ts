import { expect, test } from 'vitest';
import { closedPeriodBefore, periodOf, wholeMonths } from './windows.ts';

const start = (day: string) => `${day}T00:00:00.000Z`;

test.each([
  ['month', '2026-11-30T23:59:59.999Z', '2026-11-01', '2026-12-01'],
  ['month', '2026-12-01T00:00:00.000Z', '2026-12-01', '2027-01-01'],
  ['quarter', '2026-03-31T23:59:59.999Z', '2026-01-01', '2026-04-01'],
  ['quarter', '2026-11-27T12:00:00.000Z', '2026-10-01', '2027-01-01'],
  ['year', '2026-11-27T12:00:00.000Z', '2026-01-01', '2027-01-01'],
] as const)('the %s of %s begins on %s and ends before %s', (window, at, from, until) => {
  expect(periodOf(window, at)).toEqual({ from: start(from), until: start(until) });
});

test.each([
  ['month', '2026-01-15T12:00:00.000Z', '2025-12-01', '2026-01-01'],
  ['quarter', '2026-02-15T12:00:00.000Z', '2025-10-01', '2026-01-01'],
] as const)('the closed %s before %s begins on %s and ends before %s', (window, at, from, until) => {
  expect(closedPeriodBefore(window, at)).toEqual({ from: start(from), until: start(until) });
});

test('without a window, everything before the month counts', () => {
  expect(periodOf('ever', '2026-11-27T12:00:00.000Z')).toEqual({ from: null, until: null });
  expect(closedPeriodBefore('ever', '2026-11-27T12:00:00.000Z')).toEqual({ from: null, until: start('2026-11-01') });
});

test.each([
  ['2026-01-31T10:00:00.000Z', '2026-02-28T09:59:59.999Z', 0],
  ['2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z', 1],
  ['2026-01-15T10:00:00.000Z', '2027-01-15T09:59:59.000Z', 11],
  ['2026-01-15T10:00:00.000Z', '2027-01-15T10:00:00.000Z', 12],
  ['2026-03-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0],
])('from %s to %s are %i whole months', (from, to, months) => {
  expect(wholeMonths(from, to)).toBe(months);
});
