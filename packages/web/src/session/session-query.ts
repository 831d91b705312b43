import { trpc } from '../api/client.ts';
import { retry } from '../api/query-client.ts';

/** The session of this browser: loaded once, and again when the service says that it has ended. */
export const sessionQuery = trpc.session.get.queryOptions(undefined, {
  staleTime: Infinity,
  meta: { isSessionQuery: true },
  // A query that is asked for ahead of the page would not be retried by itself.
  retry,
});
