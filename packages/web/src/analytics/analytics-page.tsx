import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney, formatRoughly } from '../components/amounts.ts';
import { Chart } from '../components/chart.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { RecordTable } from '../components/record-table.tsx';
import { ChartPanel } from '../overview/chart-panel.tsx';
import { useNow } from '../overview/now.ts';
import { RangePicker } from '../overview/range-picker.tsx';
import { longDay, shortDay, useRange } from '../overview/range.ts';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/analytics.ts';
import { t as steps } from '../texts/funnel.ts';
import { Breakdown } from './breakdown.tsx';
import { DIMENSIONS, GROUPS, type PageDimension } from './dimensions.ts';
import { Funnel } from './figures.tsx';
import { usePageState } from './filters.ts';
import { inFull } from './formats.ts';
import { useNames } from './names.ts';

/** Shows the figures of a date range, broken down by where the visitors came from. Choosing a value filters the whole page. */
export function AnalyticsPage() {
  const { account } = useMember();
  const now = useNow();
  const [{ from, to }] = useRange(now);
  const { filters, isCompared, dimensionOf, change } = usePageState();
  const query = {
    since: from,
    until: to,
    currency: account.currency,
    ...filters,
    ...(isCompared ? { compare: 'previous_period' as const } : {}),
  };
  const keep = { placeholderData: keepPreviousData };
  const totals = useQuery(trpc.analytics.get.queryOptions(query, keep));
  const days = useQuery(trpc.analytics.get.queryOptions({ ...query, group_by: 'day' }, keep));
  return (
    <Page title={t.title} description={t.allExplained}>
      <Group align="flex-end" gap="sm">
        <RangePicker now={now} />
        <Checkbox
          label={t.compare}
          checked={isCompared}
          onChange={({ currentTarget }) => change({ compare: currentTarget.checked ? '1' : null })}
        />
      </Group>
      <Group gap="xs" role="group" aria-label={t.filters}>
        {DIMENSIONS.filter((name) => filters[name] !== undefined).map((name) => (
          <FilterButton key={name} dimension={name} value={filters[name]!} remove={() => change({ [name]: null })} />
        ))}
      </Group>
      <Loaded query={totals}>{({ data, currency }) => <Funnel row={data[0]!} currency={currency} />}</Loaded>
      <Loaded query={days}>{(report) => <Days report={report} />}</Loaded>
      <Stack>
        {GROUPS.map((group) => (
          <Breakdown
            key={group.name}
            group={group}
            dimension={dimensionOf(group)}
            query={query}
            choose={(dimension, value) => change({ [dimension]: value })}
            groupBy={(dimension) => change({ [`by_${group.name}`]: dimension })}
          />
        ))}
      </Stack>
    </Page>
  );
}

function FilterButton({ dimension, value, remove }: { dimension: PageDimension; value: string; remove: () => void }) {
  const name = useNames(dimension, [value])(value);
  return (
    <Button variant="light" size="compact-sm" aria-label={t.remove({ name: t[dimension], value: name })} onClick={remove}>
      {`${t[dimension]}: ${name} ×`}
    </Button>
  );
}

type Report = Outputs['analytics']['get'];
type Measure = 'clicks' | 'conversions' | 'net_revenue_cents' | 'commissions_cents';

const MEASURES: Readonly<Record<Measure, string>> = {
  clicks: t.clicks,
  conversions: t.conversions,
  net_revenue_cents: steps.netRevenue,
  commissions_cents: t.commissions,
};

/** The course of a figure, which the address names, and of the period before, if the page compares. */
function Days({ report: { data, since, until, currency } }: { report: Report }) {
  const { figure, change } = usePageState();
  const measure = (Object.keys(MEASURES) as Measure[]).find((name) => name === figure) ?? 'clicks';
  const isMoney = (name: Measure) => name.endsWith('_cents');
  const formatAs = (name: Measure) => (isMoney(name) ? (value: number) => formatMoney(value, currency) : inFull);
  const label = MEASURES[measure];
  const previous = data.flatMap((row) => (row.previous ? [row.previous[measure]] : []));
  const sum = data.reduce((total, row) => total + row[measure], 0);
  return (
    <ChartPanel
      title={t.perDay({ figure: label })}
      aside={
        <NativeSelect
          aria-label={t.figure}
          value={measure}
          data={Object.entries(MEASURES).map(([value, name]) => ({ value, label: name }))}
          onChange={(event) => change({ figure: event.currentTarget.value })}
        />
      }
      summary={t.sumOf({ figure: label, sum: formatAs(measure)(sum), from: longDay(since), to: longDay(until) })}
      chart={
        <Chart
          kind="area"
          axisWidth={isMoney(measure) ? 72 : 48}
          format={formatAs(measure)}
          formatAxis={isMoney(measure) ? (value) => formatRoughly(value, currency) : inFull}
          points={data.map(({ value }) => ({ short: shortDay(value!), long: longDay(value!) }))}
          series={[
            { label, color: 'indigo.5', values: data.map((row) => row[measure]) },
            ...(previous.length > 0 ? [{ label: t.periodBefore, color: 'gray.6', isDashed: true, values: previous }] : []),
          ]}
        />
      }
      table={
        <RecordTable
          caption={t.figuresByDay}
          columns={[
            { header: t.day, cell: ({ value }) => longDay(value!) },
            ...Object.entries(MEASURES).map(([name, header]) => ({
              header,
              numeric: true,
              cell: (row: Report['data'][number]) => formatAs(name as Measure)(row[name as Measure]),
            })),
          ]}
          rows={data}
          keyOf={({ value }) => String(value)}
        />
      }
    />
  );
}
