import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getPayoutExport, listPayoutExports } from '../payouts/exports/payout-export.queries.ts';
import {
  CreatePayoutExport,
  GetPayoutExport,
  ListPayoutExports,
  PayoutExportFile,
  PayoutExportId,
  PayoutExportPage,
  PayoutExportRecord,
  PayPayoutExport,
} from '../payouts/exports/payout-export.schema.ts';
import { createPayoutExport, payPayoutExport, releasePayoutExport } from '../payouts/exports/payout-export.service.ts';

export const payoutExportsRouter = router({
  list: read('payout_exports')
    .meta(
      rest('GET', '/payout_exports', {
        summary: 'List payout exports',
        description: 'Newest first, without their content. Deleted ones are not listed.',
      }),
    )
    .input(ListPayoutExports)
    .output(PayoutExportPage)
    .query(({ ctx, input }) => listPayoutExports(ctx, input)),

  get: read('payout_exports')
    .meta(
      rest('GET', '/payout_exports/{id}', {
        summary: 'Get a payout export',
        description:
          'With `filename` and `content`. The content is frozen at creation; `export_format` renders the same payouts in another format. A deleted export can still be read.',
      }),
    )
    .input(GetPayoutExport)
    .output(PayoutExportFile)
    .query(({ ctx, input }) => getPayoutExport(ctx, input)),

  create: write('payout_exports', CreatePayoutExport)
    .meta(
      rest('POST', '/payout_exports', {
        summary: 'Export payouts',
        description:
          'Claims the payouts given, or all eligible ones: nobody else can pay them until this export is paid or deleted, and new commissions go into their affiliates’ next payouts. Refused, naming the payouts, when one is not eligible, lacks the wallet’s address, has another currency than the rest (`walleta`), or is one too many (`walleta` 5,000, `walletb` 1,000, `csv` 100,000).',
        status: 201,
      }),
    )
    .output(PayoutExportRecord)
    .mutation(({ ctx, input }) => createPayoutExport(ctx, input)),

  release: write('payout_exports', PayoutExportId)
    .meta(
      rest('DELETE', '/payout_exports/{id}', {
        summary: 'Delete a payout export',
        description:
          'Releases its payouts: they are open again, joined with what their affiliates have earned meanwhile. Refused once the export is paid. It leaves the list and stays readable by id; deleting it again changes nothing.',
      }),
    )
    .output(PayoutExportRecord)
    .mutation(({ ctx, input }) => releasePayoutExport(ctx, input)),

  pay: write('payout_exports', PayPayoutExport)
    .meta(
      rest('POST', '/payout_exports/{payout_export_id}/payment', {
        summary: 'Mark a payout export paid',
        description: 'Marks all its payouts and their commissions paid at once, and emits `payout.paid` for each payout.',
      }),
    )
    .output(PayoutExportRecord)
    .mutation(({ ctx, input }) => payPayoutExport(ctx, input)),
});
