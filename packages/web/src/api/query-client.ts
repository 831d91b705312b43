import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, serviceErrorOf } from './service-error.ts';

const RETRIES = 2;

const REFUSALS: readonly (string | null)[] = ['FORBIDDEN', 'SECOND_FACTOR_REQUIRED'];

/** Fires `stale` when the service reports that the session has ended, or denies an action that the known role allows. */
export const sessionEvents = new EventTarget();

function reportSessionErrors(error: unknown): void {
  if (isSignedOut(error) || REFUSALS.includes(serviceErrorOf(error).code)) sessionEvents.dispatchEvent(new Event('stale'));
}

/** Errors returned by the service are final; only failed connections are worth retrying. */
export function retry(failures: number, error: unknown): boolean {
  return failures < RETRIES && serviceErrorOf(error).code === null;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Only the session query expects UNAUTHORIZED.
    onError: (error, { meta }) => meta?.['isSessionQuery'] || reportSessionErrors(error),
  }),
  mutationCache: new MutationCache({
    onError: reportSessionErrors,
    // Almost every change affects several lists, and few are on screen.
    onSuccess: () => void queryClient.invalidateQueries({ predicate: ({ meta }) => !meta?.['isSessionQuery'] }),
  }),
  defaultOptions: {
    queries: {
      retry,
      staleTime: 5_000,
      // Offline, a query fails with a message instead of waiting without one.
      networkMode: 'always',
      refetchOnReconnect: 'always',
    },
    // Offline, a change is refused. Kept for later, it would be made by itself when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
});
