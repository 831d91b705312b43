import { expect, test } from 'vitest';
import { toMinorUnit } from './minor-unit.ts';

test.each([
  [1_250, 'ISK', 13],
  [-1_250, 'ISK', -13],
  [1_200, 'UGX', 12],
  [7, 'MGA', 700],
  [1_250, 'USD', 1_250],
])('%d in the provider’s unit of %s is %d', (amount, currency, cents) => {
  expect(toMinorUnit(amount, currency)).toBe(cents);
});
