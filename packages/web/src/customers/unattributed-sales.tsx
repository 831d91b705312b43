import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Money } from '../components/money.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { Ago } from '../lists/ago.tsx';
import { t } from '../texts/assigning.ts';
import { AssignButton } from './assign-sale.tsx';
import { CustomerLink } from './names.tsx';
import { type Sale, saleName } from './sale-columns.tsx';
import { SaleGap } from './sale-gap.tsx';

const WEEK_MS = 7 * 86_400_000;
const SHOWN = 10;

const COLUMNS: Column<Sale>[] = [
  {
    header: t.sale,
    cell: (sale) => (
      <Anchor component={Link} to={`/customers/sales/${sale.id}`}>
        {saleName(sale)}
      </Anchor>
    ),
  },
  {
    header: t.charge,
    numeric: true,
    cell: ({ charge_amount_cents, currency }) => <Money cents={charge_amount_cents} currency={currency} />,
  },
  { header: t.customer, cell: ({ customer }) => <CustomerLink customer={customer} /> },
  { header: t.charged, cell: ({ charged_at }) => <Ago at={charged_at} /> },
  { header: t.reason, cell: ({ missing }) => missing && <SaleGap gap={missing} /> },
  { header: t.assign, cell: (sale) => <AssignButton sale={sale} /> },
];

/** Lists the latest sales of the last 7 days without an affiliate, each with what was missing and a button to assign it. */
export function UnattributedSales({ livemode }: { livemode: boolean }) {
  return (
    <Section title={t.unattributed}>
      <Unattributed of={{ livemode }} caption={t.unattributed} />
    </Section>
  );
}

/** @param of the mode of the sales, or the connection that told their payments */
export function Unattributed({ of, caption }: { of: { livemode: boolean } | { connection_id: string }; caption: string }) {
  const [since] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const sales = useQuery(
    trpc.sales.list.queryOptions({
      attributed: false,
      charged_since: since,
      ...of,
      sort: '-charged_at',
      limit: SHOWN,
      expand: ['missing'],
    }),
  );
  return (
    <>
      <Loaded query={sales}>
        {({ data }) =>
          data.length === 0 ? (
            <NoneOfWeek of={of} since={since} />
          ) : (
            <RecordTable caption={caption} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <Stack align="flex-start" mt="sm">
        <Anchor component={Link} to="/customers/sales?attributed=no">
          {t.allWithoutAffiliate}
        </Anchor>
      </Stack>
    </>
  );
}

/** Says that every payment of the week has an affiliate, unless there was no payment. */
function NoneOfWeek({ of, since }: { of: { livemode: boolean } | { connection_id: string }; since: string }) {
  const sales = useQuery(trpc.sales.list.queryOptions({ charged_since: since, ...of, limit: 1 }));
  return <Loaded query={sales}>{({ data }) => <Text>{data.length === 0 ? t.noPaymentOfWeek : t.noneOfWeek}</Text>}</Loaded>;
}
