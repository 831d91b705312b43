import { Anchor } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Branded, CellNote } from '../components/cells.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { labelOf } from '../components/labels.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Sections } from '../lists/sections.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/sending.ts';
import { type Payment, pollWhilePaying } from './payments.ts';

type Total = Payment['totals'][number];

const COLUMNS: Column<Payment>[] = [
  {
    header: t.created,
    cell: ({ id, created_at }) => (
      <Anchor component={Link} to={`/payouts/payments/${id}`} fw={500}>
        <Moment at={created_at} />
      </Anchor>
    ),
  },
  { header: t.method, cell: ({ method }) => <Branded kind={method} name={labelOf(method)} /> },
  {
    header: t.state,
    cell: ({ state, livemode, unknown_count }) => (
      <>
        <StateBadge state={state} />
        <ModeBadge livemode={livemode} />
        {unknown_count > 0 && <CellNote>{t.unknownCount(unknown_count)}</CellNote>}
      </>
    ),
  },
  { header: t.payouts, numeric: true, cell: ({ payouts_count }) => payouts_count.toLocaleString(LOCALE) },
  amount(t.amount, 'amount_cents'),
  amount(t.arrived, 'arrived_cents'),
];

function amount(header: string, field: 'amount_cents' | 'arrived_cents'): Column<Payment> {
  const cell = ({ currency, [field]: cents }: Total) => <div key={currency}>{formatMoney(cents, currency)}</div>;
  return { header, numeric: true, cell: ({ totals }) => totals.map(cell) };
}

/** Lists the payments that the service sends. */
export function PaymentsPage() {
  const page = usePageNumber();
  const payments = useQuery(
    trpc.payoutBatches.list.queryOptions(
      { page, sort: '-created_at' },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => pollWhilePaying(state.data?.data.some((each) => each.state === 'paying') === true),
      },
    ),
  );
  return (
    <Page title={t.payments} description={t.description}>
      <Sections of="payouts" />
      <PagedTable
        query={payments}
        caption={t.payments}
        columns={COLUMNS}
        empty={
          <EmptyState
            picture="payouts"
            title={t.noPayments}
            action={<ActionLink to="/payouts?state=due">{t.showPayouts}</ActionLink>}
          >
            {t.noPaymentsHint}
          </EmptyState>
        }
      />
    </Page>
  );
}
