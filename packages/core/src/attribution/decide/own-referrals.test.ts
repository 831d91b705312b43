import { describe, expect, it } from 'vitest';
import type { ClaimFact } from './facts.ts';
import { withOwnReferrals } from './own-referrals.ts';

const on = (day: number) => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;

/** A referral of an affiliate from a day on. */
const referral = (key: string, from: number, more: Partial<ClaimFact> = {}) =>
  ({
    key,
    kind: 'link',
    affiliate_id: 'ada',
    campaign_id: 'camp',
    referral_id: key,
    from: on(from),
    madeAt: on(from),
    expiresAt: on(from + 10),
    deactivatedAt: null,
    isAssigned: false,
    isTest: false,
    isProven: true,
    namedBy: [key],
    standsFor: [],
    ...more,
  }) as unknown as ClaimFact;
/** The referral that an assignment of a sale of the tenth has started. */
const ASSIGNED = referral('assigned', 10, { isAssigned: true, expiresAt: null, namedBy: ['merchant'] });

/** The claims that are left, each with the referrals for which it stands. */
const left = (own: ClaimFact[], conversions = new Map<string, string>()) =>
  withOwnReferrals([...own, ASSIGNED], conversions).map(({ key, standsFor }) => [key, ...standsFor].join(' for '));

describe('a referral that an assignment has started', () => {
  it('gives way to one of the affiliate that was live at the charge', () => {
    expect(left([referral('own', 5)])).toEqual(['own for assigned']);
    expect(left([referral('own', 10)])).toEqual(['own for assigned']);
    expect(left([referral('own', 11)])).toEqual(['own', 'assigned']);
    expect(left([referral('own', 5, { expiresAt: on(10) })])).toEqual(['own', 'assigned']);
    expect(left([referral('own', 5, { expiresAt: null })])).toEqual(['own for assigned']);
  });

  it('gives way to one that had expired, if it had converted before', () => {
    const own = [referral('own', 1, { expiresAt: on(5) })];
    expect(left(own, new Map([['own', on(4)]]))).toEqual(['own for assigned']);
    expect(left(own, new Map([['own', on(5)]]))).toEqual(['own', 'assigned']);
  });

  it.each<[string, Partial<ClaimFact>]>([
    ['another affiliate', { affiliate_id: 'bob' }],
    ['another campaign', { campaign_id: 'other' }],
    ['test mode', { isTest: true }],
    ['a deactivated referral', { deactivatedAt: on(20) }],
    ['a claim that was made later', { madeAt: on(11) }],
    ['another assignment', { isAssigned: true, key: 'zz', referral_id: 'zz' }],
  ])('does not give way to one of %s', (_, more) => {
    expect(left([referral('own', 5, more)])).toHaveLength(2);
  });

  it('gives way to a visit rather than a code, and to the earlier one', () => {
    expect(left([referral('code', 3, { kind: 'code' }), referral('late', 6), referral('own', 5)])).toEqual([
      'code',
      'late',
      'own for assigned',
    ]);
    expect(left([referral('code', 3, { kind: 'code' })])).toEqual(['code for assigned']);
  });

  it('leaves its proof and its names', () => {
    const [proven] = withOwnReferrals([referral('own', 5), ASSIGNED], new Map());
    expect(proven).toMatchObject({ from: on(5), madeAt: on(5), isProven: true, namedBy: ['merchant', 'own'] });
    // A proof replaces the times of a public lead.
    const [lead] = withOwnReferrals([referral('own', 5, { isProven: false }), ASSIGNED], new Map());
    expect(lead).toMatchObject({ from: on(10), madeAt: on(10), isProven: true });
  });
});
