import { describe, expect, it } from 'vitest';
import { milestoneChanges, type Reached, type RewardedMilestone, timesReached } from './milestones.ts';

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
