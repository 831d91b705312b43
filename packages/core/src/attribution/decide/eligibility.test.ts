import { describe, expect, it } from 'vitest';
import { isSuspiciousAt, obstacleAt, eligibilityOf } from './eligibility.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const CAMPAIGN = { current: { archived: false }, former: [] };

/** Returns the eligibility of an affiliate who had each of the states for ten seconds, the last one until now. */
function inTurn(...states: ('pending' | 'active' | 'disabled' | 'suspicious' | 'rejected')[]) {
  const former = states.slice(0, -1).map((state, index) => ({ state, archived: false, until: at(10 * (index + 1)) }));
  const eligibility = eligibilityOf({ current: { state: states.at(-1)!, archived: false }, former }, CAMPAIGN);
  return states.map((_, index) => {
    const time = at(10 * index + 5);
    return obstacleAt(eligibility, time) ?? (isSuspiciousAt(eligibility, time) ? 'held' : 'earns');
  });
}

describe('the eligibility of an affiliate', () => {
  it('holds what a suspicious affiliate earns, and refuses in all other states but active', () => {
    const refused = 'affiliate_inactive';
    expect(inTurn('active', 'suspicious')).toEqual(['earns', 'held']);
    expect(inTurn('pending', 'disabled', 'rejected', 'suspicious')).toEqual([refused, refused, refused, 'held']);
  });

  it('holds until the affiliate is active again, even if another state comes first', () => {
    expect(inTurn('suspicious', 'active')).toEqual(['earns', 'earns']);
    expect(inTurn('suspicious', 'disabled')).toEqual(['held', 'affiliate_inactive']);
    expect(inTurn('suspicious', 'disabled', 'active')).toEqual(['earns', 'affiliate_inactive', 'earns']);
    expect(inTurn('suspicious', 'active', 'suspicious')).toEqual(['earns', 'earns', 'held']);
  });

  it('refuses an archived affiliate, even a suspicious one', () => {
    const eligibility = eligibilityOf({ current: { state: 'suspicious', archived: true }, former: [] }, CAMPAIGN);
    expect(obstacleAt(eligibility, at(0))).toBe('affiliate_inactive');
  });
});
