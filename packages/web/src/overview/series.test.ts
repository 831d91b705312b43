import { describe, expect, it } from 'vitest';
import { type Day, inPeriods, totalOf } from './series.ts';

function days(count: number): Day[] {
  return Array.from({ length: count }, (_, i) => ({
    date: new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
    clicks: i + 1,
    referrals: 2,
    conversions: 1,
    sales: 3,
    sales_cents: 100 * i,
    commissions_cents: 10,
    payouts: 0,
    payouts_cents: 5,
  }));
}

describe('inPeriods', () => {
  it('shows single days if they fit', () => {
    expect(inPeriods(days(62))).toEqual(days(62));
  });

  it.each([63, 90, 365, 366])('groups %d days into weeks that end with the last day, without omitting a day', (count) => {
    const all = days(count);
    const weeks = inPeriods(all);
    expect(weeks).toHaveLength(Math.ceil(count / 7));
    expect(weeks[0]!.date).toBe(all[0]!.date);
    expect(weeks.at(-1)!.date).toBe(all.at(-7)!.date);
    for (const field of [
      'clicks',
      'referrals',
      'conversions',
      'sales',
      'sales_cents',
      'commissions_cents',
      'payouts_cents',
    ] as const)
      expect(totalOf(weeks, field)).toBe(totalOf(all, field));
  });
});
