import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { serviceErrorOf } from '../api/service-error.ts';
import { t } from '../texts/components.ts';
import { ActionLink } from './action-link.tsx';
import { EmptyState } from './empty-state.tsx';
import { Failure } from './failure.tsx';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';

/** Shows the page of one record, or an error page if the record cannot be loaded. */
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
      <Page title={t.couldNotLoadPage}>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Page>
    );
  }
  return <Loaded query={query}>{children}</Loaded>;
}

function RecordNotFound() {
  return (
    <Page title={t.notFound}>
      <EmptyState title={t.nothingAtThisAddress} action={<ActionLink to="/">{t.goToTheOverview}</ActionLink>}>
        {t.mayBeDeleted}
      </EmptyState>
    </Page>
  );
}
