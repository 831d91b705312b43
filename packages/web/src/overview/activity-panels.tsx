import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { ClicksChart, MoneyChart, ReferralsChart } from './charts.tsx';
import { longDay } from './range.ts';
import { type Day, daysIn, inPeriods, totalOf } from './series.ts';
import { counted } from '../components/labels.ts';

const DAY: Column<Day> = { header: 'Day', cell: ({ date }) => longDay(date) };

const CLICKS: Column<Day>[] = [DAY, { header: 'Clicks', numeric: true, cell: ({ clicks }) => clicks.toLocaleString() }];

const REFERRALS: Column<Day>[] = [
  DAY,
  { header: 'Referrals', numeric: true, cell: ({ referrals }) => referrals.toLocaleString() },
  { header: 'Conversions', numeric: true, cell: ({ conversions }) => conversions.toLocaleString() },
];

function moneyColumns(currency: string): Column<Day>[] {
  return [
    DAY,
    { header: 'Sales', numeric: true, cell: ({ sales_cents }) => formatMoney(sales_cents, currency) },
    { header: 'Commissions', numeric: true, cell: ({ commissions_cents }) => formatMoney(commissions_cents, currency) },
    { header: 'Payouts', numeric: true, cell: ({ payouts_cents }) => formatMoney(payouts_cents, currency) },
  ];
}

/** Totals and charts of a date range. */
export function ActivityPanels({ series, currency }: { series: Outputs['overview']['daily']; currency: string }) {
  const days = daysIn(currency, series);
  const periods = inPeriods(days);
  const count = (field: 'clicks' | 'referrals' | 'conversions') => totalOf(days, field).toLocaleString();
  const amount = (field: 'sales_cents' | 'commissions_cents' | 'payouts_cents') => formatMoney(totalOf(days, field), currency);
  const per = periods.length < days.length ? 'Per week' : 'Per day';
  const range = `from ${longDay(series.from)} to ${longDay(series.to)}`;
  const visitors = { clicks: count('clicks'), referrals: count('referrals'), conversions: count('conversions') };
  const money = { sales: amount('sales_cents'), commissions: amount('commissions_cents'), payouts: amount('payouts_cents') };
  return (
    <>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, xl: 6 }} m={0} aria-label="Totals">
        <Total label="Clicks" value={visitors.clicks} />
        <Total label="Referrals" value={visitors.referrals} />
        <Total label="Conversions" value={visitors.conversions} />
        <Total label="Sales" value={money.sales} />
        <Total label="Commissions" value={money.commissions} />
        <Total label="Payouts" value={money.payouts} />
      </SimpleGrid>
      <Stack>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <ChartPanel
            title="Clicks"
            summary={`${per} ${range}: ${counted(totalOf(days, 'clicks'), 'click')}.`}
            chart={<ClicksChart days={periods} />}
            table={<RecordTable caption="Clicks" columns={CLICKS} rows={days} keyOf={({ date }) => date} />}
          />
          <ChartPanel
            title="Referrals and conversions"
            summary={`${per} ${range}: ${counted(totalOf(days, 'referrals'), 'referral')}, ${counted(totalOf(days, 'conversions'), 'conversion')}.`}
            chart={<ReferralsChart days={periods} />}
            table={<RecordTable caption="Referrals and conversions" columns={REFERRALS} rows={days} keyOf={({ date }) => date} />}
          />
        </SimpleGrid>
        <ChartPanel
          title="Revenue"
          summary={`${per} ${range}: sales of ${money.sales}, commissions of ${money.commissions}, payouts of ${money.payouts}.`}
          chart={<MoneyChart days={periods} currency={currency} />}
          table={<RecordTable caption="Revenue" columns={moneyColumns(currency)} rows={days} keyOf={({ date }) => date} />}
        />
      </Stack>
    </>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <Paper withBorder p="md" radius="md">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} size="xl" fw={600}>
        {value}
      </Text>
    </Paper>
  );
}
