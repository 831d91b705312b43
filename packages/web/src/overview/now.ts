import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { useMember } from '../session/session.tsx';

/** Returns the time of the shown account, in milliseconds: in test mode that of the test clock, which may be ahead. */
export function useNow(): number {
  const { livemode } = useMember().account;
  const overview = useQuery(trpc.overview.get.queryOptions({}, { enabled: !livemode }));
  return livemode || !overview.data ? Date.now() : Date.parse(overview.data.as_of);
}
