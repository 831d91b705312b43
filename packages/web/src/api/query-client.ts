import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, serviceErrorOf } from './service-error.ts';

const RETRIES = 2;

/** Fires `doubted` when the service no longer knows who calls, or refused what their role here seemed to allow. */
export const sessionEvents = new EventTarget();

function reportSessionErrors(error: unknown): void {
  if (isSignedOut(error) || serviceErrorOf(error).code === 'FORBIDDEN') sessionEvents.dispatchEvent(new Event('stale'));
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // The question who has signed in is the one that expects to be answered so.
    onError: (error, { meta }) => meta?.['isSessionQuery'] || reportSessionErrors(error),
  }),
  mutationCache: new MutationCache({
    onError: reportSessionErrors,
    // Nearly every change shows up in several lists, and those on screen are few.
    onSuccess: () => void queryClient.invalidateQueries({ predicate: ({ meta }) => !meta?.['isSessionQuery'] }),
  }),
  defaultOptions: {
    queries: {
      // What the service refused, it refuses again; what did not arrive may do so.
      retry: (failures, error) => failures < RETRIES && serviceErrorOf(error).code === null,
      staleTime: 5_000,
    },
  },
});
