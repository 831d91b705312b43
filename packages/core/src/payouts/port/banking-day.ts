import type { Instant } from '../../platform/time/instant.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the day (UTC, `2026-11-30`) on which a payment made at a time is asked for: the same day or, at the weekend, the Monday after it. Banks move a
 * payment that is asked for on a holiday, or too late on the day, to the next day on which they pay.
 */
export function bankingDay(at: Instant): string {
  const day = new Date(at);
  const daysToMonday = [1, 0, 0, 0, 0, 0, 2][day.getUTCDay()]!;
  return new Date(day.getTime() + daysToMonday * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the time a day later. */
export function dayAfter(at: Instant): Instant {
  return new Date(new Date(at).getTime() + DAY_MS).toISOString();
}
