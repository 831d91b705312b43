import { askRail } from '../payouts/sending/ask-rail.ts';
import {
  ApprovePayoutBatch,
  CreatedPayoutBatch,
  CreatePayoutBatch,
  GetPayoutBatch,
  ListPayoutBatches,
  PayoutBatchId,
  PayoutBatchPage,
  PayoutBatchRecord,
} from '../payouts/sending/payout-batch.schema.ts';
import {
  approvePayoutBatch,
  getPayoutBatch,
  listPayoutBatches,
  sendPayoutBatch,
  withdrawPayoutBatch,
} from '../payouts/sending/payout-batch.service.ts';
import { createPayoutBatch } from '../payouts/sending/prepare-payments.ts';
import { onceInTransaction } from '../platform/idempotency/idempotency.ts';
import { confirmRecord, unlessDry } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of payments that the service sends together. */
export const payoutBatchesRouter = router({
  list: rest(read('payouts'), 'GET /payout_batches', {
    summary: 'List payout batches',
    description: 'Returns payments that the service sends together, newest first, with their totals and fees.',
  })
    .input(ListPayoutBatches)
    .output(PayoutBatchPage)
    .query(({ ctx, input }) => listPayoutBatches(ctx, input)),

  get: rest(read('payouts'), 'GET /payout_batches/{id}', {
    summary: 'Retrieve a payout batch',
    description: 'Returns payments that the service sends together, with their totals and fees.',
  })
    .input(GetPayoutBatch)
    .output(PayoutBatchRecord)
    .query(({ ctx, input }) => getPayoutBatch(ctx, input)),

  create: rest(operate('payouts', CreatePayoutBatch, { confirmed: true }), 'POST /payout_batches', {
    summary: 'Create a payout batch',
    description:
      'Claims the eligible payouts of all affiliates, or of `affiliate_ids`, for a method whose payments the service sends. Nothing is sent before `POST /payout_batches/{id}/send`. With `dry_run`, previews the batch.',
    status: 201,
  })
    .output(CreatedPayoutBatch)
    .mutation(async ({ ctx, input }) => {
      const { dry_run, ...terms } = input;
      const offer = await askRail(ctx, terms);
      return onceInTransaction(unlessDry(ctx, dry_run), ctx.request, (tx) => createPayoutBatch(tx, terms, offer));
    }),

  approve: rest(write('payouts', ApprovePayoutBatch, { confirmed: true }), 'POST /payout_batches/{id}/approve', {
    summary: 'Approve a payout batch',
    description:
      'Approves exactly the payments of now, for a signed-in person who did not prepare them and has signed in within the last 15 minutes. An API key counts as the person who made it. Sends nothing.',
  })
    .output(PayoutBatchRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await approvePayoutBatch(ctx, input))),

  send: rest(write('payouts', PayoutBatchId, { confirmed: true }), 'POST /payout_batches/{id}/send', {
    summary: 'Send a payout batch',
    description:
      'Has the service send the payments, after the response. If the account asks for a second person (`needs_approval`), they must be approved first.',
  })
    .output(PayoutBatchRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await sendPayoutBatch(ctx, input))),

  withdraw: rest(write('payouts', PayoutBatchId, { confirmed: true }), 'POST /payout_batches/{id}/withdraw', {
    summary: 'Withdraw a payout batch',
    description: 'Ends the payments that are not sent. Their payouts are open again. Payments that are sent go on.',
  })
    .output(PayoutBatchRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await withdrawPayoutBatch(ctx, input))),
});
