import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { entriesAccepted } from '../components/entries.ts';
import { isSignedOut, serviceErrorOf } from './service-error.ts';

const RETRIES = 2;

const REFUSALS: readonly (string | null)[] = ['FORBIDDEN', 'SECOND_FACTOR_REQUIRED'];

/** Fires `stale` when the service reports that the session has ended, or denies an action that the known role allows. */
export const sessionEvents = new EventTarget();

function reportSessionErrors(error: unknown): void {
  if (isSignedOut(error) || REFUSALS.includes(serviceErrorOf(error).code)) sessionEvents.dispatchEvent(new Event('stale'));
}

/**
 * True if a failed request should be retried: the service did not answer it, and retries are left. An error returned by the service is
 * final.
 */
export function retry(failures: number, error: unknown): boolean {
  return failures < RETRIES && serviceErrorOf(error).code === null;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // UNAUTHORIZED is an expected answer only to the session query.
    onError: (error, { meta }) => meta?.['isSessionQuery'] || reportSessionErrors(error),
  }),
  mutationCache: new MutationCache({
    onError: reportSessionErrors,
    // Invalidates everything except the session, because almost every change affects several lists. Only the few lists on screen are
    // refetched.
    onSuccess: () => {
      entriesAccepted();
      void queryClient.invalidateQueries({ predicate: ({ meta }) => !meta?.['isSessionQuery'] });
    },
  }),
  defaultOptions: {
    queries: {
      retry,
      staleTime: 5_000,
      // A query that runs offline fails with a message. By default it would wait, and no message would be shown.
      networkMode: 'always',
      refetchOnReconnect: 'always',
    },
    // A mutation that runs offline fails. By default it would run once the connection is back, when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
});
