import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { formatMoney, formatRoughly } from '../components/amounts.ts';
import { longDay, shortDay } from './range.ts';
import type { Day } from './series.ts';

const HEIGHT = 260;
const AXES = {
  h: HEIGHT,
  dataKey: 'date',
  withLegend: true,
  legendProps: { verticalAlign: 'bottom', itemSorter: null },
  gridAxis: 'x',
  tickLine: 'none',
  // The table below the chart is the accessible alternative.
  accessibilityLayer: false,
  xAxisProps: { tickFormatter: shortDay, minTickGap: 24 },
  // The chart also requests a label before a day is hovered.
  tooltipProps: { labelFormatter: (day: unknown) => (typeof day === 'string' ? longDay(day) : '') },
} as const;

export function ClicksChart({ days }: { days: Day[] }) {
  return (
    <AreaChart
      {...AXES}
      data={days}
      series={[{ name: 'clicks', label: 'Clicks', color: 'indigo.5' }]}
      withDots={false}
      curveType="monotone"
      yAxisProps={{ allowDecimals: false, width: 40 }}
      valueFormatter={(value) => value.toLocaleString()}
      areaProps={{ isAnimationActive: false }}
    />
  );
}

/** Separate from clicks, which outnumber referrals by about a hundred to one. */
export function ReferralsChart({ days }: { days: Day[] }) {
  return (
    <BarChart
      {...AXES}
      data={days}
      series={[
        { name: 'referrals', label: 'Referrals', color: 'teal.6' },
        { name: 'conversions', label: 'Conversions', color: 'orange.6' },
      ]}
      maxBarWidth={18}
      barChartProps={{ barGap: 1, barCategoryGap: '15%' }}
      yAxisProps={{ allowDecimals: false, width: 40 }}
      valueFormatter={(value) => value.toLocaleString()}
      barProps={{ isAnimationActive: false }}
    />
  );
}

export function MoneyChart({ days, currency }: { days: Day[]; currency: string }) {
  return (
    <BarChart
      {...AXES}
      data={days}
      series={[
        { name: 'sales_cents', label: 'Sales', color: 'indigo.5' },
        { name: 'commissions_cents', label: 'Commissions', color: 'teal.6' },
        { name: 'payouts_cents', label: 'Payouts', color: 'orange.6' },
      ]}
      maxBarWidth={18}
      barChartProps={{ barGap: 1, barCategoryGap: '15%' }}
      yAxisProps={{ tickFormatter: (cents: number) => formatRoughly(cents, currency), width: 64 }}
      valueFormatter={(cents) => formatMoney(cents, currency)}
      barProps={{ isAnimationActive: false }}
    />
  );
}
