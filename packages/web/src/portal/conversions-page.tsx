import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import type { Column } from '../components/record-table.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { RecordPage } from './record-page.tsx';

type Conversion = Outputs['portal']['listConversions']['data'][number];

const COLUMNS: Column<Conversion>[] = [
  { header: 'Date', cell: ({ charged_at }) => <Moment at={charged_at} /> },
  {
    header: 'Customer',
    cell: ({ customer, description }) => (
      <>
        {customer ?? 'Unknown'}
        {description !== null && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Sale',
    numeric: true,
    cell: ({ sale_amount_cents, currency, refunded }) => (
      <>
        <Money cents={sale_amount_cents} currency={currency} />
        {refunded && (
          <Text size="sm" c="dimmed">
            Refunded
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Commission',
    numeric: true,
    cell: ({ commission_cents, currency }) =>
      commission_cents === null ? '–' : <Money cents={commission_cents} currency={currency} />,
  },
];

export function ConversionsPage() {
  const page = usePageNumber();
  const query = useQuery(trpc.portal.listConversions.queryOptions({ page }));
  return <RecordPage title="Conversions" none="Nobody has bought through your links yet." query={query} columns={COLUMNS} />;
}
