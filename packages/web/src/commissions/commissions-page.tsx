import { COMMISSION_STATES } from '@affiliate/core/browser';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { client, trpc } from '../api/client.ts';
import { AffiliateFilter, useAffiliateFilter } from '../components/affiliate-filter.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { commissionStates } from '../components/labels.ts';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { useAmountRange, useDayRange, useSort } from '../lists/address.ts';
import { EmptyList, ToTracking } from '../lists/empty-list.tsx';
import type { ListColumn } from '../lists/list-column.ts';
import { CAMPAIGN_CHOICES, LISTS } from '../lists/lists.ts';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RecordList } from '../lists/record-list.tsx';
import { Sections } from '../lists/sections.tsx';
import { useSelection } from '../lists/selection.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/commissions.ts';
import { COMMISSION_COLUMNS, type Commission } from './columns.tsx';
import { ReviewActions, subjectOf } from './review-actions.tsx';

const BulkActions = partOnDemand(async () => (await import('./bulk-actions.tsx')).BulkActions);

const isOpen = ({ state }: Commission) => state === 'pending' || state === 'due';

const ACTIONS: ListColumn<Commission> = {
  name: 'actions',
  header: t.actions,
  cell: (commission) => isOpen(commission) && <ReviewActions commission={commission} />,
};

const LIST = LISTS.commissions;

export function CommissionsPage() {
  const may = useMay();
  const [params] = useSearchParams();
  const page = usePageNumber();
  const state = useChoice('state', COMMISSION_STATES);
  const affiliate_id = useAffiliateFilter();
  const campaign_id = params.get('campaign_id') ?? undefined;
  const { since, until } = useDayRange();
  const amounts = useAmountRange();
  const sorting = useSort(LIST.sort, 'updated_at', 'amount_cents');
  const filters = {
    affiliate_id,
    campaign_id,
    state: state && [state],
    created_since: since,
    created_until: until,
    ...amounts,
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const commissions = useQuery(
    trpc.commissions.list.queryOptions(
      { page, sort: sorting.sort, ...filters, expand: LIST.expand },
      { placeholderData: keepPreviousData },
    ),
  );
  const campaigns = useQuery(trpc.campaigns.list.queryOptions(CAMPAIGN_CHOICES));
  const selection = useSelection<Commission>();
  const mayReview = may('commissions');
  return (
    <Page title={t.commissions} description={t.description}>
      <Sections of="commissions" />
      <RecordList
        caption={t.commissions}
        query={commissions}
        columns={mayReview ? [...COMMISSION_COLUMNS, ACTIONS] : COMMISSION_COLUMNS}
        sorting={sorting}
        csv={(after) => client.commissions.csv.query({ ...filters, sort: sorting.sort, after })}
        selection={
          mayReview
            ? {
                of: selection,
                labelOf: (commission) => t.selectOf({ subject: subjectOf(commission) }),
                isSelectable: isOpen,
                actions: <BulkActions selection={selection} />,
              }
            : undefined
        }
        filters={
          <>
            <Filter label={t.state} name="state" all={t.all} options={commissionStates()} />
            <Filter
              label={t.campaign}
              name="campaign_id"
              all={t.all}
              options={campaigns.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            />
            <RangeFilters hasAmounts />
            <AffiliateFilter />
          </>
        }
        empty={
          <EmptyList
            picture="commissions"
            title={t.noCommissions}
            isFiltered={isFiltered}
            noMatches={t.noMatches}
            action={<ToTracking />}
          >
            {t.noCommissionsHint}
          </EmptyList>
        }
      />
    </Page>
  );
}
