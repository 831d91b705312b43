import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { TileMoney, TileNumber } from '../components/tile-figure.tsx';
import { t } from '../texts/funnel.ts';
import { DASH, changeOf, percent } from './formats.ts';

type Row = Outputs['analytics']['get']['data'][number];

/** The main figures from visitors to net revenue, each with its change since the previous period. */
export function OverviewFunnel({ from, to, currency }: { from: string; to: string; currency: string }) {
  const query = { since: from, until: to, currency, compare: 'previous_period' } as const;
  const report = useQuery(trpc.analytics.get.queryOptions(query, { placeholderData: keepPreviousData }));
  return (
    <Panel
      title={t.funnel}
      aside={
        <Anchor component={Link} to="/analytics" size="sm">
          {t.more}
        </Anchor>
      }
    >
      <Loaded query={report}>{({ data, currency }) => <Steps row={data[0]!} currency={currency} />}</Loaded>
    </Panel>
  );
}

function Steps({ row, currency }: { row: Row; currency: string }) {
  const { previous } = row;
  const money = (cents: number) => <TileMoney cents={cents} currency={currency} />;
  const figures = [
    {
      label: t.visitors,
      value: <TileNumber value={row.unique_visitors} />,
      change: changeOf(row.unique_visitors, previous?.unique_visitors),
    },
    { label: t.leads, value: <TileNumber value={row.leads} />, change: changeOf(row.leads, previous?.leads) },
    {
      label: t.conversionRate,
      value: percent(row.conversion_rate),
      change: changeOf(row.conversion_rate, previous?.conversion_rate),
    },
    {
      label: t.earningsPerClick,
      value: row.earnings_per_click_cents === null ? DASH : money(row.earnings_per_click_cents),
      change: changeOf(row.earnings_per_click_cents, previous?.earnings_per_click_cents),
    },
    {
      label: t.netRevenue,
      value: money(row.net_revenue_cents),
      change: changeOf(row.net_revenue_cents, previous?.net_revenue_cents),
    },
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 5 }} m={0} aria-label={t.funnel}>
      {figures.map(({ label, value, change }) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={600}>
            {value}
          </Text>
          {change !== null && (
            <Text component="dd" m={0} size="sm" c="dimmed">
              {change}
            </Text>
          )}
        </div>
      ))}
    </SimpleGrid>
  );
}
