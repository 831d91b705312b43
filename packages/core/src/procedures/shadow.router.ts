import { listShadows, sumShadows } from '../imports/comparison/comparison.queries.ts';
import { ListShadows, ShadowPage, ShadowSums, SumShadows } from '../imports/comparison/comparison.schema.ts';
import { BeginShadow, EndShadow, Shadow } from '../imports/shadow.schema.ts';
import { beginShadow, endShadow, getShadow } from '../imports/shadow.service.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

export const shadowsRouter = router({
  get: read('imports')
    .meta(rest('GET', '/api/settings/v1/shadow', { summary: 'Retrieve the shadow' }))
    .output(Shadow)
    .query(({ ctx }) => getShadow(ctx)),

  begin: write('imports', BeginShadow)
    .meta(
      rest('POST', '/api/settings/v1/shadow', {
        summary: 'Begin a shadow',
        description:
          'From now on, your former tool decides what sales earn, and pays: sales are recorded here and earn nothing, payouts wait, and affiliates get no news by email. Imports keep their keys and read their tools again each day, so that you can compare. With `since`, the former tool has decided from then on, and your payment providers are asked for all payments since. An account that is a shadow already may get an earlier beginning.',
      }),
    )
    .output(Shadow)
    .mutation(({ ctx, input }) => beginShadow(ctx, input)),

  end: write('imports', EndShadow)
    .meta(
      rest('POST', '/api/settings/v1/shadow/end', {
        summary: 'End the shadow',
        description:
          'Makes the switch: what is charged from now on earns here. Imports from tools read them once more, in the background, so that everything is here that was decided there until now. Payouts wait until they have.',
      }),
    )
    .output(Shadow)
    .mutation(({ ctx, input }) => endShadow(ctx, input)),

  list: read('imports')
    .meta(
      rest('GET', '/api/settings/v1/shadows', {
        summary: 'Compare with a former tool',
        description:
          'Returns customers, newest first, with what the former tool and this service give for each of their sales: imported ones, and those that the payment provider has told. Computed when it is read, by the current terms of campaigns unless they have changed since; nothing is paid or stored.',
      }),
    )
    .input(ListShadows)
    .output(ShadowPage)
    .query(({ ctx, input }) => listShadows(ctx, input)),

  sums: read('imports')
    .meta(
      rest('GET', '/api/settings/v1/shadows/sums', {
        summary: 'Sum up the comparison with a former tool',
        description:
          'Returns what the former tool and this service give, by affiliate, month and currency, for the next 200 customers. Add the sums of all parts: pass `next` as `after` until it is `null`.',
      }),
    )
    .input(SumShadows)
    .output(ShadowSums)
    .query(({ ctx, input }) => sumShadows(ctx, input)),
});
