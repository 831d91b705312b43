import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getPayout, listPayouts } from '../payouts/payouts/payout.queries.ts';
import { GetPayout, ListPayouts, PayoutPage, PayoutRecord } from '../payouts/payouts/payout.expansions.ts';
import { PayPayout } from '../payouts/payouts/payout.schema.ts';
import { payPayout } from '../payouts/payouts/payout.service.ts';

export const payoutsRouter = router({
  list: read('payouts')
    .meta(
      rest('GET', '/payouts', {
        summary: 'List payouts',
        description:
          'Newest first. With `eligible=true`: the payouts that can be paid now, all of them, as `{ "data": [...] }` without pagination.',
      }),
    )
    .input(ListPayouts)
    .output(PayoutPage)
    .query(({ ctx, input }) => listPayouts(ctx, input)),

  get: read('payouts')
    .meta(rest('GET', '/payouts/{id}', { summary: 'Get a payout' }))
    .input(GetPayout)
    .output(PayoutRecord)
    .query(({ ctx, input }) => getPayout(ctx, input)),

  pay: write('payouts', PayPayout)
    .meta(
      rest('POST', '/payouts/{id}/pay', {
        summary: 'Mark a payout paid',
        description:
          'Marks the payout and its commissions paid, in one transaction, and emits `payout.paid`. Works on open payouts above zero, eligible or not; refused for one that is claimed by an export or a run, or paid.',
      }),
    )
    .output(PayoutRecord)
    .mutation(({ ctx, input }) => payPayout(ctx, input)),
});
