import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';

/** A page about one record, which brings its own title; where the record cannot be had, a page that says so. */
export function LoadedPage<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data, unknown>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined && query.isError) {
    return (
      <Page title="This cannot be shown">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Page>
    );
  }
  return <Loaded query={query}>{children}</Loaded>;
}
