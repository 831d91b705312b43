import { decimalAmount } from '@affiliate/core/browser';
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import type { Column } from '../components/record-table.tsx';
import { useSort } from '../lists/address.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { DownloadList, loadAll } from './download-list.tsx';
import { ListFilters, useListFilters } from './list-filters.tsx';
import { RecordPage } from './record-page.tsx';

type Conversion = Outputs['portal']['listConversions']['data'][number];

const COLUMNS: Column<Conversion>[] = [
  { header: t.date, sort: 'created_at', cell: ({ charged_at }) => <Moment at={charged_at} /> },
  {
    header: t.customer,
    cell: ({ customer, description, source }) => (
      <>
        {customer ?? t.unknown}
        {(description !== null || source !== null) && (
          <Text size="sm" c="dimmed">
            {[description, source !== null && t.throughSource({ source })].filter(Boolean).join(' · ')}
          </Text>
        )}
      </>
    ),
  },
  {
    header: t.sale,
    numeric: true,
    sort: 'sale_amount_cents',
    cell: ({ sale_amount_cents, currency, refunded }) => (
      <>
        <Money cents={sale_amount_cents} currency={currency} />
        {refunded && (
          <Text size="sm" c="dimmed">
            {t.refunded}
          </Text>
        )}
      </>
    ),
  },
  {
    header: t.commission,
    numeric: true,
    cell: ({ commission_cents, currency }) =>
      commission_cents === null ? '–' : <Money cents={commission_cents} currency={currency} />,
  },
];

export function ConversionsPage() {
  const page = usePageNumber();
  const { isFiltered, ...filters } = useListFilters();
  const sorting = useSort('created_at', 'sale_amount_cents');
  const query = useQuery(
    trpc.portal.listConversions.queryOptions({ ...filters, page, sort: sorting.sort }, { placeholderData: keepPreviousData }),
  );
  const load = async () => {
    const rows = await loadAll((after) =>
      client.portal.listConversions.query({ ...filters, ...after, sort: 'created_at', limit: 100 }),
    );
    return [CSV_HEADERS, ...rows.map(csvRow)];
  };
  return (
    <RecordPage
      title={common.conversions}
      none={t.noConversions}
      query={query}
      columns={COLUMNS}
      sorting={sorting}
      isFiltered={isFiltered}
      end={<DownloadList name={common.conversions} load={load} />}
    >
      <ListFilters />
    </RecordPage>
  );
}

const CSV_HEADERS = [t.date, t.customer, t.purpose, t.source, t.sale, t.commission, t.currency];

function csvRow({
  charged_at,
  customer,
  description,
  source,
  sale_amount_cents,
  commission_cents,
  currency,
}: Conversion): string[] {
  return [
    charged_at,
    customer ?? '',
    description ?? '',
    source ?? '',
    decimalAmount(sale_amount_cents, currency),
    commission_cents === null ? '' : decimalAmount(commission_cents, currency),
    currency,
  ];
}
