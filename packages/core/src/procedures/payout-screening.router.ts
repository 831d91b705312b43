import { listScreeningLists } from '../payouts/screening/lists/load-list.ts';
import {
  ListPayoutScreenings,
  ListScreeningLists,
  PayoutScreeningId,
  PayoutScreeningPage,
  PayoutScreeningRecord,
  ReleasePayoutScreening,
  ScreeningListList,
} from '../payouts/screening/payout-screening.schema.ts';
import {
  getPayoutScreening,
  listPayoutScreenings,
  releasePayoutScreening,
} from '../payouts/screening/payout-screening.service.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of the comparison of affiliates with lists before they are paid. */
export const payoutScreeningsRouter = router({
  list: read('payouts')
    .meta(
      rest('GET', '/payout_screenings', {
        summary: 'List payout screenings',
        description:
          'Returns comparisons of affiliates with lists of people and companies that nobody may pay, newest first. There are none before `payout_screening` of the account is set.',
      }),
    )
    .input(ListPayoutScreenings)
    .output(PayoutScreeningPage)
    .query(({ ctx, input }) => listPayoutScreenings(ctx, input)),

  lists: read('payouts')
    .meta(
      rest('GET', '/payout_screenings/lists', {
        summary: 'List the lists for screenings',
        description: 'Returns the lists that the operator of the installation has loaded.',
      }),
    )
    .input(ListScreeningLists)
    .output(ScreeningListList)
    .query(async ({ ctx }) => ({ data: await listScreeningLists(ctx.services) })),

  get: read('payouts')
    .meta(rest('GET', '/payout_screenings/{id}', { summary: 'Retrieve a payout screening' }))
    .input(PayoutScreeningId)
    .output(PayoutScreeningRecord)
    .query(({ ctx, input }) => getPayoutScreening(ctx, input)),

  release: write('payout_outcomes', ReleasePayoutScreening)
    .meta(
      rest('POST', '/payout_screenings/{id}/release', {
        summary: 'Release a payout screening',
        description:
          'Lets an affiliate be paid in spite of a hit, for a signed-in person who has signed in within the last 15 minutes. It ends when the name, a payout method or the matching entries change. Payments that wait for it are sent.',
      }),
    )
    .output(PayoutScreeningRecord)
    .mutation(({ ctx, input }) => releasePayoutScreening(ctx, input)),
});
