import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { PSP } from '../platform/wire/psp-name.ts';
import { getRefunds, listRefunds } from '../reports/refunds/refund.queries.ts';
import { GetRefunds, ListRefunds, RefundPage, RefundsOfSale } from '../reports/refunds/refund.schema.ts';

/** Refunds and lost disputes, from reports and from the payment provider. */
export const refundsRouter = router({
  list: read('sales')
    .meta(
      rest('GET', '/refunds', {
        summary: 'List refunds',
        description: `Returns the sales of which something was refunded, each with its refunds, whether you or ${PSP} reported them. Newest sales first unless \`sort\` says otherwise. To report a refund, use \`POST /track/refunds\`.`,
      }),
    )
    .input(ListRefunds)
    .output(RefundPage)
    .query(({ ctx, input }) => listRefunds(ctx, input)),

  get: read('sales')
    .meta(
      rest('GET', '/refunds/{sale_id}', {
        summary: 'Retrieve the refunds of a sale',
        description: 'Returns an empty list for a sale of which nothing was refunded.',
      }),
    )
    .input(GetRefunds)
    .output(RefundsOfSale)
    .query(({ ctx, input }) => getRefunds(ctx, input)),
});
