/**
 * Periods over which caps, milestones and tiers count. All are calendar periods in UTC (docs/rules/rewards.md#windows).
 */
import { type Instant, plusMonths } from '../../platform/time/instant.ts';

export type Window = 'ever' | 'month' | 'quarter' | 'year';

/** A period: from `from` on, and before `until`. Null is unbounded. */
export interface Period {
  from: Instant | null;
  until: Instant | null;
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** Returns the period of a window in which a time lies. */
export function periodOf(window: Window, at: Instant): Period {
  if (window === 'ever') return { from: null, until: null };
  const months = MONTHS[window];
  const first = Math.floor((Number(at.slice(5, 7)) - 1) / months) * months + 1;
  const from = `${at.slice(0, 4)}-${String(first).padStart(2, '0')}-01T00:00:00.000Z`;
  return { from, until: plusMonths(from, months) };
}

/** Returns the closed period before the one in which a time lies. For `ever`: everything before the month of that time. */
export function closedPeriodBefore(window: Window, at: Instant): Period {
  if (window === 'ever') return { from: null, until: periodOf('month', at).from };
  const { from } = periodOf(window, at);
  return { from: plusMonths(from!, -MONTHS[window]), until: from };
}

/** Returns the number of whole calendar months from one time to a later one. */
export function wholeMonths(from: Instant, to: Instant): number {
  const months = 12 * (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
  return Math.max(0, plusMonths(from, months) > to ? months - 1 : months);
}
