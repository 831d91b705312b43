import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/portal.ts';
import { PortalFailure } from './portal-failure.tsx';

/**
 * Shows the page that `children` makes from the query's data, or an error page if no data could be loaded. Data stays visible while it is refetched.
 */
export function PortalData<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data, unknown>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Loading />;
  return (
    <Page title={t.couldNotLoad}>
      <PortalFailure error={query.error} retry={() => void query.refetch()} />
    </Page>
  );
}
