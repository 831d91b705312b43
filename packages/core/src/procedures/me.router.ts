import { CallerRecord } from '../identity/credentials/caller.schema.ts';
import { describeCaller } from '../identity/credentials/describe-caller.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { readOwn, router } from '../platform/trpc/trpc.ts';

/** The caller of the API. */
export const meRouter = router({
  get: readOwn()
    .meta(
      rest('GET', '/me', {
        mount: '/api/settings/v1',
        summary: 'Retrieve the caller',
        description: 'Returns who sends the request, and with which permissions.',
      }),
    )
    .output(CallerRecord)
    .query(({ ctx }) => describeCaller(ctx)),
});
