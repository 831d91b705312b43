import { Button, Checkbox, Group, NativeSelect, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Funnel } from '../analytics/figures.tsx';
import { inFull, percent } from '../analytics/formats.ts';
import { type Outputs, client, trpc } from '../api/client.ts';
import { formatMoney, formatRoughly } from '../components/amounts.ts';
import { Chart } from '../components/chart.tsx';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { useParameters } from '../lists/address.ts';
import { ChartPanel } from '../overview/chart-panel.tsx';
import { RangePicker } from '../overview/range-picker.tsx';
import { longDay, shortDay, useRange } from '../overview/range.ts';
import { t as analytics } from '../texts/analytics.ts';
import { t as steps } from '../texts/funnel.ts';
import { t as overview } from '../texts/overview.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { DownloadList } from './download-list.tsx';
import { PortalData } from './portal-data.tsx';
import { usePortalPerson } from './portal-session.tsx';

type Report = Outputs['portal']['getFigures'];
type Row = Report['data'][number];

/** Dimensions by which the page filters. */
const FILTERS = ['link', 'campaign', 'utm_source', 'utm_medium', 'utm_campaign', 'sub1', 'sub2', 'sub3', 'sub4', 'sub5'] as const;
const DIMENSIONS = ['link', 'code', ...FILTERS.slice(1)] as const;
type Dimension = (typeof DIMENSIONS)[number];
const MAX_ROWS = 1_000;

const COURSES = {
  clicks: common.clicks,
  conversions: common.conversions,
  net_revenue_cents: steps.netRevenue,
  commissions_cents: common.earnings,
} as const;
type Course = keyof typeof COURSES;

const nameOf = (dimension: Dimension) => (dimension === 'code' ? t.code : analytics[dimension]);

/** Shows an affiliate's figures of a range of days. Choosing a value filters the whole page, as on the merchant's page of analytics. */
export function FiguresPage() {
  const [{ from, to }] = useRange();
  const [params, change] = useParameters();
  const { affiliations } = usePortalPerson();
  const home = useQuery(trpc.portal.home.queryOptions());
  const chosen = FILTERS.filter((name) => params.has(name));
  const currency = params.get('currency');
  const query = {
    since: from,
    until: to,
    ...(currency === null ? {} : { currency }),
    ...Object.fromEntries(chosen.map((name) => [name, params.get(name) === NONE ? '' : params.get(name)!])),
    ...(params.has('compare') ? { compare: 'previous_period' as const } : {}),
  };
  const dimension = DIMENSIONS.find((name) => name === params.get('by')) ?? 'link';
  const keep = { placeholderData: keepPreviousData };
  const totals = useQuery(trpc.portal.getFigures.queryOptions(query, keep));
  const days = useQuery(trpc.portal.getFigures.queryOptions({ ...query, group_by: 'day' }, keep));
  const rows = useQuery(trpc.portal.getFigures.queryOptions({ ...query, group_by: dimension, limit: MAX_ROWS }, keep));
  const currencies = home.data?.earnings.map((each) => each.currency) ?? [];
  return (
    <PortalData query={totals}>
      {(report) => (
        <Page title={common.figures}>
          <Group align="flex-end" gap="sm">
            <RangePicker />
            {currencies.length > 1 && (
              <NativeSelect
                aria-label={overview.currency}
                value={report.currency}
                data={currencies}
                onChange={({ currentTarget }) => change({ currency: currentTarget.value })}
              />
            )}
            <Checkbox
              label={analytics.compare}
              checked={params.has('compare')}
              onChange={({ currentTarget }) => change({ compare: currentTarget.checked ? '1' : '' })}
            />
          </Group>
          {chosen.length > 0 && (
            <Group gap="xs" role="group" aria-label={analytics.filters}>
              {chosen.map((name) => {
                const value = labelOf(params.get(name)!, rows.data);
                return (
                  <Button
                    key={name}
                    variant="light"
                    size="compact-sm"
                    aria-label={analytics.remove({ name: nameOf(name), value })}
                    onClick={() => change({ [name]: '' })}
                  >
                    {`${nameOf(name)}: ${value} ×`}
                  </Button>
                );
              })}
            </Group>
          )}
          <Funnel row={report.data[0]!} currency={report.currency} />
          {days.data && <Course report={days.data} />}
          <Panel
            title={t.brokenDown}
            aside={
              <NativeSelect
                aria-label={analytics.dimension}
                value={dimension}
                data={DIMENSIONS.map((name) => ({ value: name, label: nameOf(name) }))}
                onChange={({ currentTarget }) => change({ by: currentTarget.value })}
              />
            }
          >
            <PortalData query={rows}>
              {(broken) => (
                <Breakdown dimension={dimension} report={broken} choose={(value) => change({ [dimension]: value ?? NONE })} />
              )}
            </PortalData>
          </Panel>
          {affiliations.length > 1 && <AllPrograms />}
        </Page>
      )}
    </PortalData>
  );
}

/** Stands in the address for records without a value, because an empty parameter is removed. */
const NONE = '-';

function labelOf(value: string, report: Report | undefined): string {
  if (value === NONE) return analytics.none;
  return report?.data.find((row) => row.value === value)?.name ?? value;
}

function Course({ report: { data, currency, since, until } }: { report: Report }) {
  const [params, change] = useParameters();
  const course = (Object.keys(COURSES) as Course[]).find((name) => name === params.get('course')) ?? 'clicks';
  const isMoney = course.endsWith('_cents');
  const format = (value: number) => (isMoney ? formatMoney(value, currency) : inFull(value));
  const total = data.reduce((sum, row) => sum + row[course], 0);
  const before = data.flatMap(({ previous }) => previous?.[course] ?? []);
  const columns: Column<Row>[] = [
    { header: analytics.day, cell: ({ value }) => longDay(value!) },
    { header: COURSES[course], numeric: true, cell: (row) => format(row[course]) },
    ...(before.length > 0
      ? [{ header: overview.periodBefore, numeric: true, cell: ({ previous }: Row) => format(previous?.[course] ?? 0) }]
      : []),
  ];
  return (
    <ChartPanel
      title={COURSES[course]}
      aside={
        <NativeSelect
          aria-label={overview.figure}
          value={course}
          data={Object.entries(COURSES).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => change({ course: currentTarget.value })}
        />
      }
      summary={t.courseFrom({ figure: COURSES[course], total: format(total), from: longDay(since), to: longDay(until) })}
      chart={
        <Chart
          kind="area"
          axisWidth={isMoney ? 72 : 48}
          format={format}
          formatAxis={(value) => (isMoney ? formatRoughly(value, currency) : inFull(value))}
          points={data.map(({ value }) => ({ short: shortDay(value!), long: longDay(value!) }))}
          series={[
            { label: COURSES[course], color: 'indigo.5', values: data.map((row) => row[course]) },
            ...(before.length > 0 ? [{ label: overview.periodBefore, color: 'gray.6', isDashed: true, values: before }] : []),
          ]}
        />
      }
      table={<RecordTable caption={COURSES[course]} columns={columns} rows={data} keyOf={({ value }) => String(value)} />}
    />
  );
}

interface BreakdownProps {
  dimension: Dimension;
  report: Report;
  choose: (value: string | null) => void;
}

function Breakdown({ dimension, report: { data, currency, since, until }, choose }: BreakdownProps) {
  if (data.length === 0) return <Text c="dimmed">{analytics.noValues}</Text>;
  const money = (cents: number) => formatMoney(cents, currency);
  const label = ({ name }: Row) => name ?? analytics.none;
  const columns: Column<Row>[] = [
    {
      header: nameOf(dimension),
      cell: (row) =>
        dimension === 'code' ? (
          label(row)
        ) : (
          <UnstyledButton
            c="var(--mantine-color-anchor)"
            aria-label={analytics.show({ name: nameOf(dimension), value: label(row) })}
            onClick={() => choose(row.value)}
          >
            {label(row)}
          </UnstyledButton>
        ),
    },
    ...(dimension === 'code'
      ? [{ header: analytics.sales, numeric: true, cell: (row: Row) => inFull(row.sales) }]
      : [
          { header: analytics.clicks, numeric: true, cell: (row: Row) => inFull(row.clicks) },
          { header: steps.leads, numeric: true, cell: (row: Row) => inFull(row.leads) },
          { header: common.conversions, numeric: true, cell: (row: Row) => inFull(row.conversions) },
          { header: steps.conversionRate, numeric: true, cell: (row: Row) => percent(row.conversion_rate) },
        ]),
    { header: steps.netRevenue, numeric: true, cell: (row) => money(row.net_revenue_cents) },
    { header: common.earnings, numeric: true, cell: (row) => money(row.commissions_cents) },
  ];
  const load = async () => {
    const rows = data.map(({ previous: _, ...figures }) => Object.entries(figures));
    return [rows[0]!.map(([name]) => name), ...rows.map((row) => row.map(([, figure]) => String(figure ?? '')))];
  };
  return (
    <>
      <RecordTable caption={nameOf(dimension)} columns={columns} rows={data} keyOf={({ value }) => String(value)} />
      <DownloadList name={`${common.figures} ${since} ${until} ${nameOf(dimension)}`} load={load} />
    </>
  );
}

type Sums = Outputs['portal']['sums']['data'][number];
type Line = Sums['earnings'][number] & { account_name: string };

/** The earnings of the person by program, and in all programs together. */
function AllPrograms() {
  const sums = useQuery({ queryKey: trpc.portal.sums.queryKey(), queryFn: () => client.portal.sums.query() });
  const columns: Column<Line>[] = [
    { header: common.program, cell: ({ account_name }) => account_name },
    ...(
      [
        ['pending_cents', common.notDueYet],
        ['in_review_cents', common.inReview],
        ['due_cents', common.due],
        ['paid_cents', common.paid],
      ] as const
    ).map(([field, header]) => ({
      header,
      numeric: true,
      cell: (line: Line) => formatMoney(line[field], line.currency),
    })),
  ];
  return (
    <Panel title={t.allPrograms}>
      <PortalData query={sums}>
        {({ data }) => (
          <RecordTable
            caption={t.allPrograms}
            columns={columns}
            rows={linesOf(data)}
            keyOf={({ account_name, currency }) => `${account_name} ${currency}`}
          />
        )}
      </PortalData>
    </Panel>
  );
}

/** Returns a line for each program and currency, and one for the sum of each currency. */
function linesOf(data: readonly Sums[]): Line[] {
  const lines = data.flatMap(({ account_name, earnings }) => earnings.map((each) => ({ account_name, ...each })));
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  const sum = (currency: string, field: 'pending_cents' | 'in_review_cents' | 'due_cents' | 'paid_cents') =>
    lines.filter((line) => line.currency === currency).reduce((total, line) => total + line[field], 0);
  const totals = currencies.map((currency) => ({
    account_name: t.allPrograms,
    currency,
    pending_cents: sum(currency, 'pending_cents'),
    in_review_cents: sum(currency, 'in_review_cents'),
    due_cents: sum(currency, 'due_cents'),
    paid_cents: sum(currency, 'paid_cents'),
    outlook: null,
  }));
  return [...lines, ...totals];
}
