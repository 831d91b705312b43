import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { reasonInWords } from './reasons.ts';
import { RecordPage } from './record-page.tsx';

type Payout = Outputs['portal']['listPayouts']['data'][number];

const COLUMNS: Column<Payout>[] = [
  { header: 'Amount', numeric: true, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
  { header: 'State', cell: (payout) => <State payout={payout} /> },
  { header: 'Commissions', numeric: true, cell: ({ commissions_count }) => commissions_count.toLocaleString() },
  { header: 'Statement', cell: (payout) => <StatementButton payout={payout} /> },
];

export function PayoutsPage() {
  const page = usePageNumber();
  const query = useQuery(trpc.portal.listPayouts.queryOptions({ page }));
  return <RecordPage title="Payouts" none="You have no payouts yet." query={query} columns={COLUMNS} />;
}

function State({ payout: { state, currency, ineligible_reasons, paid_at, returned_at } }: { payout: Payout }) {
  return (
    <div>
      <StateBadge state={state} />
      <Text size="sm" component="div" c="dimmed">
        {ineligible_reasons.map((reason) => (
          <div key={reason}>{reasonInWords(reason, { currency, minimum_payout_cents: null })}</div>
        ))}
        {state === 'paid' && <Moment at={paid_at} />}
        {state === 'returned' && (
          <>
            Came back <Moment at={returned_at} />. The amount is in a later payout.
          </>
        )}
      </Text>
    </div>
  );
}

function StatementButton({ payout: { id } }: { payout: Payout }) {
  const queryClient = useQueryClient();
  const download = useMutation({
    mutationFn: () => queryClient.fetchQuery(trpc.portal.getStatement.queryOptions({ id })),
    onSuccess: ({ file_name, content_type, content }) => {
      const url = URL.createObjectURL(new Blob([content], { type: content_type }));
      const link = Object.assign(document.createElement('a'), { href: url, download: file_name });
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={download.isPending}
        onClick={() => download.mutate()}
        aria-label={`CSV: statement ${id}`}
      >
        CSV
      </Button>
      {download.isError && <Failure error={download.error} />}
    </>
  );
}
