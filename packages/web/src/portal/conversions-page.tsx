import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import type { Column } from '../components/record-table.tsx';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { RecordPage } from './record-page.tsx';

type Conversion = Outputs['portal']['listConversions']['data'][number];

const COLUMNS: Column<Conversion>[] = [
  { header: t.date, cell: ({ charged_at }) => <Moment at={charged_at} /> },
  {
    header: t.customer,
    cell: ({ customer, description }) => (
      <>
        {customer ?? t.unknown}
        {description !== null && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  {
    header: t.sale,
    numeric: true,
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
  const query = useQuery(trpc.portal.listConversions.queryOptions({ page }));
  return <RecordPage title={common.conversions} none={t.noConversions} query={query} columns={COLUMNS} />;
}
