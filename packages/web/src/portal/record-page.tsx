import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable, type Sorting } from '../components/record-table.tsx';
import { t } from '../texts/portal-pages.ts';
import { PortalData } from './portal-data.tsx';

interface RecordPageProps<Row> {
  title: string;
  description?: string;
  /** Shown instead of an empty list. */
  none: string;
  query: UseQueryResult<{ data: Row[]; pagination: Outputs['portal']['listLinks']['pagination'] }, unknown>;
  columns: Column<Row>[];
  sorting?: Sorting;
  /** True if filters hide rows. */
  isFiltered?: boolean;
  /** Shown below the list. */
  end?: ReactNode;
  children?: ReactNode;
}

/** Shows a page with one list. */
export function RecordPage<Row extends { id: string }>({
  title,
  description,
  none,
  query,
  columns,
  sorting,
  isFiltered = false,
  end,
  children,
}: RecordPageProps<Row>) {
  return (
    <PortalData query={query}>
      {({ data, pagination }) => (
        <Page title={title} {...(description === undefined ? {} : { description })}>
          {children}
          {data.length === 0 ? (
            <Text c="dimmed" role="status">
              {isFiltered ? t.noneMatches : none}
            </Text>
          ) : (
            <RecordTable caption={title} columns={columns} rows={data} keyOf={({ id }) => id} sorting={sorting} />
          )}
          <Pager pagination={pagination} />
          {data.length > 0 && end}
        </Page>
      )}
    </PortalData>
  );
}

/** Buttons for newer and older records. Each page of the list has its own address. */
function Pager({ pagination }: { pagination: Outputs['portal']['listLinks']['pagination'] }) {
  const [params, setParams] = useSearchParams();
  const { previous_page, next_page, current_page = 1, total_pages = 0 } = pagination;
  if (total_pages < 2) return null;
  const to = (page: number | null, label: string) => (
    <Button
      variant="default"
      disabled={page === null}
      onClick={() => page !== null && setParams({ ...Object.fromEntries(params), page: String(page) })}
    >
      {label}
    </Button>
  );
  return (
    <Group justify="space-between">
      {to(previous_page, t.newer)}
      <Text size="sm">{t.pageOf({ page: current_page, pages: total_pages })}</Text>
      {to(next_page, t.older)}
    </Group>
  );
}
