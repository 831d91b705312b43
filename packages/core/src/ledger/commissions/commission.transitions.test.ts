import { expect, it } from 'vitest';
import { type Commission, isContested } from './commission.entity.ts';
import { contestOf, disputeFlag, isPayable, mayBeFlagged } from './commission.transitions.ts';

type Review = Pick<Commission, 'review_status' | 'review_reason'>;

const UNREVIEWED: Review = { review_status: null, review_reason: null };
const AUTOMATIC: Review = { review_status: 'suspicious', review_reason: 'self_referral' };
const BY_HAND: Review = { review_status: 'suspicious', review_reason: null };
const DISPUTED: Review = { review_status: 'suspicious', review_reason: 'dispute' };
const APPROVED: Review = { review_status: 'approved', review_reason: null };
const APPROVED_IN_DISPUTE: Review = { review_status: 'approved', review_reason: 'dispute' };

it.each([
  ['without a review', UNREVIEWED, true],
  ['with another automatic flag', AUTOMATIC, true],
  ['with the flag of a person', BY_HAND, false],
  ['with the flag of the dispute', DISPUTED, false],
  ['that was approved before the dispute', APPROVED, true],
  ['that was approved despite the dispute', APPROVED_IN_DISPUTE, false],
] as const)('a dispute holds a commission %s: %s', (_, review, isHeld) => {
  expect(disputeFlag({ ...review, amount_cents: 1 })).toEqual(isHeld ? DISPUTED : null);
  // What takes money back is not held.
  expect(disputeFlag({ ...review, amount_cents: 0 })).toBeNull();
  expect(disputeFlag({ ...review, amount_cents: -1 })).toBeNull();
});

it.each([
  ['without a review', UNREVIEWED, true],
  ['with an automatic flag', AUTOMATIC, true],
  ['with the flag of a person', BY_HAND, false],
  ['with the flag of a dispute', DISPUTED, false],
  ['that a person approved', APPROVED, false],
  ['with a flag that a person has looked at', { ...AUTOMATIC, review_status: 'approved' }, false],
] as const)('the service may flag an unpaid commission %s: %s', (_, review, may) => {
  for (const state of ['pending', 'due'] as const) expect(mayBeFlagged({ ...review, state })).toBe(may);
  for (const state of ['paid', 'voided'] as const) expect(mayBeFlagged({ ...review, state })).toBe(false);
});

it('only what is due and not flagged is paid', () => {
  for (const review of [UNREVIEWED, APPROVED, APPROVED_IN_DISPUTE]) expect(isPayable({ ...review, state: 'due' })).toBe(true);
  for (const review of [AUTOMATIC, BY_HAND, DISPUTED]) expect(isPayable({ ...review, state: 'due' })).toBe(false);
  for (const state of ['pending', 'paid', 'voided'] as const) expect(isPayable({ ...UNREVIEWED, state })).toBe(false);
});

it('facts contradict only what is paid, until a person decides that it stands', () => {
  const contested = { affiliate_id: null, amount_cents: 0 };
  expect(isContested({ state: 'paid', contested })).toBe(true);
  expect(isContested({ state: 'paid', contested: { ...contested, kept: true } })).toBe(false);
  expect(isContested({ state: 'paid', contested: null })).toBe(false);
  expect(isContested({ state: 'due', contested })).toBe(false);
  const refused = (of: Partial<Commission>) => () => contestOf(of as Commission);
  expect(refused({ state: 'paid', contested })()).toBe(contested);
  expect(refused({ state: 'due', contested })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  expect(refused({ state: 'paid', contested: null })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});
