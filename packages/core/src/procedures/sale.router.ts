import { getListedSale, listSales, salesAsCsv } from '../earnings/sales/sale-list.queries.ts';
import { ListSales, ListedSale, SaleId, SalePage, SalesAsCsv } from '../earnings/sales/sale-list.schema.ts';
import type { Resource } from '../platform/access/permissions.ts';
import { onceInTransaction } from '../platform/idempotency/idempotency.ts';
import { operate, read, rest, router, write } from '../platform/trpc/trpc.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { CsvPart } from '../platform/wire/csv-list.ts';
import { AssignedSale, AssignSale } from '../tracking/assigned-sales/assign-sale.schema.ts';
import { assignSale } from '../tracking/assigned-sales/assign-sale.ts';
import { reconsiderSale } from '../tracking/assigned-sales/reconsider-sale.ts';
import { ReconsideredSale } from '../tracking/assigned-sales/reconsider-sale.schema.ts';

/** Resources whose data a sale record shows. */
const RESOURCES = ['sales', 'referrals', 'affiliates'] as const satisfies Resource[];

/** Procedures about sales. */
export const salesRouter = router({
  list: read(...RESOURCES)
    .input(ListSales)
    .output(SalePage)
    .query(({ ctx, input }) => listSales(ctx, input)),

  csv: read(...RESOURCES)
    .input(SalesAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => salesAsCsv(ctx, input)),

  timeline: read(...RESOURCES, 'commissions', 'payouts')
    .input(SaleId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'sale', input.id)),

  get: read(...RESOURCES)
    .input(SaleId)
    .output(ListedSale)
    .query(({ ctx, input }) => getListedSale(ctx, input.id)),

  reconsider: write('sales', SaleId)
    .meta(
      rest('POST', '/sales/{id}/reconsider', {
        summary: 'Reconsider a sale',
        description:
          'Decides again about a sale that earned nothing, by the present state of the affiliate, the campaign and the referral, and the present terms, instead of those at the time of the charge. Other facts never do this. A sale that has earned a commission does not change, unless the commission was paid, later facts gave the sale to another affiliate, and a person has voided the commission.',
      }),
    )
    .output(ReconsideredSale)
    .mutation(({ ctx, input }) => reconsiderSale(ctx, input)),

  assign: operate('sales', AssignSale)
    .output(AssignedSale)
    .mutation(({ ctx, input }) => {
      const { dry_run, ...assignment } = input;
      // A dry run is a preview and ignores the Idempotency-Key.
      const scope = dry_run ? { ...ctx, idempotencyKey: undefined, preview: ctx.preview ?? { events: [] } } : ctx;
      return onceInTransaction(scope, { procedure: 'sales.assign', input }, (tx) => assignSale(tx, assignment));
    }),
});
