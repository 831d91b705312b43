import { formatMoney, formatRoughly } from '../components/amounts.ts';
import { Chart } from '../components/chart.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/overview.ts';
import { longDay, shortDay } from './range.ts';
import type { Day } from './series.ts';

const COUNTS = { axisWidth: 48, format: inFull, formatAxis: inFull };

function inFull(count: number): string {
  return count.toLocaleString(LOCALE);
}

function pointsOf(days: readonly Day[]): { short: string; long: string }[] {
  return days.map(({ date }) => ({ short: shortDay(date), long: longDay(date) }));
}

export function ClicksChart({ days }: { days: Day[] }) {
  return (
    <Chart
      kind="area"
      points={pointsOf(days)}
      series={[{ label: t.clicks, color: 'indigo.5', values: days.map(({ clicks }) => clicks) }]}
      {...COUNTS}
    />
  );
}

/** Shows referrals and conversions in a chart of their own, because there are about a hundred times as many clicks. */
export function ReferralsChart({ days }: { days: Day[] }) {
  return (
    <Chart
      kind="bars"
      points={pointsOf(days)}
      series={[
        { label: t.referrals, color: 'teal.6', values: days.map(({ referrals }) => referrals) },
        { label: t.conversions, color: 'orange.6', values: days.map(({ conversions }) => conversions) },
      ]}
      {...COUNTS}
    />
  );
}

export function MoneyChart({ days, currency }: { days: Day[]; currency: string }) {
  return (
    <Chart
      kind="bars"
      points={pointsOf(days)}
      series={[
        { label: t.sales, color: 'indigo.5', values: days.map(({ sales_cents }) => sales_cents) },
        { label: t.commissions, color: 'teal.6', values: days.map(({ commissions_cents }) => commissions_cents) },
        { label: t.payouts, color: 'orange.6', values: days.map(({ payouts_cents }) => payouts_cents) },
      ]}
      axisWidth={72}
      formatAxis={(cents) => formatRoughly(cents, currency)}
      format={(cents) => formatMoney(cents, currency)}
    />
  );
}
