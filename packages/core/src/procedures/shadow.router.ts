import { listShadows } from '../imports/shadow/shadow.queries.ts';
import { ListShadows, ShadowPage } from '../imports/shadow/shadow.schema.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';

export const shadowsRouter = router({
  list: read('imports')
    .meta(
      rest('GET', '/shadows', {
        mount: '/api/settings/v1',
        summary: 'Compare with a former tool',
        description:
          'Returns customers, newest first, with what the former tool and this service give for each of their sales: imported ones, and those that the payment provider has told. Computed when it is read, by the current terms of campaigns unless they have changed since; nothing is paid or stored.',
      }),
    )
    .input(ListShadows)
    .output(ShadowPage)
    .query(({ ctx, input }) => listShadows(ctx, input)),
});
