import { formatMoney, formatRoughly } from '../components/amounts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/overview.ts';
import type { Day } from './series.ts';

/** A figure that the overview counts per day. */
export type Measure = Exclude<keyof Day, 'date' | 'sales' | 'payouts'>;

/** The figures, in the order in which they are offered. */
export const MEASURES: Readonly<Record<Measure, string>> = {
  sales_cents: t.salesByAffiliates,
  commissions_cents: t.commissions,
  conversions: t.conversions,
  clicks: t.clicks,
  referrals: t.referrals,
  payouts_cents: t.payouts,
};

/** Returns the measure of this name, or the first one. */
export function measureNamed(name: string | null): Measure {
  return (Object.keys(MEASURES) as Measure[]).find((measure) => measure === name) ?? 'sales_cents';
}

export function isMoney(measure: Measure): boolean {
  return measure.endsWith('_cents');
}

export function inFull(measure: Measure, currency: string): (value: number) => string {
  return isMoney(measure) ? (cents) => formatMoney(cents, currency) : (count) => count.toLocaleString(LOCALE);
}

/** Formats a value for the axis of a chart. */
export function roughly(measure: Measure, currency: string): (value: number) => string {
  return isMoney(measure) ? (cents) => formatRoughly(cents, currency) : (count) => count.toLocaleString(LOCALE);
}
