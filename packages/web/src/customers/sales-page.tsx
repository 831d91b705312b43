import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { client, trpc } from '../api/client.ts';
import { AffiliateFilter, useAffiliateFilter } from '../components/affiliate-filter.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { useAmountRange, useDayRange, useSort } from '../lists/address.ts';
import { EmptyList, ToTracking } from '../lists/empty-list.tsx';
import { LISTS } from '../lists/lists.ts';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RecordList } from '../lists/record-list.tsx';
import { Sections } from '../lists/sections.tsx';
import { t } from '../texts/customers.ts';
import { SALE_COLUMNS } from './sale-columns.tsx';

const LIST = LISTS.sales;

export function SalesPage() {
  const [params] = useSearchParams();
  const page = usePageNumber();
  const affiliate_id = useAffiliateFilter();
  const attributed = useChoice('attributed', ['yes', 'no'] as const);
  const { since, until } = useDayRange();
  const amounts = useAmountRange();
  const sorting = useSort(LIST.sort, 'created_at', 'charge_amount_cents');
  const filters = {
    affiliate_id,
    customer_id: params.get('customer_id') ?? undefined,
    attributed: attributed && attributed === 'yes',
    charged_since: since,
    charged_until: until,
    ...amounts,
  };
  const sales = useQuery(
    trpc.sales.list.queryOptions({ page, sort: sorting.sort, ...filters }, { placeholderData: keepPreviousData }),
  );
  return (
    <Page title={t.sales} description={t.salesMeaning}>
      <Sections of="customers" />
      <RecordList
        caption={t.sales}
        query={sales}
        columns={SALE_COLUMNS}
        sorting={sorting}
        csv={(after) => client.sales.csv.query({ ...filters, sort: sorting.sort, after })}
        filters={
          <>
            <Filter
              label={t.attribution}
              name="attributed"
              all={t.all}
              options={[
                { value: 'yes', label: t.attributed },
                { value: 'no', label: t.notAttributed },
              ]}
            />
            <RangeFilters hasAmounts />
            <AffiliateFilter />
          </>
        }
        empty={
          <EmptyList
            picture="customers"
            title={t.noSales}
            isFiltered={Object.values(filters).some((value) => value !== undefined)}
            noMatches={t.noneMatches}
            action={<ToTracking />}
          >
            {t.salesComeFrom}
          </EmptyList>
        }
      />
    </Page>
  );
}
