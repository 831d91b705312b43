import { createPayoutMethod, retirePayoutMethod, updatePayoutMethod } from '../payouts/methods/payout-method.service.ts';
import { offeredMethods } from '../payouts/rails/offered-methods.ts';
import { openPayoutAccount } from '../payouts/rails/open-account.ts';
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
