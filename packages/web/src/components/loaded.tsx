import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';
import { PastTheEnd, pastTheEnd } from './past-the-end.tsx';

/** Shows the data of a query, or its loading or error state. Data stays visible while it is refetched. */
export function Loaded<Data>({ query, children }: { query: UseQueryResult<Data, unknown>; children: (data: Data) => ReactNode }) {
  const beyond = pastTheEnd(query.data);
  if (beyond) return <PastTheEnd pagination={beyond} />;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}
