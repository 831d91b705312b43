import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Chart } from '../components/chart.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { RecordTable } from '../components/record-table.tsx';
import { ChartPanel } from '../overview/chart-panel.tsx';
import { RangePicker } from '../overview/range-picker.tsx';
import { longDay, shortDay, useRange } from '../overview/range.ts';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/analytics.ts';
import { Breakdown } from './breakdown.tsx';
import { DIMENSIONS, GROUPS, type PageDimension } from './dimensions.ts';
import { Funnel } from './figures.tsx';
import { usePageState } from './filters.ts';
import { inFull } from './formats.ts';
import { useNames } from './names.ts';

/** Shows the figures of a date range, broken down by where the visitors came from. Choosing a value filters the whole page. */
export function AnalyticsPage() {
  const { account } = useMember();
  const [{ from, to }] = useRange();
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
        <RangePicker />
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

function Days({ report: { data, since, until } }: { report: Outputs['analytics']['get'] }) {
  const clicks = data.reduce((sum, row) => sum + row.clicks, 0);
  return (
    <ChartPanel
      title={t.byDay}
      summary={t.clicksSummary({ clicks: t.counted(clicks), from: longDay(since), to: longDay(until) })}
      chart={
        <Chart
          kind="bars"
          axisWidth={48}
          format={inFull}
          formatAxis={inFull}
          points={data.map(({ value }) => ({ short: shortDay(value!), long: longDay(value!) }))}
          series={[
            { label: t.clicks, color: 'indigo.5', values: data.map((row) => row.clicks) },
            { label: t.conversions, color: 'teal.6', values: data.map((row) => row.conversions) },
          ]}
        />
      }
      table={
        <RecordTable
          caption={t.byDay}
          columns={[
            { header: t.day, cell: ({ value }) => longDay(value!) },
            { header: t.clicks, numeric: true, cell: (row) => inFull(row.clicks) },
            { header: t.conversions, numeric: true, cell: (row) => inFull(row.conversions) },
          ]}
          rows={data}
          keyOf={({ value }) => String(value)}
        />
      }
    />
  );
}
