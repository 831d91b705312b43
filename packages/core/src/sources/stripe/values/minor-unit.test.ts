import { expect, test } from 'vitest';
import { toMinorUnit, toProviderAmount } from './minor-unit.ts';

test.each([
  [1_250, 'ISK', 13],
  [-1_250, 'ISK', -13],
  [1_200, 'UGX', 12],
  [7, 'MGA', 700],
  [1_250, 'USD', 1_250],
])('%d in the provider’s unit of %s is %d', (amount, currency, cents) => {
  expect(toMinorUnit(amount, currency)).toBe(cents);
});

test.each([
  [10_000, 'ISK', 1_000_000],
  [10_000, 'MGA', 100],
  [10_000, 'JPY', 10_000],
  [10_000, 'USD', 10_000],
])('%d in the minor unit of %s is %d at the provider, and back', (amount, currency, atProvider) => {
  expect(toProviderAmount(amount, currency)).toBe(atProvider);
  expect(toMinorUnit(atProvider, currency)).toBe(amount);
});
