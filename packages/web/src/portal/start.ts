import { queryOptions } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { queryClient, retry } from '../api/query-client.ts';
import { showAccount } from '../api/shown-account.ts';

export type Start = Outputs['portal']['start'];

const CHOSEN = 'portal-account';

/** The session of a signed-in person and the first page of the portal, for the account that this tab has chosen. */
export const startQuery = queryOptions({
  queryKey: trpc.portal.start.queryKey(),
  queryFn: async () => {
    showAccount(chosenAccountId());
    return keepHome(await client.portal.start.query());
  },
  staleTime: Infinity,
  meta: { isSessionQuery: true },
  // A query that is asked for ahead of the page would not be retried by itself.
  retry,
});

/** Keeps what came with the answer to a sign-in. */
export function keepStart(start: Start): void {
  queryClient.setQueryData(startQuery.queryKey, keepHome(start));
}

/** The pages find the start page where they look for it. */
function keepHome(start: Start): Start {
  showAccount(start.account_id);
  if (start.home !== null) queryClient.setQueryData(trpc.portal.home.queryKey(), start.home);
  return start;
}

/** The account that this tab has chosen; null when the service chooses. */
export function chosenAccountId(): string | null {
  return sessionStorage.getItem(CHOSEN);
}

/** Shows another account. Reloads the page, so that no data of the previous one remains. */
export function chooseAccount(accountId: string): void {
  sessionStorage.setItem(CHOSEN, accountId);
  window.location.assign('/portal');
}
