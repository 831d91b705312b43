import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, refusalOf } from './refusal.ts';

const RETRIES = 2;

/** Fires `doubted` when the service no longer knows who calls, or refused what their role here seemed to allow. */
export const sessionDoubts = new EventTarget();

function watchForDoubts(error: unknown): void {
  if (isSignedOut(error) || refusalOf(error).code === 'FORBIDDEN') sessionDoubts.dispatchEvent(new Event('doubted'));
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // The question who has signed in is the one that expects to be answered so.
    onError: (error, { meta }) => meta?.['asksForSession'] || watchForDoubts(error),
  }),
  mutationCache: new MutationCache({
    onError: watchForDoubts,
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
