import {
  CommissionPage,
  CommissionRecord,
  CommissionsAsCsv,
  GetCommission,
  ListCommissions,
} from '../ledger/commissions/commission.expansions.ts';
import { commissionsAsCsv, getCommission, listCommissions } from '../ledger/commissions/commission.queries.ts';
import {
  CommissionId,
  CreateCommission,
  ReviewCommission,
  UpdateCommission,
  VoidCommission,
} from '../ledger/commissions/commission.schema.ts';
import {
  reviewCommission,
  updateCommission,
  voidCommission,
  createManualCommission,
} from '../ledger/earning/commission.service.ts';
import { confirmEffect, confirmRecord, effectOn } from '../platform/previews/confirm-effect.ts';
import { bulkInput, bulkOutput, onceForEach } from '../platform/trpc/bulk.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

export const commissionsRouter = router({
  list: rest(read('commissions'), 'GET /commissions', {
    summary: 'List commissions',
    description: 'Returns commissions of every state, newest first unless `sort` says otherwise.',
  })
    .input(ListCommissions)
    .output(CommissionPage)
    .query(({ ctx, input }) => listCommissions(ctx, input)),

  csv: rest(read('commissions'), 'GET /commissions.csv', {
    summary: 'Download commissions as CSV',
    description: 'Returns the whole list with the given filters as one file, without pages.',
    csv: true,
  })
    .input(CommissionsAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => commissionsAsCsv(ctx, input)),

  timeline: rest(read('commissions', 'referrals', 'payouts'), 'GET /commissions/{id}/timeline', {
    summary: 'Retrieve the timeline of a commission',
    description: 'Returns what happened to the commission: the sale, refunds, adjustments, and the payout.',
  })
    .input(CommissionId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'commission', input.id)),

  get: rest(read('commissions'), 'GET /commissions/{id}', {
    summary: 'Retrieve a commission',
    description: 'Includes the campaign and the sale.',
  })
    .input(GetCommission)
    .output(CommissionRecord)
    .query(({ ctx, input }) => getCommission(ctx, input.id, input.expand)),

  create: rest(write('commissions', CreateCommission, { confirmed: true }), 'POST /commissions', {
    summary: 'Create a manual commission',
    description:
      'For a bonus or a correction, positive or negative. It becomes due, joins the affiliate’s open payout, and is paid and voided like any other commission. It is not linked to a sale. Emits `commission.created` and, when it is due, `commission.due`.',
    status: 201,
  })
    .output(CommissionRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await createManualCommission(ctx, input))),

  createMany: rest(operate('commissions', bulkInput(CreateCommission)), 'POST /commissions/bulk', {
    summary: 'Create up to 100 manual commissions',
    description:
      'Each item has a transaction of its own, and a result. An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues after an interruption.',
  })
    .output(bulkOutput(CommissionRecord, 'CommissionsBulk'))
    .mutation(({ ctx, input }) =>
      onceForEach(ctx, { procedure: 'commissions.create', items: input.items }, async (tx, item) => ({
        record: await createManualCommission(tx, item),
        created: true,
      })),
    ),

  update: rest(write('commissions', UpdateCommission, { confirmed: true }), 'PATCH /commissions/{id}', {
    summary: 'Update a commission',
    description:
      'Set `paid_at` to mark the commission paid manually, or to `null` to make it pending or due again, depending on its due date. A voided commission, or a commission in a claimed or paid payout, cannot be marked paid or unpaid. The due date of an unpaid commission in a claimed payout cannot be changed.',
  })
    .output(CommissionRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await updateCommission(ctx, input))),

  void: rest(write('commissions', VoidCommission, { confirmed: true }), 'DELETE /commissions/{id}', {
    summary: 'Void a commission',
    description:
      'The record is kept. If the commission is already in a claimed or paid payout, that payout does not change and a negative adjustment reduces the affiliate’s next payout. Emits `commission.voided`. Voiding a voided commission has no effect.',
    status: 204,
  })
    .output(CommissionRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await voidCommission(ctx, input))),

  review: rest(write('commissions', ReviewCommission, { confirmed: true }), 'POST /commissions/{id}/review', {
    summary: 'Review a commission',
    description:
      'Approves, flags, or deactivates an unpaid commission, or has a paid bonus, reward for a lead or milestone decided again. Other paid commissions and voided ones cannot be reviewed.',
  })
    .output(CommissionRecord)
    .mutation(async ({ ctx, input }) => {
      const { record, contested } = await reviewCommission(ctx, input);
      await confirmEffect(ctx, () => ({ ...effectOn(record), contested }));
      return record;
    }),
});
