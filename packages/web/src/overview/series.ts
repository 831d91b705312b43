import type { Outputs } from '../api/client.ts';

type DailySeries = Outputs['overview']['daily'];

/** Figures of one day. Amounts are in the minor unit of one currency. */
export interface Day {
  date: string;
  clicks: number;
  referrals: number;
  conversions: number;
  sales: number;
  sales_cents: number;
  commissions_cents: number;
  payouts: number;
  payouts_cents: number;
}

const NO_MONEY = { sales: 0, sales_cents: 0, commissions_cents: 0, payouts: 0, payouts_cents: 0 };

export function daysIn(currency: string, { days }: DailySeries): Day[] {
  return days.map(({ currencies, ...day }) => ({
    ...NO_MONEY,
    ...day,
    ...currencies.find((money) => money.currency === currency),
  }));
}

/** Returns the account's own currency, followed by all other currencies with sales, commissions or payouts. */
export function currenciesOf({ days }: DailySeries, own: string): string[] {
  const moved = days.flatMap(({ currencies }) => currencies.map(({ currency }) => currency));
  return [...new Set([own, ...moved.toSorted()])];
}

export function totalOf(days: readonly Day[], field: Exclude<keyof Day, 'date'>): number {
  return days.reduce((sum, day) => sum + day[field], 0);
}

/** Maximum number of bars that fit into a chart. */
const MAX_BARS = 62;
const WEEK = 7;

/** Returns the days or, if there are more than fit into a chart, weeks dated by their first day. The first week may be shorter. */
export function inPeriods(days: readonly Day[]): Day[] {
  if (days.length <= MAX_BARS) return [...days];
  const first = days.length % WEEK;
  const starts = days.map((_, index) => index).filter((index) => index === 0 || (index - first) % WEEK === 0);
  return starts.map((start, index) => sumOf(days.slice(start, starts[index + 1])));
}

function sumOf(days: readonly Day[]): Day {
  return days.reduce((sum, day) => ({
    date: sum.date,
    clicks: sum.clicks + day.clicks,
    referrals: sum.referrals + day.referrals,
    conversions: sum.conversions + day.conversions,
    sales: sum.sales + day.sales,
    sales_cents: sum.sales_cents + day.sales_cents,
    commissions_cents: sum.commissions_cents + day.commissions_cents,
    payouts: sum.payouts + day.payouts,
    payouts_cents: sum.payouts_cents + day.payouts_cents,
  }));
}
