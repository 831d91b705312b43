import { expect, it } from 'vitest';
import type { AttemptState } from '../../ledger/payouts/payout-attempt.entity.ts';
import { stateAfter, type Word } from './rail.ts';

const WORDS = ['sent', 'in_transit', 'unclaimed', 'arrived', 'returned', 'failed'] as const satisfies Word['state'][];

/** The states that an attempt has after each word, in their order. Null: it stays as it is. */
const after = (state: AttemptState) => WORDS.map((word) => stateAfter(state, { state: word, raw_state: '' }));

it.each(['sent', 'unknown', 'in_transit', 'unclaimed'] as const)(
  'a payment that is %s follows every word of its rail',
  (state) => {
    expect(after(state)).toEqual(WORDS);
  },
);

it('a payment that has arrived can only come back, whatever the rail calls that', () => {
  expect(after('arrived')).toEqual([null, null, null, null, 'returned', 'returned']);
});

it.each(['prepared', 'approved', 'failed', 'returned', 'withdrawn'] as const)('a payment that is %s follows no word', (state) => {
  expect(after(state)).toEqual(WORDS.map(() => null));
});
