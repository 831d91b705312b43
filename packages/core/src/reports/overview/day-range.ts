import type { Ctx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { REPORT_REASONS } from '../reasons.ts';
import { type GetDailySeries, MAX_DAYS } from './overview.schema.ts';

const DAY_MS = 86_400_000;

export interface DayRange {
  /** First and last day (UTC). */
  from: string;
  to: string;
  start: Instant;
  /** Instant at which the range ends. It is not part of the range. */
  end: Instant;
  /** Instant at which the same number of days before the range begins. */
  before: Instant;
}

/**
 * Returns the range of days that the input names. The default is the last thirty days, today included.
 *
 * @throws VALIDATION_ERROR if the range ends before it starts or is too long
 */
export function dayRange({ now }: Ctx, input: Pick<GetDailySeries, 'from' | 'to'>): DayRange {
  const to = input.to ?? dayOf(now);
  const from = input.from ?? dayOf(plusDays(startOf(to), -29));
  const count = countDays({ from, to });
  if (count < 1) throw invalid('to', REPORT_REASONS.before_from, 'too_small');
  if (count > MAX_DAYS) throw invalid('from', REPORT_REASONS.range_too_long({ max: MAX_DAYS }), 'too_big');
  return { from, to, start: startOf(from), end: plusDays(startOf(to), 1), before: plusDays(startOf(from), -count) };
}

/** Returns all days of a range, in order. */
export function daysOf(range: DayRange): string[] {
  return Array.from({ length: countDays(range) }, (_, i) => dayOf(plusDays(range.start, i)));
}

function countDays({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function startOf(day: string): Instant {
  return `${day}T00:00:00.000Z`;
}

function dayOf(at: Instant): string {
  return at.slice(0, 10);
}
