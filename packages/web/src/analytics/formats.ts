import { t } from '../texts/funnel.ts';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';

const PERCENT = onDemand(() => new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 }));
const CHANGE = onDemand(
  () => new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
);
/** Shown instead of an unknown figure. */
export const DASH = '–';

export function inFull(value: number): string {
  return value.toLocaleString(LOCALE);
}

export function percent(rate: number | null): string {
  return rate === null ? DASH : PERCENT().format(rate);
}

/** Formats the change of a figure as a share of the one before, e.g. `+20%`. Null if there was none. */
export function changeIn(now: number, before: number): string | null {
  return before === 0 ? null : CHANGE().format((now - before) / Math.abs(before));
}

/** Formats the relative change of a figure since the previous period. Returns null if a figure is missing or the previous one is 0. */
export function changeOf(now: number | null, before: number | null | undefined): string | null {
  const change = now === null || before === null || before === undefined ? null : changeIn(now, before);
  return change === null ? null : now === before ? t.unchanged : t.change({ change });
}
