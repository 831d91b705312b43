import {
  createPayoutRail,
  CreatePayoutRail,
  getPayoutRail,
  listPayoutRailKinds,
  ListPayoutRailKinds,
  listPayoutRails,
  ListPayoutRails,
  PayoutRailId,
  PayoutRailKindList,
  PayoutRailPage,
  PayoutRailRecord,
  removePayoutRail,
  resumePayoutRail,
} from '../payouts/rails/payout-rail.ts';
import { onceResumable } from '../platform/idempotency/idempotency.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of the accounts at services that pay affiliates. */
export const payoutRailsRouter = router({
  list: rest(read('psp'), 'GET /api/settings/v1/payout_rails', {
    summary: 'List payout rails',
    description: 'Returns the connected accounts at services that pay affiliates, newest first.',
  })
    .input(ListPayoutRails)
    .output(PayoutRailPage)
    .query(({ ctx, input }) => listPayoutRails(ctx, input)),

  kinds: rest(read('psp'), 'GET /api/settings/v1/payout_rails/kinds', {
    summary: 'List the services that can be connected',
    description: 'Returns the kinds of services that pay affiliates, with the fields of their `credentials`.',
  })
    .input(ListPayoutRailKinds)
    .output(PayoutRailKindList)
    .query(({ ctx }) => listPayoutRailKinds(ctx)),

  get: rest(read('psp'), 'GET /api/settings/v1/payout_rails/{id}', { summary: 'Retrieve a payout rail' })
    .input(PayoutRailId)
    .output(PayoutRailRecord)
    .query(({ ctx, input }) => getPayoutRail(ctx, input)),

  create: rest(operate('psp', CreatePayoutRail), 'POST /api/settings/v1/payout_rails', {
    summary: 'Connect a payout rail',
    description:
      'Connects your account at a service that pays affiliates. Checks the credentials there, stores them encrypted, and has the service send its notices. Connecting the same account again replaces its credentials and continues its payments.',
    status: 201,
    errors: ['PSP_ERROR'],
  })
    .output(PayoutRailRecord)
    .mutation(({ ctx, input }) =>
      onceResumable<PayoutRailRecord>(ctx, ctx.request, (keep) => createPayoutRail(ctx, input, keep)),
    ),

  resume: rest(write('psp', PayoutRailId), 'POST /api/settings/v1/payout_rails/{id}/resume', {
    summary: 'Resume a payout rail',
    description: 'Has payments sent again that wait because of the `problem` of the rail. Correct the cause first.',
  })
    .output(PayoutRailRecord)
    .mutation(({ ctx, input }) => resumePayoutRail(ctx, input)),

  remove: rest(write('psp', PayoutRailId), 'DELETE /api/settings/v1/payout_rails/{id}', {
    summary: 'Remove a payout rail',
    description:
      'Deletes the stored credentials. Payments that are not sent wait for another rail of the kind. Those under way are followed again when the same account is connected again.',
    status: 204,
  })
    .output(PayoutRailRecord)
    .mutation(({ ctx, input }) => removePayoutRail(ctx, input)),
});
