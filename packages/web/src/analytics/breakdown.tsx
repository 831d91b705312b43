import { Button, NativeSelect, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Loaded } from '../components/loaded.tsx';
import { notifyFailure } from '../components/notices.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { saveCsv } from '../components/save-file.ts';
import { t } from '../texts/analytics.ts';
import { t as steps } from '../texts/funnel.ts';
import type { Group, PageDimension } from './dimensions.ts';
import type { Filters } from './filters.ts';
import { inFull, percent } from './formats.ts';
import { flagOf, useNames } from './names.ts';

type Report = Outputs['analytics']['get'];
type Row = Report['data'][number];

/** Maximum number of values in a panel. The CSV has up to `MAX_ROWS`. */
const SHOWN = 10;
const MAX_ROWS = 1_000;

interface BreakdownProps {
  group: Group;
  dimension: PageDimension;
  query: { since: string; until: string; currency: string } & Filters;
  choose: (dimension: PageDimension, value: string) => void;
  groupBy: (dimension: PageDimension) => void;
}

/** A panel with the figures of one dimension, a row per value. Choosing a value restricts the whole page to that value. */
export function Breakdown({ group, dimension, query, choose, groupBy }: BreakdownProps) {
  const report = useQuery(
    trpc.analytics.get.queryOptions({ ...query, group_by: dimension, limit: SHOWN }, { placeholderData: keepPreviousData }),
  );
  const download = useMutation({
    mutationFn: () => client.analytics.get.query({ ...query, group_by: dimension, limit: MAX_ROWS, format: 'csv' }),
    onSuccess: ({ csv = '' }) => saveCsv(`${dimension}-${query.since}-${query.until}.csv`, [csv]),
    onError: notifyFailure,
  });
  return (
    <Panel title={group.label}>
      <NativeSelect
        label={t.dimension}
        value={dimension}
        data={group.dimensions.map((name) => ({ value: name, label: t[name] }))}
        onChange={({ currentTarget: { value } }) => groupBy(value as PageDimension)}
        mb="sm"
      />
      <Loaded query={report}>{(data) => <Values dimension={dimension} report={data} choose={choose} />}</Loaded>
      <Button variant="default" size="compact-sm" mt="sm" loading={download.isPending} onClick={() => download.mutate()}>
        {t.download}
      </Button>
    </Panel>
  );
}

interface ValuesProps {
  dimension: PageDimension;
  report: Report;
  choose: (dimension: PageDimension, value: string) => void;
}

function Values({ dimension, report: { data, currency }, choose }: ValuesProps) {
  const nameOf = useNames(
    dimension,
    data.map(({ value }) => value),
  );
  if (data.length === 0) return <Text c="dimmed">{t.noValues}</Text>;
  const money = (cents: number) => formatMoney(cents, currency);
  const columns: Column<Row>[] = [
    {
      header: t.value,
      cell: ({ value }) => (
        <UnstyledButton
          c="var(--mantine-color-anchor)"
          aria-label={t.show({ name: t[dimension], value: nameOf(value) })}
          onClick={() => choose(dimension, value ?? '')}
        >
          {dimension === 'country' && value !== null && <span aria-hidden>{`${flagOf(value)} `}</span>}
          {nameOf(value)}
        </UnstyledButton>
      ),
    },
    {
      header: t.clicks,
      numeric: true,
      cell: ({ clicks, previous }) => beside(inFull(clicks), previous && inFull(previous.clicks)),
    },
    { header: t.conversions, numeric: true, cell: ({ conversions }) => inFull(conversions) },
    { header: steps.conversionRate, numeric: true, cell: ({ conversion_rate }) => percent(conversion_rate) },
    {
      header: steps.netRevenue,
      numeric: true,
      cell: ({ net_revenue_cents, previous }) => beside(money(net_revenue_cents), previous && money(previous.net_revenue_cents)),
    },
    { header: t.commissions, numeric: true, cell: ({ commissions_cents }) => money(commissions_cents) },
  ];
  return <RecordTable caption={t[dimension]} columns={columns} rows={data} keyOf={({ value }) => String(value)} />;
}

/** Shows a figure, with the figure of the previous period below it. */
function beside(value: string, previous: string | undefined) {
  if (previous === undefined) return value;
  return (
    <>
      {value}
      <Text size="sm" c="dimmed">
        {t.previous({ value: previous })}
      </Text>
    </>
  );
}
