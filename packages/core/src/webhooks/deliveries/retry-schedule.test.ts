import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAttemptIn, parseRetryAfter } from './retry-schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays after the first attempt, which is immediate. */
const STEPS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

describe('nextAttemptIn', () => {
  it('waits for the time of the step, plus or minus 20 %', () => {
    for (const [index, step] of STEPS.entries()) {
      expect(nextAttemptIn(index + 1, null, 0)).toBe(step * 0.8);
      expect(nextAttemptIn(index + 1, null, 0.5)).toBe(step);
      expect(nextAttemptIn(index + 1, null, 1)).toBe(step * 1.2);
    }
  });

  it('ends after ten attempts, whatever the receiver requests', () => {
    expect(nextAttemptIn(10, null, 0.5)).toBeNull();
    expect(nextAttemptIn(10, 5 * SECOND, 0.5)).toBeNull();
  });

  it('waits at least as long as the receiver requests', () => {
    expect(nextAttemptIn(1, 2 * MINUTE, 0.5)).toBe(2 * MINUTE);
    expect(nextAttemptIn(2, 2 * MINUTE, 0.5)).toBe(5 * MINUTE);
    expect(nextAttemptIn(9, 23 * HOUR, 0)).toBe(23 * HOUR);
  });

  it('waits at most until the following step', () => {
    expect(nextAttemptIn(1, 365 * 24 * HOUR, 0.5)).toBe(5 * MINUTE);
    expect(nextAttemptIn(9, 365 * 24 * HOUR, 0.5)).toBe(24 * HOUR);
  });

  it('always lies between the step less 20 % and the longer of the step plus 20 % and the following step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.option(fc.nat(1_000 * HOUR)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (made, retryAfter, random) => {
          const wait = nextAttemptIn(made, retryAfter, random)!;
          const step = STEPS[made - 1]!;
          expect(Number.isInteger(wait)).toBe(true);
          expect(wait).toBeGreaterThanOrEqual(step * 0.8);
          expect(wait).toBeLessThanOrEqual(Math.max(step * 1.2, STEPS[made] ?? 0));
        },
      ),
    );
  });
});

describe('parseRetryAfter', () => {
  const now = new Date('2026-11-20T12:00:00.500Z');

  it.each([
    ['120', 120 * SECOND],
    [' 7 ', 7 * SECOND],
    ['0', 0],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 59_500],
  ])('reads %j', (value, wait) => expect(parseRetryAfter(value, now)).toBe(wait));

  it.each([
    undefined,
    '',
    'soon',
    '-5',
    '1.5',
    '1e3',
    '99999999999999999999',
    'Fri, 20 Nov 2026 11:59:00 GMT',
    'Fri, 99 Nov 2026 12:01:00 GMT',
  ])('returns null for %j', (value) => expect(parseRetryAfter(value, now)).toBeNull());

  it('always returns null or a finite number of at least 0', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.nat().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (value) => {
          const wait = parseRetryAfter(value, now);
          expect(wait === null || (Number.isFinite(wait) && wait >= 0)).toBe(true);
        },
      ),
    );
  });
});
