import { createLead, updateReferral } from '../intake/sales/update-referral.ts';
import { bulkInput, bulkOutput, onceForEach } from '../platform/trpc/bulk.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { createReferral, deactivateReferral } from '../program/referrals/referral.service.ts';
import {
  CreateLead,
  CreateReferral,
  GetReferral,
  getReferral,
  ListLeads,
  ListReferrals,
  listReferrals,
  ReferralId,
  ReferralPage,
  ReferralRecord,
  ReferralsAsCsv,
  referralsAsCsv,
  UpdateReferral,
} from '../program/referrals/referral.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

export const referralsRouter = router({
  list: rest(read('referrals'), 'GET /referrals', {
    summary: 'List referrals',
    description: 'Returns referrals, including deactivated and expired ones, newest first unless `sort` says otherwise.',
  })
    .input(ListReferrals)
    .output(ReferralPage)
    .query(({ ctx, input }) => listReferrals(ctx, input)),

  csv: rest(read('referrals'), 'GET /referrals.csv', {
    summary: 'Download referrals as CSV',
    description: 'Returns the whole list with the given filters as one file, without pages.',
    csv: true,
  })
    .input(ReferralsAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => referralsAsCsv(ctx, input)),

  timeline: rest(read('referrals', 'commissions', 'payouts'), 'GET /referrals/{id}/timeline', {
    summary: 'Retrieve the timeline of a referral',
    description: 'Returns what happened to the referral: clicks, the conversion, sales, refunds, commissions and their payouts.',
  })
    .input(ReferralId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'referral', input.id)),

  get: rest(read('referrals'), 'GET /referrals/{id}', { summary: 'Retrieve a referral' })
    .input(GetReferral)
    .output(ReferralRecord)
    .query(({ ctx, input }) => getReferral(ctx, input)),

  create: rest(write('referrals', CreateReferral), 'POST /referrals', {
    summary: 'Create a referral',
    description:
      'Visits through tracked links create referrals automatically. Emits `referral.created`, and `referral.converted` if `conversion_state` is `conversion`.',
    status: 201,
  })
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => createReferral(ctx, input)),

  createMany: rest(operate('referrals', bulkInput(CreateReferral)), 'POST /referrals/bulk', {
    summary: 'Create up to 100 referrals',
    description:
      'Each item has a transaction of its own, and a result. An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues after an interruption.',
  })
    .output(bulkOutput(ReferralRecord, 'ReferralsBulk'))
    .mutation(({ ctx, input }) =>
      onceForEach(ctx, { procedure: 'referrals.create', items: input.items }, async (tx, item) => ({
        record: await createReferral(tx, item),
        created: true,
      })),
    ),

  update: rest(write('referrals', UpdateReferral), 'PATCH /referrals/{id}', {
    summary: 'Update a referral',
    description:
      'Updates the given fields. Emits `referral.converted` when `conversion_state` becomes `conversion`. Assigning a customer also attributes the customer’s unattributed sales.',
  })
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => updateReferral(ctx, input)),

  deactivate: rest(write('referrals', ReferralId), 'DELETE /referrals/{id}', {
    summary: 'Deactivate a referral',
    description:
      'The referral stops earning; its existing commissions are not affected. To reactivate it, set `deactivated_at` to `null`.',
    status: 204,
  })
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => deactivateReferral(ctx, input)),
});

/** Leads: referrals whose visitor signed up and has not paid. */
export const leadsRouter = router({
  list: rest(read('referrals'), 'GET /leads', {
    summary: 'List leads',
    description:
      'Returns the referrals in the state `lead`: the visitor signed up and has not paid. Newest first unless `sort` says otherwise.',
  })
    .input(ListLeads)
    .output(ReferralPage)
    .query(({ ctx, input }) => listReferrals(ctx, { ...input, conversion_state: ['lead'] })),

  create: rest(write('referrals', CreateLead, { facts: true }), 'POST /leads', {
    summary: 'Report a lead from your server',
    description:
      'Assigns the customer to the referral, which becomes a lead unless it converted already. Unlike `POST /track/leads`, it proves who the customer is, so later commissions are not flagged.',
    status: 201,
  })
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => createLead(ctx, input)),
});
