import { Checkbox, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { CellNote, RecordLink } from '../components/cells.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { labelOf } from '../components/labels.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { causes, comparisons, t } from '../texts/imports.ts';

type Sale = Outputs['shadows']['list']['data'][number]['sales'][number];
type Given = Sale['there'];

function Amount({ given }: { given: Given }) {
  if (given === null) return '–';
  return (
    <div>
      {formatMoney(given.amount_cents, given.currency)}
      <CellNote>
        <RecordLink to={`/affiliates/${given.affiliate_id}`}>{given.affiliate_name}</RecordLink>
      </CellNote>
    </div>
  );
}

const COLUMNS: Column<Sale>[] = [
  {
    header: t.sale,
    cell: ({ sale_id, charged_at }) => (
      <RecordLink to={`/customers/sales/${sale_id}`}>
        <Moment at={charged_at} />
      </RecordLink>
    ),
  },
  { header: t.there, numeric: true, cell: ({ there }) => <Amount given={there} /> },
  { header: t.here, numeric: true, cell: ({ here }) => <Amount given={here} /> },
  {
    header: t.result,
    cell: ({ outcome, cause }) => (
      <div>
        {comparisons[outcome]}
        {cause !== null && (
          <CellNote>{Object.hasOwn(causes, cause) ? causes[cause as keyof typeof causes] : labelOf(cause)}</CellNote>
        )}
      </div>
    ),
  },
];

interface Sum {
  currency: string;
  there: number;
  here: number;
}

const SUMS: Column<Sum>[] = [
  { header: t.currency, cell: ({ currency }) => currency },
  { header: t.there, numeric: true, cell: ({ there, currency }) => formatMoney(there, currency) },
  { header: t.here, numeric: true, cell: ({ here, currency }) => formatMoney(here, currency) },
  { header: t.difference, numeric: true, cell: ({ there, here, currency }) => formatMoney(here - there, currency) },
];

function sumsOf(sales: readonly Sale[]): Sum[] {
  const given = (side: 'there' | 'here') => sales.flatMap((sale) => sale[side] ?? []);
  const currencies = [...new Set([...given('there'), ...given('here')].map(({ currency }) => currency))].toSorted();
  const sum = (side: 'there' | 'here', currency: string) =>
    given(side).reduce((total, each) => (each.currency === currency ? total + each.amount_cents : total), 0);
  return currencies.map((currency) => ({ currency, there: sum('there', currency), here: sum('here', currency) }));
}

/** Shows what a former tool paid for each sale beside what this service gives for it, with the cause of each difference. */
export function ComparisonPage() {
  const page = usePageNumber();
  const [onlyDifferences, showOnlyDifferences] = useState(false);
  const shadows = useQuery(trpc.shadows.list.queryOptions({ page }, { placeholderData: keepPreviousData }));
  return (
    <Page title={t.comparison} description={t.comparisonDescription}>
      <Loaded query={shadows}>
        {({ data, pagination }) => {
          const sales = data.flatMap((customer) => customer.sales);
          const shown = onlyDifferences ? sales.filter(({ outcome }) => outcome !== 'equal') : sales;
          if (pagination.total_pages === 0 || (pagination.total_pages === 1 && sales.length === 0))
            return (
              <EmptyState title={t.nothingToCompare} action={<ActionLink to="/settings/imports">{t.imports}</ActionLink>}>
                {t.nothingToCompareHint}
              </EmptyState>
            );
          return (
            <Stack>
              <RecordTable caption={t.sumsOfPage} columns={SUMS} rows={sumsOf(sales)} keyOf={({ currency }) => currency} />
              <Checkbox
                label={t.onlyDifferences}
                checked={onlyDifferences}
                onChange={({ currentTarget }) => showOnlyDifferences(currentTarget.checked)}
              />
              {shown.length === 0 ? (
                <Text c="dimmed">{t.noDifferences}</Text>
              ) : (
                <RecordTable caption={t.comparison} columns={COLUMNS} rows={shown} keyOf={({ sale_id }) => sale_id} />
              )}
              <Paging pagination={pagination} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}
