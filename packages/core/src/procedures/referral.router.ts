import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getReferral, listReferrals } from '../program/referrals/referral.queries.ts';
import { GetReferral, ListReferrals, ReferralPage, ReferralRecord } from '../program/referrals/referral.expansions.ts';
import { CreateReferral, ReferralId, UpdateReferral } from '../program/referrals/referral.schema.ts';
import { createReferral, deactivateReferral } from '../program/referrals/referral.service.ts';
import { updateReferral } from '../tracking/sales/update-referral.ts';

export const referralsRouter = router({
  list: read('referrals')
    .meta(
      rest('GET', '/referrals', {
        summary: 'List referrals',
        description: 'Deactivated and expired referrals included, newest first.',
      }),
    )
    .input(ListReferrals)
    .output(ReferralPage)
    .query(({ ctx, input }) => listReferrals(ctx, input)),

  get: read('referrals')
    .meta(rest('GET', '/referrals/{id}', { summary: 'Get a referral' }))
    .input(GetReferral)
    .output(ReferralRecord)
    .query(({ ctx, input }) => getReferral(ctx, input)),

  create: write('referrals', CreateReferral)
    .meta(
      rest('POST', '/referrals', {
        summary: 'Create a referral',
        description:
          'Emits `referral.created`, and `referral.converted` when it starts converted. Visits through tracked links create referrals by themselves.',
        status: 201,
      }),
    )
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => createReferral(ctx, input)),

  update: write('referrals', UpdateReferral)
    .meta(
      rest('PATCH', '/referrals/{id}', {
        summary: 'Change a referral',
        description:
          'Entering `conversion` emits `referral.converted`. Binding a customer attributes the sales of theirs that were waiting for it.',
      }),
    )
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => updateReferral(ctx, input)),

  deactivate: write('referrals', ReferralId)
    .meta(
      rest('DELETE', '/referrals/{id}', {
        summary: 'Deactivate a referral',
        description: 'It earns nothing any more; what it earned stays. PATCH `deactivated_at` to null activates it again.',
        status: 204,
      }),
    )
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => deactivateReferral(ctx, input)),
});
