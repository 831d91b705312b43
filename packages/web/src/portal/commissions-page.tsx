import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { RecordPage } from './record-page.tsx';

type Commission = Outputs['portal']['listCommissions']['data'][number];

const COLUMNS: Column<Commission>[] = [
  { header: 'Date', cell: ({ charged_at, created_at }) => <Moment at={charged_at ?? created_at} /> },
  { header: 'For', cell: (commission) => subjectOf(commission) },
  { header: 'Amount', numeric: true, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
  { header: 'State', cell: (commission) => <State commission={commission} /> },
];

export function CommissionsPage() {
  const page = usePageNumber();
  const query = useQuery(trpc.portal.listCommissions.queryOptions({ page }));
  return <RecordPage title="Commissions" none="You have no commissions yet." query={query} columns={COLUMNS} />;
}

function subjectOf({ kind, customer, note, campaign_name }: Commission): string {
  if (kind === 'manual') return note ?? 'Paid by the merchant';
  const sale = customer === null ? 'A sale' : `Sale to ${customer}`;
  if (kind === 'adjustment') return `Correction: ${sale.toLowerCase()}`;
  return campaign_name === null ? sale : `${sale}, ${campaign_name}`;
}

const VOID_CAUSES = {
  refund: 'The customer got the money back.',
  reattributed: 'The customer came through somebody else.',
  merchant: 'Withdrawn by the merchant.',
} as const;

function State({ commission: { state, in_review, due_at, paid_at, void_cause, sale_refunded } }: { commission: Commission }) {
  return (
    <div>
      <StateBadge state={state} />
      <Text size="sm" component="div" c="dimmed">
        {in_review && <div>The merchant is looking at it.</div>}
        {state === 'pending' && (
          <div>
            Due <Moment at={due_at} />
          </div>
        )}
        {state === 'paid' && <Moment at={paid_at} />}
        {void_cause !== null && <div>{VOID_CAUSES[void_cause]}</div>}
        {state !== 'voided' && sale_refunded && <div>Part of the sale was refunded.</div>}
      </Text>
    </div>
  );
}
