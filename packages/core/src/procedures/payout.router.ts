import { z } from 'zod';
import { CommissionPage, ListCommissions } from '../ledger/commissions/commission.expansions.ts';
import { listCommissions } from '../ledger/commissions/commission.queries.ts';
import { payPayout, updatePayout } from '../ledger/payouts/pay-payouts.ts';
import { GetPayout, ListPayouts, PayoutPage, PayoutRecord, PayoutsAsCsv } from '../ledger/payouts/payout.expansions.ts';
import { getPayout, listPayouts, payoutsAsCsv } from '../ledger/payouts/payout.queries.ts';
import { PayoutId, PayPayout, ReturnPayout, UpdatePayout } from '../ledger/payouts/payout.schema.ts';
import { returnPayout } from '../payouts/returns/return-payout.ts';
import { confirmRecord } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { pageInput } from '../platform/wire/pagination.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

const ListPayoutItems = z.strictObject({
  id: PayoutId.shape.id,
  ...pageInput,
  sort: ListCommissions.shape.sort,
  expand: ListCommissions.shape.expand,
});

export const payoutsRouter = router({
  list: rest(read('payouts'), 'GET /payouts', {
    summary: 'List payouts',
    description:
      'Returns payouts of every state, newest first unless `sort` says otherwise. With `eligible=true`, returns all eligible live payouts as `{ "data": [...] }`, without pagination; with `livemode=false`, the eligible test payouts.',
  })
    .input(ListPayouts)
    .output(PayoutPage)
    .query(({ ctx, input }) => listPayouts(ctx, input)),

  csv: rest(read('payouts'), 'GET /payouts.csv', {
    summary: 'Download payouts as CSV',
    description: 'Returns the whole list with the given filters as one file, without pages.',
    csv: true,
  })
    .input(PayoutsAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => payoutsAsCsv(ctx, input)),

  timeline: rest(read('payouts', 'commissions'), 'GET /payouts/{id}/timeline', {
    summary: 'Retrieve the timeline of a payout',
    description: 'Returns what happened to the payout: its commissions, and when it was claimed, paid and returned.',
  })
    .input(PayoutId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'payout', input.id)),

  get: rest(read('payouts'), 'GET /payouts/{id}', { summary: 'Retrieve a payout' })
    .input(GetPayout)
    .output(PayoutRecord)
    .query(({ ctx, input }) => getPayout(ctx, input)),

  items: rest(read('payouts', 'commissions'), 'GET /payouts/{id}/items', {
    summary: 'List the commissions of a payout',
    description: 'Returns the commissions that the payout holds. A returned payout holds none.',
  })
    .input(ListPayoutItems)
    .output(CommissionPage)
    .query(async ({ ctx, input: { id, ...page } }) => {
      await getPayout(ctx, { id });
      return listCommissions(ctx, { ...page, payout_id: id });
    }),

  update: rest(write('payouts', UpdatePayout), 'PATCH /payouts/{id}', {
    summary: 'Update a payout',
    description: 'Changes your ID and your metadata of a payout in any state. To pay a payout, use `POST /payouts/{id}/pay`.',
  })
    .output(PayoutRecord)
    .mutation(({ ctx, input }) => updatePayout(ctx, input)),

  pay: rest(write('payouts', PayPayout, { confirmed: true }), 'POST /payouts/{id}/pay', {
    summary: 'Mark a payout as paid',
    description:
      'Marks the payout and its commissions as paid and emits `payout.paid`. Does not transfer money. The payout must be open (`pending` or `due`) with an amount above zero; it does not have to be eligible. Fails if it is claimed by an export or a run, or already paid.',
  })
    .output(PayoutRecord)
    .mutation(({ ctx, input }) => payPayout(ctx, input)),

  return: rest(write('payouts', ReturnPayout, { confirmed: true }), 'POST /payouts/{id}/return', {
    summary: 'Return a payout',
    description:
      'For a paid payout whose transfer bounced. Its commissions are due again and join the affiliate’s open payout; the payout is kept as `returned`. Emits `payout.returned`. Returning a returned payout has no effect. Fails with `not_paid` if the payout is not paid.',
  })
    .output(PayoutRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await returnPayout(ctx, input))),
});
