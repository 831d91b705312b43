import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

/** What a query answered. What was answered before stays while it is asked again. */
export function Loaded<Data>({ query, children }: { query: UseQueryResult<Data, unknown>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}
