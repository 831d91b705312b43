import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { AffiliateFilter, useAffiliateFilter } from '../components/affiliate-filter.tsx';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { optionsOf } from '../components/labels.ts';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { useDayRange, useSort } from '../lists/address.ts';
import { Ago } from '../lists/ago.tsx';
import { EmptyList, ToTracking } from '../lists/empty-list.tsx';
import type { ListColumn } from '../lists/list-column.ts';
import { LISTS } from '../lists/lists.ts';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RecordList } from '../lists/record-list.tsx';
import { Sections } from '../lists/sections.tsx';
import { t } from '../texts/customers.ts';
import { CustomerLink } from './names.tsx';
import { ReferralLink, ReferralState } from './referral.tsx';

type Referral = Outputs['referrals']['list']['data'][number];

const STATES = ['visitor', 'lead', 'conversion'] as const;

const COLUMNS: ListColumn<Referral>[] = [
  { name: 'referral', header: t.referral, cell: ({ id }) => <ReferralLink id={id} /> },
  {
    name: 'affiliate',
    header: t.affiliate,
    cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} />,
  },
  { name: 'customer', header: t.customer, stays: true, cell: ({ customer }) => <CustomerLink customer={customer} /> },
  { name: 'state', header: t.state, cell: (referral) => <ReferralState referral={referral} /> },
  { name: 'created', header: t.created, sort: 'created_at', cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'converted', header: t.converted, cell: ({ converted_at }) => <Ago at={converted_at} /> },
  { name: 'expires', header: t.expires, isExtra: true, cell: ({ expires_at }) => <Ago at={expires_at} /> },
  { name: 'updated', header: t.changed, isExtra: true, sort: 'updated_at', cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

const LIST = LISTS.referrals;

export function ReferralsPage() {
  const page = usePageNumber();
  const state = useChoice('state', STATES);
  const affiliate_id = useAffiliateFilter();
  const { since, until } = useDayRange();
  const sorting = useSort(LIST.sort, 'updated_at');
  const filters = { affiliate_id, conversion_state: state && [state], created_since: since, created_until: until };
  const referrals = useQuery(
    trpc.referrals.list.queryOptions(
      { page, sort: sorting.sort, ...filters, expand: LIST.expand },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Page title={t.referrals} description={t.referralsMeaning}>
      <Sections of="customers" />
      <RecordList
        caption={t.referrals}
        query={referrals}
        columns={COLUMNS}
        sorting={sorting}
        csv={(after) => client.referrals.csv.query({ ...filters, sort: sorting.sort, after })}
        filters={
          <>
            <Filter label={t.state} name="state" all={t.all} options={optionsOf(STATES)} />
            <RangeFilters />
            <AffiliateFilter />
          </>
        }
        empty={
          <EmptyList
            picture="links"
            title={t.noReferrals}
            isFiltered={Object.values(filters).some((value) => value !== undefined)}
            noMatches={t.noneMatches}
            action={<ToTracking />}
          >
            {t.referralsComeFrom}
          </EmptyList>
        }
      />
    </Page>
  );
}
