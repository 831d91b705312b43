import { describe, expect, it } from 'vitest';
import type { ReviewReason } from '../commissions/commission.entity.ts';
import { type Doubts, flagFor, reviewReasonsOf } from './flag-commission.ts';

const ADA = ['ada@example.com'];
const NONE: Doubts = {
  isDisputed: false,
  isDuplicate: false,
  isTaxIgnored: false,
  isCrowded: false,
  isUnproven: false,
  isUnverified: false,
  isSuspicious: false,
};

it('a commission shows the reason that ends last', () => {
  const all: Doubts = {
    isDisputed: true,
    isDuplicate: true,
    isTaxIgnored: true,
    isCrowded: true,
    isUnproven: true,
    isUnverified: true,
    isSuspicious: true,
  };
  expect(reviewReasonsOf(ADA, ['Ada+x@example.com', 'ada@example.com'], all)).toEqual([
    'dispute',
    'self_referral',
    'possible_duplicate',
    'tax_currency',
    'crowded_network',
    'unproven_lead',
    'unverified_address',
    'suspicious_affiliate',
  ]);
  expect(reviewReasonsOf(ADA, ['bob@example.com'], { ...NONE, isSuspicious: true })).toEqual(['suspicious_affiliate']);
  expect(reviewReasonsOf(ADA, [], NONE)).toEqual([]);
});

describe('the flag of a commission', () => {
  const NONE_YET = { state: 'pending', review_status: null, review_reason: null } as const;
  const flagged = (review_reason: ReviewReason) => ({ ...NONE_YET, review_status: 'suspicious', review_reason }) as const;

  it('follows the first reason that holds', () => {
    expect(flagFor(NONE_YET, ['crowded_network', 'suspicious_affiliate'])).toBe('crowded_network');
    expect(flagFor(flagged('crowded_network'), ['suspicious_affiliate'])).toBe('suspicious_affiliate');
    expect(flagFor(flagged('crowded_network'), [])).toBeNull();
  });

  it('is not that of a dispute, which flags by itself', () => {
    expect(flagFor(NONE_YET, ['dispute'])).toBeNull();
    expect(flagFor(NONE_YET, ['dispute', 'tax_currency'])).toBe('tax_currency');
    expect(flagFor(flagged('dispute'), [])).toBeUndefined();
  });

  it('stays on a self-referral until a person has looked at it', () => {
    expect(flagFor(flagged('self_referral'), [])).toBe('self_referral');
    expect(flagFor(flagged('self_referral'), ['possible_duplicate'])).toBe('self_referral');
    expect(flagFor({ ...flagged('self_referral'), review_status: 'approved' }, ['self_referral'])).toBeUndefined();
  });
});
