import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';

/** The page of one record, or an error page if the record cannot be loaded. */
export function LoadedPage<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data, unknown>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined && query.isError) {
    return (
      <Page title="Could not load this page">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Page>
    );
  }
  return <Loaded query={query}>{children}</Loaded>;
}
