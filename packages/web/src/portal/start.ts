import { queryOptions } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { queryClient, retry } from '../api/query-client.ts';
import { showAccount } from '../api/shown-account.ts';
import { showTimeZone } from '../api/shown-zone.ts';
import { chosenAccountId, takeEarlyStart } from './early-start.ts';

export type Start = Outputs['portal']['start'];

/** Loads the session of a signed-in person and the data of the portal's home page, for the account that this tab has chosen. */
export const startQuery = queryOptions({
  queryKey: trpc.portal.start.queryKey(),
  queryFn: async () => {
    showAccount(chosenAccountId());
    const early = (await takeEarlyStart()) as Start | null;
    return keepHome(early ?? (await client.portal.start.query()));
  },
  staleTime: Infinity,
  meta: { isSessionQuery: true },
  retry,
});

/** Caches the portal's first data, which the response to a sign-in contains. */
export function keepStart(start: Start): void {
  queryClient.setQueryData(startQuery.queryKey, keepHome(start));
}

/** Caches the home page's data under the query that the home page uses. */
function keepHome(start: Start): Start {
  showAccount(start.account_id);
  showTimeZone(start.session.affiliations.find(({ account_id }) => account_id === start.account_id)?.time_zone);
  if (start.home !== null) queryClient.setQueryData(trpc.portal.home.queryKey(), start.home);
  return start;
}
