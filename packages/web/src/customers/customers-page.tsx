import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type Outputs, client, trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { SearchBox } from '../components/search-box.tsx';
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

type Customer = Outputs['customers']['list']['data'][number];

const COLUMNS: ListColumn<Customer>[] = [
  { name: 'customer', header: t.customer, cell: (customer) => <CustomerLink customer={customer} /> },
  { name: 'email', header: t.email, cell: ({ email }) => email ?? '–' },
  { name: 'stripe', header: t.stripeId, isExtra: true, cell: ({ psp_customer_id }) => psp_customer_id ?? '–' },
  {
    name: 'affiliate',
    stays: true,
    header: t.affiliate,
    cell: ({ affiliate_id, affiliate }) =>
      affiliate_id === null ? '–' : <AffiliateLink id={affiliate_id} affiliate={affiliate} />,
  },
  { name: 'created', header: t.created, sort: 'created_at', cell: ({ created_at }) => <Ago at={created_at} /> },
];

const LIST = LISTS.customers;

export function CustomersPage() {
  const [params] = useSearchParams();
  const page = usePageNumber();
  const { since, until } = useDayRange();
  const sorting = useSort(LIST.sort);
  const filters = { search: params.get('search') ?? undefined, created_since: since, created_until: until };
  const customers = useQuery(
    trpc.customers.list.queryOptions(
      { page, sort: sorting.sort, ...filters, expand: LIST.expand },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Page title={t.customers} description={t.customersMeaning}>
      <Sections of="customers" />
      <RecordList
        caption={t.customers}
        query={customers}
        columns={COLUMNS}
        sorting={sorting}
        csv={(after) => client.customers.csv.query({ ...filters, sort: sorting.sort, after })}
        filters={
          <>
            <SearchBox label={t.startOfEmail} />
            <RangeFilters />
          </>
        }
        empty={
          <EmptyList
            picture="customers"
            title={t.noCustomers}
            isFiltered={Object.values(filters).some((value) => value !== undefined)}
            noMatches={t.noneMatches}
            action={<ToTracking />}
          >
            {t.customersComeFrom}
          </EmptyList>
        }
      />
    </Page>
  );
}
