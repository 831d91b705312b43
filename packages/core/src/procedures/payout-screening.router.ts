import {
  ConfigureScreening,
  configureScreening,
  getPayoutScreening,
  GetScreeningSettings,
  getScreeningSettings,
  ListPayoutScreenings,
  listPayoutScreenings,
  PayoutScreeningId,
  PayoutScreeningPage,
  PayoutScreeningRecord,
  ReleasePayoutScreening,
  releasePayoutScreening,
  ScreeningSettings,
} from '../payouts/screening/payout-screening.ts';
import { confirmRecord } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of the comparison of affiliates with lists before they are paid. */
export const payoutScreeningsRouter = router({
  list: rest(read('payouts'), 'GET /payout_screenings', {
    summary: 'List payout screenings',
    description:
      'Returns comparisons of affiliates with lists of people and companies that nobody may pay, newest first. There are none unless the account compares affiliates (`PUT /api/settings/v1/payout_screening`).',
  })
    .input(ListPayoutScreenings)
    .output(PayoutScreeningPage)
    .query(({ ctx, input }) => listPayoutScreenings(ctx, input)),

  settings: rest(read('payouts'), 'GET /api/settings/v1/payout_screening', {
    summary: 'Retrieve the settings of payout screenings',
    description:
      'Returns whether affiliates are compared with lists before they are paid, and the lists that the operator of the installation has loaded.',
  })
    .input(GetScreeningSettings)
    .output(ScreeningSettings)
    .query(({ ctx }) => getScreeningSettings(ctx)),

  configure: rest(write('psp', ConfigureScreening), 'PUT /api/settings/v1/payout_screening', {
    summary: 'Change the settings of payout screenings',
    description:
      'Has affiliates compared with lists before they are paid, or not any more. Payouts wait until their affiliates are compared, usually for less than a minute. `null` needs a person who has signed in within the last 15 minutes.',
  })
    .output(ScreeningSettings)
    .mutation(({ ctx, input }) => configureScreening(ctx, input)),

  get: rest(read('payouts'), 'GET /payout_screenings/{id}', { summary: 'Retrieve a payout screening' })
    .input(PayoutScreeningId)
    .output(PayoutScreeningRecord)
    .query(({ ctx, input }) => getPayoutScreening(ctx, input)),

  release: rest(write('payout_outcomes', ReleasePayoutScreening, { confirmed: true }), 'POST /payout_screenings/{id}/release', {
    summary: 'Release a payout screening',
    description:
      'Lets an affiliate be paid in spite of a hit, for a signed-in person who has signed in within the last 15 minutes. It ends when the name, a payout method or the matching entries change. Payments that wait for it are sent.',
  })
    .output(PayoutScreeningRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await releasePayoutScreening(ctx, input))),
});
