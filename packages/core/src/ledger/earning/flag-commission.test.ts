import { expect, it } from 'vitest';
import type { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { type Doubts, reviewReasonOf } from './flag-commission.ts';

const PARTIES = {
  affiliate: { email: 'ada@example.com', walleta_email: null, walletb_email: null } as Affiliate,
  customerEmails: [],
};
const NONE: Doubts = { isDuplicate: false, isTaxIgnored: false, isUnproven: false, isSuspicious: false };

it('a commission shows the reason that ends last', () => {
  const all: Doubts = { isDuplicate: true, isTaxIgnored: true, isUnproven: true, isSuspicious: true };
  expect(reviewReasonOf(PARTIES, all)).toBe('possible_duplicate');
  expect(reviewReasonOf(PARTIES, { ...all, isDuplicate: false })).toBe('tax_currency');
  expect(reviewReasonOf(PARTIES, { ...all, isDuplicate: false, isTaxIgnored: false })).toBe('unproven_lead');
  expect(reviewReasonOf(PARTIES, { ...NONE, isSuspicious: true })).toBe('suspicious_affiliate');
  expect(reviewReasonOf(PARTIES, NONE)).toBeNull();
});
