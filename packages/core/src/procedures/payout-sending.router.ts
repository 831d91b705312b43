import {
  getPayoutAttempt,
  ListPayoutAttempts,
  listPayoutAttempts,
  PayoutAttemptId,
  PayoutAttemptPage,
  PayoutAttemptRecord,
} from '../ledger/payouts/payout-attempt.ts';
import { askRail } from '../payouts/sending/ask-rail.ts';
import {
  cancelPayoutAttempt,
  decidePayoutAttempt,
  retryPayoutAttempt,
  withdrawPayoutAttempt,
} from '../payouts/sending/payout-attempt.service.ts';
import {
  approvePayoutBatch,
  getPayoutBatch,
  listPayoutBatches,
  sendPayoutBatch,
  withdrawPayoutBatch,
} from '../payouts/sending/payout-batch.service.ts';
import { createPayoutBatch, preparePayments } from '../payouts/sending/prepare-payments.ts';
import {
  ApprovePayoutBatch,
  CreatedPayoutBatch,
  CreatePayoutBatch,
  DecidePayoutAttempt,
  GetPayoutBatch,
  ListPayoutBatches,
  PayoutBatchId,
  PayoutBatchPage,
  PayoutBatchRecord,
  PreparedPayouts,
  PreparePayouts,
  WithdrawPayoutAttempt,
} from '../payouts/sending/sending.schema.ts';
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

/** Procedures of attempts to pay payouts. */
export const payoutAttemptsRouter = router({
  list: rest(read('payouts'), 'GET /payout_attempts', {
    summary: 'List payout attempts',
    description:
      'Returns attempts to pay payouts, newest first, whatever made them: a payment by hand, an export, a run or a batch.',
  })
    .input(ListPayoutAttempts)
    .output(PayoutAttemptPage)
    .query(({ ctx, input }) => listPayoutAttempts(ctx, input)),

  get: rest(read('payouts'), 'GET /payout_attempts/{id}', { summary: 'Retrieve a payout attempt' })
    .input(PayoutAttemptId)
    .output(PayoutAttemptRecord)
    .query(({ ctx, input }) => getPayoutAttempt(ctx, input)),

  prepare: rest(write('payouts', PreparePayouts, { confirmed: true }), 'POST /payout_attempts/prepare', {
    summary: 'Prepare payments',
    description:
      'Claims eligible payouts, and pays them by a method whose payments the service sends. They are sent after the response. Emits `payout.updated`.',
  })
    .output(PreparedPayouts)
    .mutation(({ ctx, input }) => preparePayments(ctx, input)),

  withdraw: rest(write('payouts', WithdrawPayoutAttempt, { confirmed: true }), 'POST /payout_attempts/{id}/withdraw', {
    summary: 'Withdraw a prepared payment',
    description: 'Ends a payment that the service has prepared and not sent. Its payout is open again.',
  })
    .output(PayoutAttemptRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await withdrawPayoutAttempt(ctx, input))),

  decide: rest(write('payout_outcomes', DecidePayoutAttempt, { confirmed: true }), 'POST /payout_attempts/{id}/decide', {
    summary: 'Decide an unknown outcome',
    description:
      'For a payment without an answer whose outcome the service can no longer find out (`unknown`, with the reason `key_expired` or `amount_mismatch`). Look the payment up where it was sent first: after `failed`, the payout can be paid again. Emits `payout.paid` or `payout.failed`.',
  })
    .output(PayoutAttemptRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await decidePayoutAttempt(ctx, input))),

  retry: rest(write('payouts', PayoutAttemptId, { confirmed: true }), 'POST /payout_attempts/{id}/retry', {
    summary: 'Retry a payment',
    description:
      'Sends a payment without an answer again within a minute, with the same key. For a payment that failed, makes a new attempt with the current address of the affiliate, which is returned. Its payout must be eligible.',
  })
    .output(PayoutAttemptRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await retryPayoutAttempt(ctx, input))),

  cancel: rest(write('payouts', PayoutAttemptId, { confirmed: true }), 'POST /payout_attempts/{id}/cancel', {
    summary: 'Call a payment back',
    description:
      'Asks the service that pays to call a payment back that has not arrived, e.g. one that the receiver has not claimed. The answer comes later: the attempt is then `returned`, or goes on.',
  })
    .output(PayoutAttemptRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await cancelPayoutAttempt(ctx, input))),
});
