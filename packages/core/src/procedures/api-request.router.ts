import { listApiRequests } from '../identity/api-log/api-log.queries.ts';
import { ApiRequestPage, ListApiRequests } from '../identity/api-log/api-log.schema.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';

/** The API log (docs/rules/identity.md#api-log). Requires the permission to read API keys. */
export const apiRequestsRouter = router({
  list: read('api_keys')
    .meta(
      rest('GET', '/api_requests', {
        mount: '/api/settings/v1',
        summary: 'List requests with API keys',
        description:
          'Returns the requests of the last 7 days to `/api/v1`, `/api/settings/v1` and `/track`, newest first. Bodies, queries and headers are not kept. A request is listed about a second after its response. Read further pages by cursor.',
      }),
    )
    .input(ListApiRequests)
    .output(ApiRequestPage)
    .query(({ ctx, input }) => listApiRequests(ctx, input)),
});
