import { queryOptions } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { queryClient, retry } from '../api/query-client.ts';
import { showAccount } from '../api/shown-account.ts';

export type Start = Outputs['portal']['start'];

const CHOSEN = 'portal-account';

/** Loads the session of a signed-in person and the data of the portal's home page, for the account that this tab has chosen. */
export const startQuery = queryOptions({
  queryKey: trpc.portal.start.queryKey(),
  queryFn: async () => {
    showAccount(chosenAccountId());
    return keepHome(await client.portal.start.query());
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
  if (start.home !== null) queryClient.setQueryData(trpc.portal.home.queryKey(), start.home);
  return start;
}

/** Returns the account that this tab has chosen, or null if the service is to choose one. */
export function chosenAccountId(): string | null {
  return sessionStorage.getItem(CHOSEN);
}

/** Switches to another account. Reloads the page, so that no data of the previous account remains. */
export function chooseAccount(accountId: string): void {
  sessionStorage.setItem(CHOSEN, accountId);
  window.location.assign('/portal');
}
