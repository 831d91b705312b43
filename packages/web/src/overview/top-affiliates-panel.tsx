import { Paper, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { formatMoney } from '../components/amounts.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';

type TopAffiliate = Outputs['overview']['topAffiliates']['affiliates'][number];

function columns(currency: string): Column<TopAffiliate>[] {
  return [
    { header: 'Affiliate', cell: (affiliate) => <AffiliateLink id={affiliate.id} affiliate={affiliate} /> },
    { header: 'Sales count', numeric: true, cell: ({ sales }) => sales.toLocaleString() },
    { header: 'Sales', numeric: true, cell: ({ sales_cents }) => formatMoney(sales_cents, currency) },
    { header: 'Commissions', numeric: true, cell: ({ commissions_cents }) => formatMoney(commissions_cents, currency) },
  ];
}

/** Affiliates with the highest sales in the date range. */
export function TopAffiliatesPanel(range: { from: string; to: string; currency: string }) {
  const top = useQuery(trpc.overview.topAffiliates.queryOptions(range, { placeholderData: keepPreviousData }));
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby="top">
      <Title order={2} size="h4" id="top" mb="sm">
        Top affiliates
      </Title>
      <Loaded query={top}>
        {({ affiliates, currency }) =>
          affiliates.length === 0 ? (
            <Text c="dimmed">No sales in {currency} in this date range.</Text>
          ) : (
            <RecordTable caption="Top affiliates" columns={columns(currency)} rows={affiliates} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Paper>
  );
}
