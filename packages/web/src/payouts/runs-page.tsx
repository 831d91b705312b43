import { PAYOUT_RUN_STATES } from '@affiliate/core/browser';
import { Anchor, Button, Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { Loaded } from '../components/loaded.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { PayoutSections } from './payout-sections.tsx';
import { type Run, isWorking, pollWhileWorking, shownState } from './run.ts';
import { optionsOf } from '../components/labels.ts';

const COLUMNS: Column<Run>[] = [
  {
    header: 'Run',
    cell: ({ id, created_at }) => (
      <Anchor component={Link} to={`/payouts/runs/${id}`} fw={500}>
        <Moment at={created_at} />
      </Anchor>
    ),
  },
  {
    header: 'State',
    cell: (run) => (
      <>
        <StateBadge state={shownState(run)} />
        <ModeBadge livemode={run.livemode} />
      </>
    ),
  },
  {
    header: 'Done',
    numeric: true,
    cell: ({ items_done, items_total }) => `${items_done.toLocaleString()} of ${items_total.toLocaleString()}`,
  },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ totals }) =>
      totals.map(({ currency, amount_cents }) => <div key={currency}>{formatMoney(amount_cents, currency)}</div>),
  },
  {
    header: 'Paid',
    numeric: true,
    cell: ({ totals }) => totals.map(({ currency, paid_cents }) => <div key={currency}>{formatMoney(paid_cents, currency)}</div>),
  },
  { header: 'Reference', cell: ({ payment_reference }) => payment_reference ?? '–' },
];

export function RunsPage() {
  const page = usePageNumber();
  const state = useChoice('state', PAYOUT_RUN_STATES);
  const runs = useQuery(
    trpc.payoutRuns.list.queryOptions(
      { page, state: state && [state] },
      { placeholderData: keepPreviousData, refetchInterval: ({ state }) => pollWhileWorking(state.data?.data.find(isWorking)) },
    ),
  );
  return (
    <Page title="Payout runs" description="Batches of payouts that are checked and marked as paid together.">
      <PayoutSections />
      <Group>
        <Filter label="State" name="state" all="All" options={optionsOf(PAYOUT_RUN_STATES)} />
      </Group>
      <Loaded query={runs}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState
              title="No runs"
              action={
                <Button component={Link} to="/payouts?state=due" variant="default">
                  Show due payouts
                </Button>
              }
            >
              {state ? 'No runs are in this state.' : 'Create a run from the payout list, review it, and execute it.'}
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable caption="Payout runs" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
