import { describe, expect, it } from 'vitest';
import { counted, labelOf, optionsOf } from './labels.ts';

describe('labelOf', () => {
  it.each([
    ['due', 'Due'],
    ['partially_completed', 'Partially completed'],
    ['suspicious', 'Flagged'],
    ['test mode', 'Test mode'],
  ])('shows %s as %s', (value, label) => {
    expect(labelOf(value)).toBe(label);
  });
});

describe('optionsOf', () => {
  it('keeps the value beside its label', () => {
    expect(optionsOf(['pending', 'paid'])).toEqual([
      { value: 'pending', label: 'Pending' },
      { value: 'paid', label: 'Paid' },
    ]);
  });
});

describe('counted', () => {
  it.each([
    [0, 'payout', '0 payouts'],
    [1, 'payout', '1 payout'],
    [2, 'payout', '2 payouts'],
    [1, 'delivery', '1 delivery'],
    [3, 'delivery', '3 deliveries'],
    [30, 'day', '30 days'],
  ])('writes %d of %s as %s', (count, noun, text) => {
    expect(counted(count, noun)).toBe(text);
  });
});
