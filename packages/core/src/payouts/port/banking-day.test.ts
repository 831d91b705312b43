import { expect, it } from 'vitest';
import { bankingDay, dayAfter } from './bank-files.ts';

it.each([
  ['2026-11-27T23:59:59.999Z', '2026-11-27'],
  ['2026-11-28T00:00:00.000Z', '2026-11-30'],
  ['2026-11-29T12:00:00.000Z', '2026-11-30'],
  ['2026-11-30T00:00:00.000Z', '2026-11-30'],
  ['2026-12-31T12:00:00.000Z', '2026-12-31'],
])('a payment of %s is asked for on %s', (at, day) => {
  expect(bankingDay(at)).toBe(day);
});

it('the day after the last one of a month is the first of the next', () => {
  expect(dayAfter('2026-11-30T12:00:00.000Z')).toBe('2026-12-01T12:00:00.000Z');
});
