import { Checkbox, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, type Outputs, trpc } from '../api/client.ts';
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
import { Section } from '../components/section.tsx';
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

/** A sale may have several commissions of the former tool. */
const keyOfSale = ({ sale_id, charged_at, cause, there }: Sale) =>
  [sale_id, charged_at, cause, there?.affiliate_id, there?.amount_cents].join(' ');

function causeOf(cause: NonNullable<Sale['cause']>): string {
  return Object.hasOwn(causes, cause) ? causes[cause as keyof typeof causes] : labelOf(cause);
}

const COLUMNS: Column<Sale>[] = [
  {
    header: t.sale,
    cell: ({ sale_id, charged_at }) =>
      sale_id === null ? (
        <Moment at={charged_at} />
      ) : (
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
        {cause !== null && <CellNote>{causeOf(cause)}</CellNote>}
      </div>
    ),
  },
];

type Part = Outputs['shadows']['sums'];
type Sum = Part['data'][number];
type CauseSum = Part['causes'][number];
type Sides = Pick<Sum, 'there_cents' | 'here_cents' | 'currency'>;

const AMOUNTS: Column<Sides>[] = [
  { header: t.there, numeric: true, cell: ({ there_cents, currency }) => formatMoney(there_cents, currency) },
  { header: t.here, numeric: true, cell: ({ here_cents, currency }) => formatMoney(here_cents, currency) },
  {
    header: t.difference,
    numeric: true,
    cell: ({ there_cents, here_cents, currency }) => formatMoney(here_cents - there_cents, currency),
  },
];

const SUMS: Column<Sum>[] = [
  {
    header: t.affiliate,
    cell: ({ affiliate_id, affiliate_name }) => <RecordLink to={`/affiliates/${affiliate_id}`}>{affiliate_name}</RecordLink>,
  },
  { header: t.month, cell: ({ month }) => month },
  ...AMOUNTS,
];

const CAUSES: Column<CauseSum>[] = [
  { header: t.cause, cell: ({ outcome, cause }) => (cause === null ? comparisons[outcome] : causeOf(cause)) },
  { header: t.count, numeric: true, cell: ({ sales_count }) => sales_count },
  ...AMOUNTS,
];

const keyOf = ({ affiliate_id, month, currency }: Sum) => `${month} ${affiliate_id} ${currency}`;
const keyOfCause = ({ outcome, cause, currency }: CauseSum) => `${outcome} ${cause} ${currency}`;

/** Adds up the amounts of sums with the same key. */
function added<Each extends Sides>(sums: readonly Each[], key: (sum: Each) => string): Each[] {
  const total = (of: readonly Each[], side: 'there_cents' | 'here_cents') => of.reduce((sum, each) => sum + each[side], 0);
  return [...Map.groupBy(sums, key).values()].map((of) => ({
    ...of[0]!,
    there_cents: total(of, 'there_cents'),
    here_cents: total(of, 'here_cents'),
  }));
}

/** Adds up the sums by cause of all parts, the largest difference first. */
function addedCauses(sums: readonly CauseSum[]): CauseSum[] {
  const count = new Map<string, number>();
  for (const each of sums) count.set(keyOfCause(each), (count.get(keyOfCause(each)) ?? 0) + each.sales_count);
  const difference = ({ there_cents, here_cents }: CauseSum) => Math.abs(here_cents - there_cents);
  return added(sums, keyOfCause)
    .map((sum) => ({ ...sum, sales_count: count.get(keyOfCause(sum))! }))
    .toSorted((one, other) => difference(other) - difference(one));
}

/** Shows the sums of all sales by cause, and by affiliate and month. The service adds them up in parts. */
function Sums() {
  const parts = useInfiniteQuery({
    queryKey: trpc.shadows.sums.queryKey(),
    queryFn: ({ pageParam, signal }) => client.shadows.sums.query(pageParam === null ? {} : { after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = parts;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <Loaded query={parts}>
      {({ pages }) => {
        const sums = added(
          pages.flatMap((part) => part.data),
          keyOf,
        ).toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
        return sums.length === 0 ? null : (
          <>
            {hasNextPage && (
              <Text c="dimmed">{t.addingUp({ value: pages.reduce((count, part) => count + part.customers_count, 0) })}</Text>
            )}
            <Section title={t.causes}>
              <RecordTable
                caption={t.causes}
                columns={CAUSES}
                rows={addedCauses(pages.flatMap((part) => part.causes))}
                keyOf={keyOfCause}
              />
            </Section>
            <Section title={t.sums}>
              <RecordTable caption={t.sums} columns={SUMS} rows={sums} keyOf={keyOf} />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
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
              <EmptyState
                picture="imports"
                title={t.nothingToCompare}
                action={<ActionLink to="/settings/imports">{t.imports}</ActionLink>}
              >
                {t.nothingToCompareHint}
              </EmptyState>
            );
          return (
            <Stack>
              <Sums />
              <Checkbox
                label={t.onlyDifferences}
                checked={onlyDifferences}
                onChange={({ currentTarget }) => showOnlyDifferences(currentTarget.checked)}
              />
              {shown.length === 0 ? (
                <Text c="dimmed">{t.noDifferences}</Text>
              ) : (
                <RecordTable caption={t.comparison} columns={COLUMNS} rows={shown} keyOf={keyOfSale} />
              )}
              <Paging pagination={pagination} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}
