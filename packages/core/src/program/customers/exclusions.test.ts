import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Exclusion, isExcludedAt, withExclusions } from './customer.entity.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const report = (second: number, excluded: boolean): Exclusion => ({ at: at(second), excluded });

test.each<[string, Exclusion[], number, boolean]>([
  ['nothing', [], 5, false],
  ['an exclusion before', [report(3, true)], 5, true],
  ['an exclusion in the same second', [report(5, true)], 5, true],
  ['an exclusion after', [report(6, true)], 5, false],
  ['an exclusion that ended before', [report(3, true), report(4, false)], 5, false],
  ['an exclusion that ended after', [report(3, true), report(6, false)], 5, true],
  ['an exclusion that began again', [report(1, true), report(2, false), report(3, true)], 5, true],
  ['both in one second', [report(3, false), report(3, true)], 5, true],
])('a charge after %s is excluded or not, in any order of the reports', (_what, reports, second, expected) => {
  expect(isExcludedAt(reports, at(second))).toBe(expected);
  expect(isExcludedAt(withExclusions([], reports.toReversed()), at(second))).toBe(expected);
});

test('the order in which reports are added does not matter', () => {
  const reports = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean()).map(([second, excluded]) => report(second, excluded)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(reports, reports, (one, other) => {
      expect(withExclusions(withExclusions([], one), other)).toEqual(withExclusions(other, one));
    }),
  );
});
