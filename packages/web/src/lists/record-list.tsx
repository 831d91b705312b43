import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Paging } from '../components/paging.tsx';
import { RecordTable, type Sorting } from '../components/record-table.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/lists.ts';
import { useParameters } from './address.ts';
import { AmountOrderRefused, isAmount, isRefusal, useAmountOrder } from './amount-order.tsx';
import { type CsvPart, DownloadCsv } from './download-csv.tsx';
import type { ListColumn } from './list-column.ts';
import { useLook } from './look.ts';
import { type BulkSelection, selectionColumn } from './selection.tsx';
import type { ViewMenuProps } from './view-menu.tsx';

const LookPanel = partOnDemand(async () => (await import('./look-panel.tsx')).LookPanel);
const ViewMenu = partOnDemand(async () => (await import('./view-menu.tsx')).ViewMenu, <ClosedButton />);

/** A button that opens the menu for the columns and the order of a list. The menu has its own button, which takes the place of this one. */
function ViewButton(props: ViewMenuProps) {
  const [wanted, want] = useDisclosure();
  return wanted ? <ViewMenu {...props} /> : <ClosedButton onClick={want.open} />;
}

function ClosedButton({ onClick }: { onClick?: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      px={6}
      title={t.view}
      aria-label={t.view}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={onClick}
    >
      <Icon name="view" />
    </Button>
  );
}

interface RecordListProps<Row> {
  caption: string;
  query: UseQueryResult<{ data: Row[]; pagination?: Outputs['apiKeys']['list']['pagination'] | undefined }, unknown>;
  columns: ListColumn<Row>[];
  /** Shown instead of an empty list. */
  empty: ReactNode;
  filters?: ReactNode;
  sorting?: Sorting;
  /** Fetches the next part of the list as CSV, with the filters of the page. */
  csv?: (after: string | undefined) => Promise<CsvPart>;
  selection?: BulkSelection<Row> | undefined;
}

/** A list of records with filters, sorting, choice of columns, selection, CSV download and pages. A panel beside it shows one of its records. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const { caption, query, columns, empty, filters, csv, selection } = props;
  const shown = useShownColumns(columns);
  const look = useLook();
  const sorting = useAmountOrder(props.sorting, query.data?.data ?? [], query.data?.pagination?.total_count ?? 0);
  const isRefused = query.isError && sorting !== undefined && isAmount(sorting.sort) && isRefusal(query.error);
  return (
    <Stack>
      <Group align="flex-end" justify="space-between">
        <Group align="flex-end">{filters}</Group>
        <Group gap="xs">
          <ViewButton columns={columns} shown={shown} sorting={sorting} />
          {csv && <DownloadCsv name={caption} load={csv} />}
        </Group>
      </Group>
      {selection && selection.of.chosen.length > 0 && <SelectedRows {...selection} />}
      {isRefused ? (
        <AmountOrderRefused error={query.error} sorting={sorting} />
      ) : (
        <Loaded query={query}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              empty
            ) : (
              <Stack>
                <RecordTable
                  caption={caption}
                  columns={selection ? [selectionColumn(selection, data), ...shown] : shown}
                  rows={data}
                  keyOf={({ id }) => id}
                  sorting={sorting}
                  looking={look}
                />
                {pagination && <Paging pagination={pagination} />}
              </Stack>
            )
          }
        </Loaded>
      )}
      {look.at !== null && (
        <LookPanel at={look.at} show={look.show} close={look.close} keys={query.data?.data.map(({ id }) => id) ?? []} />
      )}
    </Stack>
  );
}

function SelectedRows<Row>({ of, textOf = counts.selected, actions }: BulkSelection<Row>) {
  return (
    <Group gap="sm" role="group" aria-label={t.selection}>
      <Text role="status" size="sm">
        {[textOf(of.chosen.length), ...sumsOf(of.chosen)].join(', ')}
      </Text>
      {actions}
      <Button size="compact-sm" variant="default" onClick={of.clear}>
        {t.clearSelection}
      </Button>
    </Group>
  );
}

/** Returns the sum of the records in each currency, as text, if they have amounts. */
function sumsOf(rows: readonly unknown[]): string[] {
  const sums = new Map<string, number>();
  for (const { amount_cents, currency } of rows as { amount_cents?: number; currency?: string }[]) {
    if (amount_cents !== undefined && currency !== undefined) sums.set(currency, (sums.get(currency) ?? 0) + amount_cents);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([currency, cents]) => formatMoney(cents, currency));
}

/** Returns the columns that the page's URL names. If it names none, returns the default columns. */
function useShownColumns<Row>(columns: ListColumn<Row>[]): ListColumn<Row>[] {
  const [params] = useParameters();
  const requested = params.get('columns')?.split(',') ?? [];
  const chosen = columns.filter(({ name }) => requested.includes(name));
  return chosen.length > 0 ? chosen : columns.filter(({ isExtra }) => !isExtra);
}
