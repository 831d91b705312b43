import { describe, expect, it } from 'vitest';
import { labelOf, optionsOf } from './labels.ts';

describe('labelOf', () => {
  it.each([
    ['due', 'Due'],
    ['partially_completed', 'Partially completed'],
    ['suspicious', 'Flagged'],
    ['test_mode', 'Test mode'],
    ['unheard_of', 'Unheard of'],
  ])('shows %s as %s', (value, label) => {
    expect(labelOf(value)).toBe(label);
  });
});

describe('optionsOf', () => {
  it('returns each value with its label', () => {
    expect(optionsOf(['pending', 'paid'])).toEqual([
      { value: 'pending', label: 'Pending' },
      { value: 'paid', label: 'Paid' },
    ]);
  });
});
