import { createPayoutMethod, retirePayoutMethod, updatePayoutMethod } from '../payouts/methods/payout-method.service.ts';
import { offeredMethods } from '../payouts/rails/offered-methods.ts';
import { openPayoutAccount } from '../payouts/rails/open-account.ts';
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
import { confirmRecord } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import {
  CreatePayoutMethod,
  ListPayoutMethodKinds,
  ListPayoutMethods,
  OpenedPayoutAccount,
  OpenPayoutAccount,
  PayoutMethodId,
  PayoutMethodKindList,
  PayoutMethodPage,
  PayoutMethodRecord,
  UpdatePayoutMethod,
} from '../program/payout-methods/payout-method.schema.ts';
import { getPayoutMethod, listPayoutMethods } from '../program/payout-methods/payout-method.ts';

/** Procedures of payout methods. Their writes need the permission to write payouts, because an address decides where money goes. */
export const payoutMethodsRouter = router({
  list: rest(read('payouts'), 'GET /payout_methods', {
    summary: 'List payout methods',
    description: 'Returns the methods of affiliates, newest first. Methods that were removed are returned with `retired=true`.',
  })
    .input(ListPayoutMethods)
    .output(PayoutMethodPage)
    .query(({ ctx, input }) => listPayoutMethods(ctx, input)),

  kinds: rest(read('payouts'), 'GET /payout_methods/kinds', {
    summary: 'List the kinds of payout methods',
    description:
      'Returns the kinds of methods to which affiliates can be paid now, with the parts of their addresses. Bank accounts are among them once your own account is connected (`payout_rails`).',
  })
    .input(ListPayoutMethodKinds)
    .output(PayoutMethodKindList)
    .query(async ({ ctx }) => ({ data: await offeredMethods(ctx.db, ctx.services, ctx.accountId) })),

  get: rest(read('payouts'), 'GET /payout_methods/{id}', { summary: 'Retrieve a payout method' })
    .input(PayoutMethodId)
    .output(PayoutMethodRecord)
    .query(({ ctx, input }) => getPayoutMethod(ctx, input.id)),

  create: rest(write('payouts', CreatePayoutMethod, { confirmed: true }), 'POST /payout_methods', {
    summary: 'Add a payout method',
    description:
      'Adds a way in which an affiliate is paid. The affiliate is told by email. Emits `payout_method.created`. Fails if the affiliate has a method of the kind.',
    status: 201,
  })
    .output(PayoutMethodRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await createPayoutMethod(ctx, input))),

  update: rest(write('payouts', UpdatePayoutMethod, { confirmed: true }), 'PATCH /payout_methods/{id}', {
    summary: 'Change a payout method',
    description:
      'Changes the address. Payments that are prepared and not sent are withdrawn, and the former address is told by email. Emits `payout_method.updated`.',
  })
    .output(PayoutMethodRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await updatePayoutMethod(ctx, input))),

  openAccount: rest(operate('payouts', OpenPayoutAccount), 'POST /payout_methods/open_account', {
    summary: 'Open an account for an affiliate',
    description:
      'Opens an account for an affiliate at a service that pays nobody without one. It becomes the payout method of the affiliate. Makes a link where the affiliate enters what the service asks for. For an affiliate who has one, makes another link. Emits `payout_method.created`.',
    errors: ['PSP_ERROR'],
  })
    .output(OpenedPayoutAccount)
    .mutation(({ ctx, input }) =>
      onceResumable<OpenedPayoutAccount>(ctx, ctx.request, (keep) => openPayoutAccount(ctx, input, keep)),
    ),

  retire: rest(write('payouts', PayoutMethodId, { confirmed: true }), 'DELETE /payout_methods/{id}', {
    summary: 'Remove a payout method',
    description: 'A removed method can still be retrieved. Removing it again has no effect. Emits `payout_method.updated`.',
    status: 204,
  })
    .output(PayoutMethodRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await retirePayoutMethod(ctx, input))),
});

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
