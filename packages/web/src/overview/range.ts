import { useSearchParams } from 'react-router';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Lengths, in days, of the date ranges to choose from, which end today. */
export const PRESETS: readonly number[] = [7, DEFAULT_DAYS, 90, 365];

/** First and last day of a date range, both inclusive. Days are in UTC, because the overview counts by UTC day. */
export interface Range {
  from: string;
  to: string;
  /** Number of days if the range is one of the presets, or null for a custom range. */
  preset: number | null;
}

/**
 * Returns the date range in the URL, a function to choose a preset, and a function to choose two days.
 *
 * @param now the time at which presets end, in milliseconds
 */
export function useRange(
  now: number = Date.now(),
): [range: Range, choose: (days: number) => void, chooseDays: (from: string, to: string) => void] {
  const [params, setParams] = useSearchParams();
  const { days: _, from, to, ...rest } = Object.fromEntries(params);
  const chosen = PRESETS.find((days) => String(days) === params.get('days')) ?? DEFAULT_DAYS;
  const range = from && to ? { from, to, preset: null } : { ...lastDays(chosen, now), preset: chosen };
  return [
    range,
    (days) => setParams(days === DEFAULT_DAYS ? rest : { ...rest, days: String(days) }),
    (from, to) => setParams({ ...rest, from, to }),
  ];
}

/** Returns the period of the same length that ends the day before a range begins. An end before the beginning counts as one day. */
export function daysBefore({ from, to }: Pick<Range, 'from' | 'to'>): { from: string; to: string } {
  const begin = Date.parse(from);
  const length = Math.max(DAY_MS, Date.parse(to) - begin + DAY_MS);
  return { from: dayOf(begin - length), to: dayOf(begin - DAY_MS) };
}

function lastDays(count: number, now: number): { from: string; to: string } {
  return { from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const SHORT = onDemand(() => new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' }));
const LONG = onDemand(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' }));

/** Formats a day as an axis label. */
export function shortDay(day: string): string {
  return SHORT().format(new Date(day));
}

export function longDay(day: string): string {
  return LONG().format(new Date(day));
}
