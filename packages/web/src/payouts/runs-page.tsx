import { PAYOUT_RUN_STATES } from '@affiliate/core/browser';
import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { optionsOf } from '../components/labels.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Sections } from '../lists/sections.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { type Run, isWorking, pollWhileWorking, shownState } from './run.ts';

const COLUMNS: Column<Run>[] = [
  {
    header: t.run,
    cell: ({ id, created_at }) => (
      <Anchor component={Link} to={`/payouts/runs/${id}`} fw={500}>
        <Moment at={created_at} />
      </Anchor>
    ),
  },
  {
    header: t.state,
    cell: (run) => (
      <>
        <StateBadge state={shownState(run)} />
        <ModeBadge livemode={run.livemode} />
      </>
    ),
  },
  {
    header: t.done,
    numeric: true,
    cell: ({ items_done, items_total }) =>
      t.of({ itemsDone: items_done.toLocaleString(LOCALE), itemsTotal: items_total.toLocaleString(LOCALE) }),
  },
  {
    header: t.amount,
    numeric: true,
    cell: ({ totals }) =>
      totals.map(({ currency, amount_cents }) => <div key={currency}>{formatMoney(amount_cents, currency)}</div>),
  },
  {
    header: t.paid,
    numeric: true,
    cell: ({ totals }) => totals.map(({ currency, paid_cents }) => <div key={currency}>{formatMoney(paid_cents, currency)}</div>),
  },
  { header: t.reference, cell: ({ payment_reference }) => payment_reference ?? '–' },
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
    <Page title={t.payoutRuns} description={t.runsDescription}>
      <Sections of="payouts" />
      <Group>
        <Filter label={t.state} name="state" all={t.all} options={optionsOf(PAYOUT_RUN_STATES)} />
      </Group>
      <PagedTable
        query={runs}
        caption={t.payoutRuns}
        columns={COLUMNS}
        empty={
          <EmptyState
            picture="payouts"
            title={t.noRuns}
            action={<ActionLink to="/payouts?state=due">{t.showDuePayouts}</ActionLink>}
          >
            {state ? t.noRunsInState : t.noRunsHint}
          </EmptyState>
        }
      />
    </Page>
  );
}
