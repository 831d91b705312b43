import { createLead } from '../intake/sales/update-referral.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { ListLeads, ReferralPage, ReferralRecord } from '../program/referrals/referral.expansions.ts';
import { listReferrals } from '../program/referrals/referral.queries.ts';
import { CreateLead } from '../program/referrals/referral.schema.ts';

/** Leads: referrals whose visitor signed up and has not paid. */
export const leadsRouter = router({
  list: read('referrals')
    .meta(
      rest('GET', '/leads', {
        summary: 'List leads',
        description:
          'Returns the referrals in the state `lead`: the visitor signed up and has not paid. Newest first unless `sort` says otherwise.',
      }),
    )
    .input(ListLeads)
    .output(ReferralPage)
    .query(({ ctx, input }) => listReferrals(ctx, { ...input, conversion_state: ['lead'] })),

  create: write('referrals', CreateLead, { facts: true })
    .meta(
      rest('POST', '/leads', {
        summary: 'Report a lead from your server',
        description:
          'Assigns the customer to the referral, which becomes a lead unless it converted already. Unlike `POST /track/leads`, it proves who the customer is, so later commissions are not flagged.',
        status: 201,
      }),
    )
    .output(ReferralRecord)
    .mutation(({ ctx, input }) => createLead(ctx, input)),
});
