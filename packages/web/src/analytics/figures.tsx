import { SimpleGrid, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outputs } from '../api/client.ts';
import { FigureTile } from '../components/figure-tile.tsx';
import { TileMoney, TileNumber } from '../components/tile-figure.tsx';
import { t } from '../texts/analytics.ts';
import { t as steps } from '../texts/funnel.ts';
import { DASH, changeOf, percent } from './formats.ts';

type Row = Outputs['analytics']['get']['data'][number];
/** The metrics of a merchant, or those that affiliates see of themselves. */
type Metrics = Omit<Outputs['portal']['getFigures']['data'][number], 'value' | 'name' | 'previous'> &
  Partial<Pick<Row, 'average_order_cents' | 'refund_rate'>>;
type Compared = Metrics & { previous?: Metrics | undefined };

interface Figure {
  label: string;
  of: (metrics: Metrics) => number | null | undefined;
  format: (value: number) => ReactNode;
  /** True if the figure's share of the clicks is shown below the figure. */
  isStep?: boolean;
}

/** Shows the steps from a click to a sale, and the resulting rates, revenue and commissions. */
export function Funnel({ row, currency }: { row: Compared; currency: string }) {
  const money = (cents: number) => <TileMoney cents={cents} currency={currency} />;
  const number = (value: number) => <TileNumber value={value} />;
  const shown: Figure[] = [
    { label: t.clicks, of: ({ clicks }) => clicks, format: number },
    { label: steps.visitors, of: ({ unique_visitors }) => unique_visitors, format: number, isStep: true },
    { label: steps.leads, of: ({ leads }) => leads, format: number, isStep: true },
    { label: t.conversions, of: ({ conversions }) => conversions, format: number, isStep: true },
  ];
  const results: Figure[] = [
    { label: steps.conversionRate, of: ({ conversion_rate }) => conversion_rate, format: percent },
    { label: steps.earningsPerClick, of: ({ earnings_per_click_cents }) => earnings_per_click_cents, format: money },
    { label: steps.netRevenue, of: ({ net_revenue_cents }) => net_revenue_cents, format: money },
    { label: t.commissions, of: ({ commissions_cents }) => commissions_cents, format: money },
    { label: t.averageOrder, of: ({ average_order_cents }) => average_order_cents, format: money },
    { label: t.refundRate, of: ({ refund_rate }) => refund_rate, format: percent },
  ];
  return (
    <section aria-labelledby="funnel">
      <Title order={2} size="h4" id="funnel" mb="sm">
        {steps.funnel}
      </Title>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0} mb="md">
        {shown.map((figure) => (
          <FigureCard key={figure.label} figure={figure} row={row} />
        ))}
      </SimpleGrid>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, xl: 6 }} m={0} aria-label={t.totals}>
        {results
          .filter(({ of }) => of(row) !== undefined)
          .map((figure) => (
            <FigureCard key={figure.label} figure={figure} row={row} />
          ))}
      </SimpleGrid>
    </section>
  );
}

function FigureCard({ figure: { label, of, format, isStep }, row }: { figure: Figure; row: Compared }) {
  const value = of(row) ?? null;
  const before = row.previous && (of(row.previous) ?? null);
  const change = changeOf(value, before);
  return (
    <FigureTile label={label} value={value === null ? DASH : format(value)}>
      {/* Customers who enter a code have clicked nothing, so there may be more of them. */}
      {isStep && row.clicks > 0 && value !== null && value <= row.clicks && (
        <Text component="dd" m={0} size="sm" c="dimmed">
          {t.ofClicks({ share: percent(value / row.clicks) })}
        </Text>
      )}
      {change !== null && (
        <Text component="dd" m={0} size="sm" c="dimmed">
          {change}
        </Text>
      )}
    </FigureTile>
  );
}
