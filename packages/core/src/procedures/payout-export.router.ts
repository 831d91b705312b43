import { asLongRead } from '@affiliate/postgres';
import { settleBeforeClaims } from '../attribution/settle-decisions.ts';
import { payPayoutExport } from '../payouts/exports/pay-export.ts';
import { getPayoutExport, listPayoutExports } from '../payouts/exports/payout-export.queries.ts';
import {
  ApprovePayoutExport,
  CheckPayoutExport,
  CREATE_TEXTS,
  CreatedPayoutExport,
  CreatePayoutExport,
  GetPayoutExport,
  ListPayoutExports,
  PayoutExportCheck,
  PayoutExportFile,
  PayoutExportId,
  PayoutExportPage,
  PayoutExportRecord,
  PayoutExportReport,
  PayPayoutExport,
  ReportPayoutExport,
  TakeOutOfPayoutExport,
} from '../payouts/exports/payout-export.schema.ts';
import {
  approvePayoutExport,
  checkPayoutExport,
  createPayoutExport,
  releasePayoutExport,
  takeOutOfPayoutExport,
} from '../payouts/exports/payout-export.service.ts';
import { reportPayoutExport } from '../payouts/exports/report-export.ts';
import { confirmRecord } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { PayoutExportDownload, getExportDownload } from '../portal/downloads/download-url.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

export const payoutExportsRouter = router({
  list: rest(read('payout_exports'), 'GET /payout_exports', {
    summary: 'List payout exports',
    description: 'Returns exports that are not deleted, newest first, without their files.',
  })
    .input(ListPayoutExports)
    .output(PayoutExportPage)
    .query(({ ctx, input }) => listPayoutExports(ctx, input)),

  timeline: rest(read('payout_exports', 'payouts'), 'GET /payout_exports/{id}/timeline', {
    summary: 'Retrieve the timeline of a payout export',
    description: 'Returns what happened: when its payouts were claimed, paid and returned, the latest 50 of them.',
  })
    .input(PayoutExportId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'payout_export', input.id)),

  check: rest(read('payout_exports'), 'GET /payout_exports/check', {
    summary: 'Check a payout export',
    description:
      'Returns for each format which payouts an export created now would include, and which ones a file of the format cannot pay, with the reason. Each payout in `payout_ids` must be eligible. Changes nothing.',
  })
    .input(CheckPayoutExport)
    .output(PayoutExportCheck)
    .query(({ ctx, input }) => checkPayoutExport(ctx, input)),

  get: rest(read('payout_exports'), 'GET /payout_exports/{id}', {
    summary: 'Retrieve a payout export',
    description:
      'Includes the file in `filename` and `content`. The content is fixed when the export is created; `export_format` returns the same payouts in another format. Also returns deleted exports.',
  })
    .input(GetPayoutExport)
    .output(PayoutExportFile)
    .query(({ ctx, input }) => asLongRead(() => getPayoutExport(ctx, input))),

  /** Used by the pages. Not part of the REST API, which returns the file with the export. */
  download: read('payout_exports')
    .input(GetPayoutExport)
    .output(PayoutExportDownload)
    .query(({ ctx, input }) => asLongRead(() => getExportDownload(ctx, input))),

  create: rest(
    write('payout_exports', CreatePayoutExport, { confirmed: true, check: settleBeforeClaims }),
    'POST /payout_exports',
    {
      summary: 'Create a payout export',
      ...CREATE_TEXTS,
      status: 201,
    },
  )
    .output(CreatedPayoutExport)
    .mutation(({ ctx, input }) => createPayoutExport(ctx, input)),

  release: rest(write('payout_exports', PayoutExportId, { confirmed: true }), 'DELETE /payout_exports/{id}', {
    summary: 'Delete a payout export',
    description:
      'Releases the payouts. Commissions earned since the export was created are added to them. A paid export cannot be deleted. A deleted export is no longer listed, but can still be retrieved. Deleting a deleted export has no effect.',
  })
    .output(PayoutExportRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await releasePayoutExport(ctx, input))),

  takeOut: rest(write('payout_exports', TakeOutOfPayoutExport, { confirmed: true }), 'POST /payout_exports/{id}/take_out', {
    summary: 'Take payouts out of a payout export',
    description:
      'Releases payouts of an export that is not paid, as if they had never been in it. `content` no longer has them, so send the bank the new file. If the bank has paid the former file already, mark the export as paid instead.',
  })
    .output(PayoutExportRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await takeOutOfPayoutExport(ctx, input))),

  approve: rest(write('payout_exports', ApprovePayoutExport, { confirmed: true }), 'POST /payout_exports/{id}/approve', {
    summary: 'Approve a payout export',
    description:
      'Approves exactly the payouts of the export, so that its file can be read, for a signed-in person who did not create it and has signed in within the last 15 minutes. An API key counts as the person who made it. Pays nothing.',
  })
    .output(PayoutExportRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await approvePayoutExport(ctx, input))),

  pay: rest(operate('payout_exports', PayPayoutExport, { confirmed: true }), 'POST /payout_exports/{payout_export_id}/payment', {
    summary: 'Mark a payout export as paid',
    description:
      'Marks all payouts in the export and their commissions as paid, and emits `payout.paid` for each payout. Does not transfer money. Checks all payouts again, and fails and lists those that have changed since the export was created: the affiliate is not active, the payout details or the amount have changed, or a commission was voided or flagged. If the money was sent already, set `already_sent`. An export of up to 2,000 payouts is `paid` in the response. A larger one is returned as `paying` and finished in the background; `paid_count` shows the progress.',
  })
    .output(PayoutExportRecord)
    .mutation(({ ctx, input }) => payPayoutExport(ctx, { procedure: 'payoutExports.pay', input, status: () => 200 }, input)),

  report: rest(
    operate('payout_exports', ReportPayoutExport, { confirmed: true }),
    'POST /payout_exports/{payout_export_id}/report',
    {
      summary: 'Apply a report of the bank',
      description:
        'Reads what your bank says about the payments of a `bank_sepa` export: what was booked is marked as paid, what was rejected is open again, and what came back is returned. The rest stays as it is, so several reports may follow one another. A report that is sent again changes nothing.',
    },
  )
    .output(PayoutExportReport)
    .mutation(({ ctx, input }) =>
      reportPayoutExport(ctx, { procedure: 'payoutExports.report', input, status: () => 200 }, input),
    ),
});
