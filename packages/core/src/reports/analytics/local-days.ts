import { type Instant, plusDays } from '../../platform/time/instant.ts';
import type { TimeDimension } from './dimensions.ts';

const DAY_MS = 86_400_000;

/** Formatters by time zone. Making one takes ten times as long as using it, and a statement may have thousands of days. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the day (`YYYY-MM-DD`) of an instant in a time zone. */
export function dayIn(timeZone: string, at: Instant): string {
  const format = formatters.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formatters.set(timeZone, format);
  return format.format(new Date(at));
}

export function addDays(day: string, days: number): string {
  return plusDays(`${day}T00:00:00.000Z`, days).slice(0, 10);
}

/** Returns the number of days from `since` to `until`, both included. */
export function countDays(since: string, until: string): number {
  return (Date.parse(until) - Date.parse(since)) / DAY_MS + 1;
}

/**
 * True if each day of the range, in the time zone, begins at a full hour of UTC. Days in India do not, for example. Checks the time zone's
 * offset at each UTC midnight, starting with the one before the range, because clocks may change before the range begins (on Lord Howe Island
 * by half an hour).
 */
export function beginsWithHours(timeZone: string, since: string, until: string): boolean {
  const format = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' });
  return Array.from({ length: countDays(since, until) + 3 }, (_, i) => addDays(since, i - 1)).every(
    (day) => format.format(new Date(day)) === '0',
  );
}

/** Returns the first day of the week (Monday) or of the month, or the day itself. */
function bucketOf(unit: TimeDimension, day: string): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  return unit === 'week' ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day;
}

/** Returns the days, weeks or months of a range, in order. */
export function bucketsOf(unit: TimeDimension, since: string, until: string): string[] {
  const days = Array.from({ length: countDays(since, until) }, (_, i) => addDays(since, i));
  return [...new Set(days.map((day) => bucketOf(unit, day)))];
}
