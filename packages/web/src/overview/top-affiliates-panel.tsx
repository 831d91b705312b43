import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/overview.ts';

type TopAffiliate = Outputs['overview']['topAffiliates']['affiliates'][number];

function columns(currency: string): Column<TopAffiliate>[] {
  return [
    { header: t.affiliate, cell: (affiliate) => <AffiliateLink id={affiliate.id} affiliate={affiliate} /> },
    { header: t.salesCount, numeric: true, cell: ({ sales }) => sales.toLocaleString(LOCALE) },
    { header: t.sales, numeric: true, cell: ({ sales_cents }) => formatMoney(sales_cents, currency) },
    { header: t.commissions, numeric: true, cell: ({ commissions_cents }) => formatMoney(commissions_cents, currency) },
  ];
}

/** Shows the affiliates with the highest sales in the date range. */
export function TopAffiliatesPanel(range: { from: string; to: string; currency: string }) {
  const top = useQuery(trpc.overview.topAffiliates.queryOptions(range, { placeholderData: keepPreviousData }));
  return (
    <Panel title={t.topAffiliates}>
      <Loaded query={top}>
        {({ affiliates, currency }) =>
          affiliates.length === 0 ? (
            <Text c="dimmed">{t.noSales({ currency })}</Text>
          ) : (
            <RecordTable caption={t.topAffiliates} columns={columns(currency)} rows={affiliates} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}
