import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './loaded.tsx';
import { Paging } from './paging.tsx';
import type { PageInfo } from './past-the-end.tsx';
import { type Column, RecordTable } from './record-table.tsx';

interface PagedTableProps<Row> {
  query: UseQueryResult<{ data: Row[]; pagination: PageInfo }, unknown>;
  /** Description of the rows for screen readers. */
  caption: string;
  columns: Column<Row>[];
  /** Shown instead of a list without records. */
  empty: ReactNode;
}

/** Shows one page of a list, with links to the others. */
export function PagedTable<Row extends { id: string }>({ query, caption, columns, empty }: PagedTableProps<Row>) {
  return (
    <Loaded query={query}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          empty
        ) : (
          <Stack>
            <RecordTable caption={caption} columns={columns} rows={data} keyOf={({ id }) => id} />
            <Paging pagination={pagination} />
          </Stack>
        )
      }
    </Loaded>
  );
}
