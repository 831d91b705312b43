import { expect, it } from 'vitest';
import { type Doubts, reviewReasonsOf } from './flag-commission.ts';

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
