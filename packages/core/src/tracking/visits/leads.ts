import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import type { PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import type { Customer } from '../../program/customers/customer.entity.ts';
import { findCustomer, findOrCreateCustomer } from '../../program/customers/customer.service.ts';
import { bindReferral, moveReferral } from '../../program/referrals/referral.transitions.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import type { TrackLead, TrackedLead } from './visit.schema.ts';

/**
 * Records that a visitor left an e-mail address: binds the customer to the referral, which becomes a lead. Anyone may call it, so it
 * can never create money (docs/domain-rules.md#leads): it binds neither a customer who has paid nor one who is bound already,
 * attributes no sale, and its answer reveals nothing about customers.
 *
 * @throws VALIDATION_ERROR for an unknown referral
 */
export async function trackLead({ services, requestId }: PublicCtx, input: TrackLead): Promise<TrackedLead> {
  const known = await services.database.kysely
    .selectFrom('referral')
    .select(['account_id', 'affiliate_id'])
    .where('id', '=', input.referral_id)
    .executeTakeFirst();
  if (!known) throw invalid('referral_id', 'No such referral.', 'not_found');
  return inTransaction(systemContext(services, known.account_id, requestId), async (ctx) => {
    await lockAffiliate(ctx, known.affiliate_id);
    const referral = await loadForUpdate(ctx, Referral, input.referral_id);
    if (referral.isLive(ctx.now)) {
      // A stranger says who the customer is: nothing of a known customer changes.
      const customer = await findCustomer(ctx, { email: input.email });
      if (referral.customer_id === null && (customer === null || (await mayBind(ctx, customer)))) {
        bindReferral(referral, (customer ?? (await findOrCreateCustomer(ctx, input))).id, ctx.now);
      }
      if (referral.conversion_state === 'visitor') await moveReferral(ctx, referral, 'lead', ctx.now);
    }
    return { referral_id: referral.id, conversion_state: referral.conversion_state };
  });
}

async function mayBind(ctx: WriteCtx, customer: Customer): Promise<boolean> {
  const bound = await ctx.db.selectFrom('referral').select('id').where('customer_id', '=', customer.id).executeTakeFirst();
  const paid = await ctx.db.selectFrom('sale').select('id').where('customer_id', '=', customer.id).limit(1).executeTakeFirst();
  return !bound && !paid;
}
