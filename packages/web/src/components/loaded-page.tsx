import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { serviceErrorOf } from '../api/service-error.ts';
import { EmptyState } from './empty-state.tsx';
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
    if (serviceErrorOf(query.error).code === 'NOT_FOUND') return <RecordNotFound />;
    return (
      <Page title="Could not load this page">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Page>
    );
  }
  return <Loaded query={query}>{children}</Loaded>;
}

function RecordNotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        title="Nothing was found at this address"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the overview
          </Button>
        }
      >
        The record may have been deleted, or it may belong to another account.
      </EmptyState>
    </Page>
  );
}
