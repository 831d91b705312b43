import { roleAtLeast } from '@affiliate/core/browser';
import { Anchor, SimpleGrid, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { FigureTile } from '../components/figure-tile.tsx';
import { Filled } from '../components/filled.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { TileMoney, TileNumber } from '../components/tile-figure.tsx';
import { useMember } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/overview.ts';
import { ChartPanel } from './chart-panel.tsx';
import { ClicksChart, MoneyChart, ReferralsChart } from './charts.tsx';
import { longDay } from './range.ts';
import { type Day, daysIn, inPeriods, totalOf } from './series.ts';

const DAY: Column<Day> = { header: t.day, cell: ({ date }) => longDay(date) };

const CLICKS: Column<Day>[] = [DAY, { header: t.clicks, numeric: true, cell: ({ clicks }) => clicks.toLocaleString(LOCALE) }];

const REFERRALS: Column<Day>[] = [
  DAY,
  { header: t.referrals, numeric: true, cell: ({ referrals }) => referrals.toLocaleString(LOCALE) },
  { header: t.conversions, numeric: true, cell: ({ conversions }) => conversions.toLocaleString(LOCALE) },
];

function moneyColumns(currency: string): Column<Day>[] {
  return [
    DAY,
    { header: t.sales, numeric: true, cell: ({ sales_cents }) => formatMoney(sales_cents, currency) },
    { header: t.commissions, numeric: true, cell: ({ commissions_cents }) => formatMoney(commissions_cents, currency) },
    { header: t.payouts, numeric: true, cell: ({ payouts_cents }) => formatMoney(payouts_cents, currency) },
  ];
}

/** Shows the totals and charts of a date range. */
export function ActivityPanels({ series, currency }: { series: Outputs['overview']['daily']; currency: string }) {
  const { role } = useMember();
  const days = daysIn(currency, series);
  const periods = inPeriods(days);
  const count = (field: 'clicks' | 'referrals' | 'conversions') => <TileNumber value={totalOf(days, field)} />;
  const amount = (field: 'sales_cents' | 'commissions_cents' | 'payouts_cents') => formatMoney(totalOf(days, field), currency);
  const sum = (field: 'sales_cents' | 'commissions_cents' | 'payouts_cents') => (
    <TileMoney cents={totalOf(days, field)} currency={currency} />
  );
  const period = periods.length < days.length ? t.perWeek : t.perDay;
  const summary = (facts: string) => period({ from: longDay(series.from), to: longDay(series.to), facts });
  const money = { sales: amount('sales_cents'), commissions: amount('commissions_cents'), payouts: amount('payouts_cents') };
  return (
    <>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, xl: 6 }} m={0} aria-label={t.totals}>
        <FigureTile label={t.clicks} value={count('clicks')} />
        <FigureTile label={t.referrals} value={count('referrals')} />
        <FigureTile label={t.conversions} value={count('conversions')} />
        <FigureTile label={t.sales} value={sum('sales_cents')} />
        <FigureTile label={t.commissions} value={sum('commissions_cents')} />
        <FigureTile label={t.payouts} value={sum('payouts_cents')} />
      </SimpleGrid>
      <Stack>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <ChartPanel
            title={t.clicks}
            summary={summary(counts.clicks(totalOf(days, 'clicks')))}
            chart={<ClicksChart days={periods} />}
            empty={
              totalOf(days, 'clicks') === 0 && (
                <Filled
                  text={t.noClicks}
                  values={{
                    links: (
                      <Anchor component={Link} to="/affiliates" underline="always">
                        {t.theirLinks}
                      </Anchor>
                    ),
                  }}
                />
              )
            }
            table={<RecordTable caption={t.clicks} columns={CLICKS} rows={days} keyOf={({ date }) => date} />}
          />
          <ChartPanel
            title={t.referralsAndConversions}
            summary={summary(
              `${counts.referrals(totalOf(days, 'referrals'))}, ${counts.conversions(totalOf(days, 'conversions'))}`,
            )}
            chart={<ReferralsChart days={periods} />}
            empty={totalOf(days, 'referrals') + totalOf(days, 'conversions') === 0 && t.noReferrals}
            table={<RecordTable caption={t.referralsAndConversions} columns={REFERRALS} rows={days} keyOf={({ date }) => date} />}
          />
        </SimpleGrid>
        <ChartPanel
          title={t.revenue}
          summary={summary(t.moneyOf(money))}
          chart={<MoneyChart days={periods} currency={currency} />}
          empty={
            totalOf(days, 'sales_cents') + totalOf(days, 'commissions_cents') + totalOf(days, 'payouts_cents') === 0 && (
              <Filled
                text={t.noRevenue}
                values={{
                  stripe: roleAtLeast(role, 'admin') ? (
                    <Anchor component={Link} to="/settings/payment-provider" underline="always">
                      Stripe
                    </Anchor>
                  ) : (
                    'Stripe'
                  ),
                }}
              />
            )
          }
          table={<RecordTable caption={t.revenue} columns={moneyColumns(currency)} rows={days} keyOf={({ date }) => date} />}
        />
      </Stack>
    </>
  );
}
