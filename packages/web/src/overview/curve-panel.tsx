import { Anchor, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Chart } from '../components/chart.tsx';
import { Filled } from '../components/filled.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { useMay } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/overview.ts';
import { ChartPanel } from './chart-panel.tsx';
import { inFull, isMoney, MEASURES, type Measure, measureNamed, roughly } from './measures.ts';
import { longDay, shortDay } from './range.ts';
import { type Day, inPeriods, totalOf } from './series.ts';

interface CurvePanelProps {
  days: readonly Day[];
  /** The days of the period before, of the same length. Null while they are unknown. */
  before: readonly Day[] | null;
  currency: string;
}

/** The course of a figure beside its course in the period before. The URL names the figure. */
export function CurvePanel({ days, before, currency }: CurvePanelProps) {
  const [params, setParams] = useSearchParams();
  const measure = measureNamed(params.get('figure'));
  const choose = (figure: string) => setParams({ ...Object.fromEntries(params), figure });
  const periods = inPeriods(days);
  const earlier = before && inPeriods(before);
  const isEmpty = totalOf(days, measure) === 0 && (before === null || totalOf(before, measure) === 0);
  return (
    <ChartPanel
      title={MEASURES[measure]}
      aside={
        <NativeSelect
          aria-label={t.figure}
          value={measure}
          data={Object.entries(MEASURES).map(([value, label]) => ({ value, label }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
      summary={summaryOf(days, periods.length < days.length, currency, measure)}
      chart={
        <Chart
          kind="area"
          points={periods.map(({ date }) => ({ short: shortDay(date), long: longDay(date) }))}
          series={[
            { label: MEASURES[measure], color: 'indigo.5', values: periods.map((day) => day[measure]) },
            ...(earlier
              ? [{ label: t.periodBefore, color: 'gray.6', isDashed: true, values: earlier.map((day) => day[measure]) }]
              : []),
          ]}
          axisWidth={isMoney(measure) ? 72 : 48}
          formatAxis={roughly(measure, currency)}
          format={inFull(measure, currency)}
        />
      }
      empty={isEmpty && <Nothing measure={measure} />}
      table={<RecordTable caption={t.figuresByDay} columns={columnsIn(currency)} rows={[...days]} keyOf={({ date }) => date} />}
    />
  );
}

function columnsIn(currency: string): Column<Day>[] {
  return [
    { header: t.day, cell: ({ date }) => longDay(date) },
    ...Object.entries(MEASURES).map(([name, header]) => {
      const measure = name as Measure;
      return { header, numeric: true, cell: (day: Day) => inFull(measure, currency)(day[measure]) };
    }),
  ];
}

function summaryOf(days: readonly Day[], isWeekly: boolean, currency: string, measure: Measure): string {
  const of = (each: Measure) => inFull(each, currency)(totalOf(days, each));
  const facts = isMoney(measure)
    ? t.moneyOf({ sales: of('sales_cents'), commissions: of('commissions_cents'), payouts: of('payouts_cents') })
    : [
        counts.clicks(totalOf(days, 'clicks')),
        counts.referrals(totalOf(days, 'referrals')),
        counts.conversions(totalOf(days, 'conversions')),
      ].join(', ');
  return (isWeekly ? t.perWeek : t.perDay)({ from: longDay(days[0]!.date), to: longDay(days.at(-1)!.date), facts });
}

/** Says how to get something to show. */
function Nothing({ measure }: { measure: Measure }): ReactNode {
  const may = useMay();
  if (measure === 'clicks') return <Filled text={t.noClicks} values={{ links: <To path="/affiliates">{t.theirLinks}</To> }} />;
  if (!isMoney(measure)) return t.noReferrals;
  const stripe = may('psp', 'read') ? <To path="/settings/payment-provider">Stripe</To> : 'Stripe';
  return <Filled text={t.noRevenue} values={{ stripe }} />;
}

function To({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={path} underline="always">
      {children}
    </Anchor>
  );
}
