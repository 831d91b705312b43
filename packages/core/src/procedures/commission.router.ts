import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getCommission, listCommissions } from '../earnings/commissions/commission.queries.ts';
import {
  CommissionPage,
  CommissionRecord,
  GetCommission,
  ListCommissions,
} from '../earnings/commissions/commission.expansions.ts';
import { ReviewCommission, UpdateCommission, VoidCommission } from '../earnings/commissions/commission.schema.ts';
import { reviewCommission, updateCommission, voidCommission } from '../earnings/commissions/commission.service.ts';

export const commissionsRouter = router({
  list: read('commissions')
    .meta(rest('GET', '/commissions', { summary: 'List commissions', description: 'Commissions of all states, newest first.' }))
    .input(ListCommissions)
    .output(CommissionPage)
    .query(({ ctx, input }) => listCommissions(ctx, input)),

  get: read('commissions')
    .meta(rest('GET', '/commissions/{id}', { summary: 'Get a commission', description: 'Expanded with its campaign and sale.' }))
    .input(GetCommission)
    .output(CommissionRecord)
    .query(({ ctx, input }) => getCommission(ctx, input.id)),

  update: write('commissions', UpdateCommission)
    .meta(
      rest('PATCH', '/commissions/{id}', {
        summary: 'Change a commission',
        description:
          'Setting `paid_at` marks it paid by hand; null makes it pending or due again, by its due date. Refused for the paid state of a voided commission, and for a commission in a claimed or paid payout.',
      }),
    )
    .output(CommissionRecord)
    .mutation(({ ctx, input }) => updateCommission(ctx, input)),

  void: write('commissions', VoidCommission)
    .meta(
      rest('DELETE', '/commissions/{id}', {
        summary: 'Void a commission',
        description:
          'The record stays. If it was claimed or paid already, its payout stands and a negative adjustment reduces the affiliate’s next one. Emits `commission.voided`; voiding again changes nothing.',
        status: 204,
      }),
    )
    .output(CommissionRecord)
    .mutation(({ ctx, input }) => voidCommission(ctx, input)),

  review: write('commissions', ReviewCommission)
    .meta(
      rest('POST', '/commissions/{id}/review', {
        summary: 'Review a commission',
        description: 'Only commissions that are neither paid nor voided can be reviewed.',
      }),
    )
    .output(CommissionRecord)
    .mutation(({ ctx, input }) => reviewCommission(ctx, input)),
});
