import { listPayoutAttempts } from '../ledger/payouts/payout-attempt.queries.ts';
import { ListPayoutAttempts, PayoutAttemptPage } from '../ledger/payouts/payout-attempt.schema.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';

/** Procedures of attempts to pay payouts. */
export const payoutAttemptsRouter = router({
  list: read('payouts')
    .meta(
      rest('GET', '/payout_attempts', {
        summary: 'List payout attempts',
        description:
          'Returns attempts to pay payouts, newest first, whatever made them: a payment by hand, an export, a run or a batch.',
      }),
    )
    .input(ListPayoutAttempts)
    .output(PayoutAttemptPage)
    .query(({ ctx, input }) => listPayoutAttempts(ctx, input)),
});
