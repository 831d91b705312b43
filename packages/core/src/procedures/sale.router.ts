import { getListedSale, listSales, salesAsCsv } from '../earnings/sales/sale-list.queries.ts';
import { ListSales, ListedSale, SaleId, SalePage, SalesAsCsv } from '../earnings/sales/sale-list.schema.ts';
import type { Resource } from '../platform/access/permissions.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { CsvPart } from '../platform/wire/csv-list.ts';

/** Resources that a sale shows. */
const RESOURCES = ['sales', 'referrals', 'affiliates'] as const satisfies Resource[];

/** Sales for the pages; not under /api/v1. */
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
});
