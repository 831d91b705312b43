import { PAYOUT_STATES } from '@affiliate/core/browser';
import { Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { ActionLink } from '../components/action-link.tsx';
import { AffiliateFilter, useAffiliateFilter } from '../components/affiliate-filter.tsx';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { CellLine, CellNote, RecordLink } from '../components/cells.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { optionsOf } from '../components/labels.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useAmountRange, useDayRange, useSort } from '../lists/address.ts';
import { Ago } from '../lists/ago.tsx';
import { EmptyList } from '../lists/empty-list.tsx';
import type { ListColumn } from '../lists/list-column.ts';
import { LISTS } from '../lists/lists.ts';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RecordList } from '../lists/record-list.tsx';
import { Sections } from '../lists/sections.tsx';
import { useSelection } from '../lists/selection.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { useMay } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { Obstacles } from './obstacles.tsx';
import { PayoutActions, subjectOf } from './payout-actions.tsx';
import type { Payout } from './payout.ts';

const CreateExport = partOnDemand(async () => (await import('./create-export.tsx')).CreateExport);
const PreparePayments = partOnDemand(async () => (await import('./prepare-payments.tsx')).PreparePayments);
const CreateRun = partOnDemand(async () => (await import('./create-run.tsx')).CreateRun);

const COLUMNS: ListColumn<Payout>[] = [
  {
    name: 'affiliate',
    header: t.affiliate,
    cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} />,
  },
  {
    name: 'amount',
    header: t.amount,
    sort: 'amount_cents',
    numeric: true,
    cell: ({ id, amount_cents, currency }) => (
      <RecordLink to={`/payouts/${id}`} strong>
        <Money cents={amount_cents} currency={currency} />
      </RecordLink>
    ),
  },
  {
    name: 'commissions',
    header: t.commissions,
    numeric: true,
    cell: ({ commissions_count }) => commissions_count.toLocaleString(LOCALE),
  },
  { name: 'state', header: t.state, stays: true, cell: (payout) => <State payout={payout} /> },
  { name: 'created', header: t.created, sort: 'created_at', cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'updated', header: t.changed, isExtra: true, sort: 'updated_at', cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

function State({ payout }: { payout: Payout }) {
  const { state, livemode, paid_at, payment_reference, returned_at, return_reason } = payout;
  return (
    <CellLine>
      <StateBadge state={state} />
      <ModeBadge livemode={livemode} />
      <CellNote>
        {state === 'paid' || state === 'returned' ? (
          <>
            <Moment at={returned_at ?? paid_at} /> {return_reason ?? payment_reference}
          </>
        ) : (
          <Obstacles payout={payout} />
        )}
      </CellNote>
    </CellLine>
  );
}

const LIST = LISTS.payouts;

/** Lists all payouts, with the reasons why some are not eligible. */
export function PayoutsPage() {
  const may = useMay();
  const page = usePageNumber();
  const state = useChoice('state', PAYOUT_STATES);
  const affiliate_id = useAffiliateFilter();
  const { since, until } = useDayRange();
  const amounts = useAmountRange();
  const sorting = useSort(LIST.sort, 'updated_at', 'amount_cents');
  const filters = { affiliate_id, state: state && [state], created_since: since, created_until: until, ...amounts };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const payouts = useQuery(
    trpc.payouts.list.queryOptions(
      { page, sort: sorting.sort, ...filters, expand: LIST.expand },
      { placeholderData: keepPreviousData },
    ),
  );
  const mayPay = may('payouts');
  const selection = useSelection<Payout>();
  // Leaves out selected payouts that are no longer eligible.
  const chosen = selection.chosen.filter(({ id }) => payouts.data?.data.find((payout) => payout.id === id)?.eligible !== false);
  const { current, ask, end } = useAct({ export: 'payouts', run: 'payouts', payments: 'payouts' });
  return (
    <Page
      title={t.payouts}
      description={t.description}
      actions={
        mayPay && (
          <Group>
            <Button variant="default" onClick={() => ask('export')}>
              {t.export}
            </Button>
            <Button variant="default" onClick={() => ask('run')}>
              {t.createRun}
            </Button>
            <Button onClick={() => ask('payments')}>{t.pay}</Button>
          </Group>
        )
      }
    >
      <Sections of="payouts" />
      <RecordList
        caption={t.payouts}
        query={payouts}
        columns={mayPay ? [...COLUMNS, ACTIONS] : COLUMNS}
        sorting={sorting}
        csv={(after) => client.payouts.csv.query({ ...filters, sort: sorting.sort, after })}
        selection={
          mayPay
            ? {
                of: { ...selection, chosen },
                labelOf: (payout) => t.selectOf({ payout: subjectOf(payout) }),
                isSelectable: ({ eligible }) => eligible,
                textOf: (count) => t.selected({ payouts: counts.payouts(count) }),
              }
            : undefined
        }
        filters={
          <>
            <Filter label={t.state} name="state" all={t.all} options={optionsOf(PAYOUT_STATES)} />
            <RangeFilters hasAmounts />
            <AffiliateFilter />
          </>
        }
        empty={
          <EmptyList
            picture="payouts"
            title={t.noPayouts}
            isFiltered={isFiltered}
            noMatches={t.noMatches}
            action={<ActionLink to="/commissions">{t.commissions}</ActionLink>}
          >
            {t.noPayoutsHint}
          </EmptyList>
        }
      />
      {current === 'export' && <CreateExport payouts={chosen} onClose={end} />}
      {current === 'payments' && <PreparePayments payouts={chosen} onClose={end} />}
      {current === 'run' && <CreateRun payouts={chosen} onClose={end} />}
    </Page>
  );
}

const ACTIONS: ListColumn<Payout> = {
  name: 'actions',
  header: t.actions,
  cell: (payout) => <PayoutActions payout={payout} />,
};
