import { trpc } from '../api/client.ts';
import { retry } from '../api/query-client.ts';

/** The query for this browser's session. Runs once, and again when the service reports that the session has ended. */
export const sessionQuery = trpc.session.get.queryOptions(undefined, {
  staleTime: Infinity,
  meta: { isSessionQuery: true },
  retry,
});
