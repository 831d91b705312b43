import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, refusalOf } from './refusal.ts';

const RETRIES = 2;

/** Fires `lost` when the service no longer knows who calls. */
export const sessionLost = new EventTarget();

function watchForSignOut(error: unknown): void {
  if (isSignedOut(error)) sessionLost.dispatchEvent(new Event('lost'));
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // The question who has signed in is the one that expects to be answered so.
    onError: (error, { meta }) => meta?.['asksForSession'] || watchForSignOut(error),
  }),
  mutationCache: new MutationCache({
    onError: watchForSignOut,
    // Nearly every change shows up in several lists, and those on screen are few.
    onSuccess: () => void queryClient.invalidateQueries({ predicate: ({ meta }) => !meta?.['asksForSession'] }),
  }),
  defaultOptions: {
    queries: {
      // What the service refused, it refuses again; what did not arrive may do so.
      retry: (failures, error) => failures < RETRIES && refusalOf(error).code === null,
      staleTime: 5_000,
    },
  },
});
