import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { formatMoney } from '../components/amounts.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import { DownloadExport } from './download-export.tsx';
import { DeleteExport, PayExport, subjectOf } from './export-actions.tsx';
import { FORMATS, type PayoutExport, pollWhilePaying } from './formats.ts';
import { counted } from '../components/labels.ts';
import { PayoutSections } from './payout-sections.tsx';

const COLUMNS: Column<PayoutExport>[] = [
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    header: 'State',
    cell: ({ state, livemode, paid_at, payment_reference, returned_count, paid_count, payouts_count }) => (
      <div>
        <StateBadge state={state} />
        <ModeBadge livemode={livemode} />
        {paid_at !== null && (
          <Text size="sm" c="dimmed">
            <Moment at={paid_at} /> {payment_reference}
          </Text>
        )}
        {state === 'paying' && (
          <Text size="sm" c="dimmed" role="status">
            {paid_count.toLocaleString()} of {payouts_count.toLocaleString()} paid
          </Text>
        )}
        {returned_count > 0 && <Text size="sm">{counted(returned_count, 'payout')} returned</Text>}
      </div>
    ),
  },
  { header: 'Format', cell: ({ export_format }) => FORMATS.find(({ value }) => value === export_format)?.label },
  { header: 'Payouts', numeric: true, cell: ({ payouts_count }) => payouts_count.toLocaleString() },
  {
    header: 'Total',
    numeric: true,
    cell: ({ totals }) =>
      totals.map(({ currency, amount_cents }) => <div key={currency}>{formatMoney(amount_cents, currency)}</div>),
  },
  { header: 'Notes', cell: ({ notes }) => notes ?? '–' },
];

/** Exports of payouts that are paid outside the service. */
export function ExportsPage() {
  const { role } = useMember();
  const page = usePageNumber();
  const exports = useQuery(
    trpc.payoutExports.list.queryOptions(
      { page },
      { placeholderData: keepPreviousData, refetchInterval: ({ state }) => pollWhilePaying(state.data?.data) },
    ),
  );
  const mayPay = roleAtLeast(role, 'admin');
  const actions: Column<PayoutExport> = {
    header: 'Actions',
    cell: (record) => (
      <Group gap="xs">
        <DownloadExport record={record} subject={`export of ${subjectOf(record)}`} />
        {mayPay && record.state === 'processing' && (
          <>
            <PayExport record={record} />
            <DeleteExport record={record} />
          </>
        )}
      </Group>
    ),
  };
  return (
    <Page
      title="Payout exports"
      description="Files for paying with PayPal, Wise, or a bank. Mark an export as paid after you have sent the money."
    >
      <PayoutSections />
      <Loaded query={exports}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState
              title="No exports yet"
              action={
                <Button component={Link} to="/payouts?state=due" variant="default">
                  Show due payouts
                </Button>
              }
            >
              Export payouts from the payout list to pay them with PayPal, Wise, or a bank.
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable caption="Payout exports" columns={[...COLUMNS, actions]} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
