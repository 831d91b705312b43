import { ListPayoutAttempts, PayoutAttemptPage } from '../ledger/payouts/payout-attempt.expansions.ts';
import { getPayoutAttempt, listPayoutAttempts } from '../ledger/payouts/payout-attempt.queries.ts';
import { PayoutAttemptId, PayoutAttemptRecord } from '../ledger/payouts/payout-attempt.schema.ts';
import {
  cancelPayoutAttempt,
  decidePayoutAttempt,
  retryPayoutAttempt,
  withdrawPayoutAttempt,
} from '../payouts/sending/payout-attempt.service.ts';
import { preparePayments } from '../payouts/sending/prepare-payments.ts';
import {
  DecidePayoutAttempt,
  PreparedPayouts,
  PreparePayouts,
  WithdrawPayoutAttempt,
} from '../payouts/sending/sending.schema.ts';
import { confirmRecord } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

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
