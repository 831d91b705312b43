import { describe, expect, it } from 'vitest';
import { milestoneChanges, milestonesAt, type Reached, type RewardedMilestone, timesReached } from './milestones.ts';
import type { RuleVersion } from './rule-versions.ts';

const on = (day: number) => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const usd = (amount_cents: number) => ({ kind: 'fixed', amount_cents, currency: 'USD', per: 'sale' }) as const;

/** A version of a rule that pays for every tenth customer. */
function version(number: number, from: number, more: Partial<RuleVersion> = {}): RuleVersion {
  return {
    id: 'r',
    campaign_id: 'camp',
    version: number,
    in_force_from: on(from),
    ended: false,
    event: 'milestone',
    link_id: null,
    affiliate_id: null,
    position: 0,
    when: {},
    pay: usd(500),
    apply: 'instead',
    cap: null,
    milestone: { metric: 'customers', window: 'ever', every: 10 },
    hold_days: null,
    from: null,
    until: null,
    ...more,
  };
}

/** The periods, by days of November, in which charges count for the milestones for which one of a day counts. */
const counts = (versions: RuleVersion[], day: number, affiliate_id = 'ada') =>
  milestonesAt(versions, { at: on(day), affiliate_id }).map(({ since, until }) =>
    [since, until].map((at) => at?.slice(5, 10) ?? null),
  );

describe('a milestone', () => {
  it('counts the charges since its rule was created', () => {
    expect(counts([version(1, 5)], 4)).toEqual([]);
    expect(counts([version(1, 5)], 5)).toEqual([['11-05', null]]);
    expect(counts([version(1, 5)], 20)).toEqual([['11-05', null]]);
  });

  it.each<[string, Partial<RuleVersion>]>([
    ['what it counts', { milestone: { metric: 'sales', window: 'ever', every: 10 } }],
    ['how many it counts', { milestone: { metric: 'customers', window: 'ever', every: 20 } }],
    ['what it pays', { pay: usd(600) }],
    ['the tiers', { when: { tier: ['gold'] } }],
    ['its beginning', { from: on(1) }],
  ])('counts anew when %s changes', (_, change) => {
    const versions = [version(2, 10, change), version(1, 5)];
    expect(counts(versions, 9)).toEqual([['11-05', '11-10']]);
    expect(counts(versions, 10)).toEqual([['11-10', null]]);
  });

  it('ends with its rule, with the period that the rule names, or with its window, whichever comes first', () => {
    expect(counts([version(2, 20, { pay: usd(600) }), version(1, 5, { until: on(15) })], 6)).toEqual([['11-05', '11-15']]);
    expect(counts([version(2, 12, { pay: usd(600) }), version(1, 5, { until: on(15) })], 6)).toEqual([['11-05', '11-12']]);
    expect(counts([version(1, 5, { until: on(15) })], 15)).toEqual([]);
    const monthly = { milestone: { metric: 'customers', window: 'month', every: 10 } } as const;
    expect(counts([version(1, 5, monthly)], 6)).toEqual([['11-05', '12-01']]);
    expect(counts([version(1, 5, { ...monthly, until: on(15) })], 6)).toEqual([['11-05', '11-15']]);
  });

  it('counts by the versions of its own rule alone', () => {
    const other = version(1, 8, { id: 's', pay: usd(600) });
    expect(counts([other, version(1, 5)], 9)).toEqual([
      ['11-08', null],
      ['11-05', null],
    ]);
    expect(counts([version(2, 8, { id: 's', pay: usd(600) }), version(1, 5, { id: 's' }), version(1, 3)], 6)).toEqual([
      ['11-05', '11-08'],
      ['11-03', null],
    ]);
  });

  it('counts on when something else changes', () => {
    const versions = [
      version(4, 12, { pay: usd(600) }),
      version(3, 10, { position: 2 }),
      version(2, 8, { position: 1 }),
      version(1, 5),
    ];
    for (const day of [5, 8, 10, 11]) expect(counts(versions, day)).toEqual([['11-05', '11-12']]);
    expect(counts(versions, 12)).toEqual([['11-12', null]]);
  });

  it('counts anew when its rule goes on after another count', () => {
    const versions = [version(3, 12), version(2, 8, { pay: usd(600) }), version(1, 5)];
    expect([5, 8, 12].map((day) => counts(versions, day)[0])).toEqual([
      ['11-05', '11-08'],
      ['11-08', '11-12'],
      ['11-12', null],
    ]);
  });

  it('ends with its rule', () => {
    const versions = [version(2, 10, { ended: true }), version(1, 5)];
    expect(counts(versions, 9)).toEqual([['11-05', '11-10']]);
    expect(counts(versions, 10)).toEqual([]);
  });

  it('counts within the period of its rule and its window', () => {
    expect(counts([version(1, 5, { from: on(7), until: on(20) })], 8)).toEqual([['11-07', '11-20']]);
    expect(counts([version(1, 5, { from: on(7) })], 6)).toEqual([]);
    expect(counts([version(1, 5, { from: on(3), until: on(20) })], 8)).toEqual([['11-05', '11-20']]);
    const monthly = { milestone: { metric: 'customers', window: 'month', every: 10 } } as const;
    expect(counts([version(1, 5, monthly)], 8)).toEqual([['11-05', '12-01']]);
    expect(counts([version(1, 5, { ...monthly, from: on(7), until: on(20) })], 8)).toEqual([['11-07', '11-20']]);
    const old = { ...version(1, 1, monthly), in_force_from: '2026-10-05T12:00:00.000Z' };
    expect(counts([old], 8)).toEqual([['11-01', '12-01']]);
  });

  it('counts for the affiliate of its rule, and not for links', () => {
    const versions = [version(1, 5, { affiliate_id: 'ada' })];
    expect([counts(versions, 6).length, counts(versions, 6, 'bob').length]).toEqual([1, 0]);
    expect(counts([version(1, 5, { link_id: 'link' })], 6)).toEqual([]);
  });

  it('says what each time pays, and for charges of which tiers', () => {
    const versions = [version(1, 5, { when: { tier: ['gold'] } }), version(1, 5, { id: 's', event: 'sale' })];
    expect(milestonesAt(versions, { at: on(6), affiliate_id: 'ada' })).toEqual([
      {
        rule_id: 'r',
        milestone: { metric: 'customers', window: 'ever', every: 10 },
        pay: usd(500),
        tier: ['gold'],
        since: on(5),
        until: null,
      },
    ]);
    expect(milestonesAt([version(1, 5)], { at: on(6), affiliate_id: 'ada' })[0]!.tier).toBeNull();
  });
});

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`;
const reached = (...charges: [n: number, times: number][]): Reached[] => charges.map(([n, times]) => ({ at: day(n), times }));
const rewarded = (n: number, times: number, isOpen = true): RewardedMilestone => ({ at: day(n), times, isOpen });

describe('the changes of a milestone', () => {
  it('are none if its commissions are those of the charges that reach it', () => {
    expect(milestoneChanges([rewarded(1, 2), rewarded(3, 1)], reached([1, 2], [3, 1]))).toEqual({
      undone: [],
      moved: [],
      added: [],
    });
  });

  it('create what is missing, and undo what is too much', () => {
    expect(milestoneChanges([], reached([1, 2]))).toEqual({ undone: [], moved: [], added: reached([1, 2]) });
    expect(milestoneChanges([rewarded(1, 2)], [])).toEqual({ undone: [rewarded(1, 2)], moved: [], added: [] });
    expect(milestoneChanges([rewarded(1, 2)], reached([1, 1]))).toEqual({
      undone: [rewarded(1, 2)],
      moved: [],
      added: reached([1, 1]),
    });
  });

  it('move a commission to the charge that reaches it now', () => {
    expect(milestoneChanges([rewarded(3, 1)], reached([2, 1]))).toEqual({
      undone: [],
      moved: [{ rewarded: rewarded(3, 1), at: day(2) }],
      added: [],
    });
  });

  it('pay nothing twice for commissions that facts cannot change', () => {
    expect(milestoneChanges([rewarded(3, 1, false)], reached([2, 1]))).toEqual({ undone: [], moved: [], added: [] });
    expect(milestoneChanges([rewarded(3, 1, false)], reached([2, 1], [3, 1]))).toEqual({
      undone: [],
      moved: [],
      added: reached([2, 1]),
    });
    expect(milestoneChanges([rewarded(2, 2, false), rewarded(3, 1)], reached([2, 1], [3, 1]))).toEqual({
      undone: [rewarded(3, 1)],
      moved: [],
      added: [],
    });
  });

  it('lead to as many times as charges reach, and to their times, whatever was there before', () => {
    const amounts = [0, 1, 2];
    for (const a of amounts)
      for (const b of amounts)
        for (const c of amounts)
          for (const d of amounts) {
            const before = [rewarded(1, a), rewarded(2, b)].filter(({ times }) => times > 0);
            const charges = reached([2, c], [3, d]).filter(({ times }) => times > 0);
            const { undone, moved, added } = milestoneChanges(before, charges);
            const kept = before.filter((each) => !undone.includes(each) && !moved.some(({ rewarded: of }) => of === each));
            const after = [...kept, ...moved.map(({ rewarded: { times }, at }) => ({ at, times })), ...added];
            const inWords = after.map(({ at, times }) => `${at} ${times}`).toSorted();
            expect(inWords).toEqual(charges.map(({ at, times }) => `${at} ${times}`).toSorted());
          }
  });
});

it.each([
  [{ every: 10 }, 9, 0],
  [{ every: 10 }, 30, 3],
  [{ at: 10 }, 30, 1],
  [{ at: 10 }, 9, 0],
])('a milestone of %o is reached at %i so many times: %i', (milestone, count, times) => {
  expect(timesReached(milestone, count)).toBe(times);
});
