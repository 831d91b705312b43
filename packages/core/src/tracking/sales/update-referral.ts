import { loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { findOrCreateCustomer } from '../../program/customers/customer.service.ts';
import { bindReferral, moveReferral, setReferralDeactivation } from '../../program/referrals/referral.transitions.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import type { ReferralRecord } from '../../program/referrals/referral.expansions.ts';
import { getReferral } from '../../program/referrals/referral.queries.ts';
import type { UpdateReferral } from '../../program/referrals/referral.schema.ts';
import { attributeWaitingSales } from './attribution.ts';

/**
 * Changes the given fields of a referral. Binding a customer also attributes the customer's waiting sales
 * (docs/domain-rules.md#referrals).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when the customer is bound to another referral, or the referral to another customer
 */
export async function updateReferral(ctx: WriteCtx, input: UpdateReferral): Promise<ReferralRecord> {
  const { affiliate_id } = await getReferral(ctx, input);
  await lockAffiliate(ctx, affiliate_id);
  const referral = await loadForUpdate(ctx, Referral, input.id);
  if (input.deactivated_at !== undefined) setReferralDeactivation(referral, input.deactivated_at, ctx.now);
  if (input.conversion_state !== undefined) await moveReferral(ctx, referral, input.conversion_state, ctx.now);
  if (input.customer_email !== undefined) {
    const customer = await findOrCreateCustomer(ctx, { email: input.customer_email });
    await assertUnbound(ctx, customer.id, referral.id);
    bindReferral(referral, customer.id, ctx.now);
    await ctx.em.flush();
    await attributeWaitingSales(ctx, referral);
  }
  await ctx.em.flush();
  return getReferral(ctx, referral);
}

async function assertUnbound(ctx: WriteCtx, customerId: string, referralId: string): Promise<void> {
  const other = await ctx.db
    .selectFrom('referral')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '!=', referralId)
    .executeTakeFirst();
  if (other) throw invalid('customer_email', 'This customer already belongs to another referral.', 'taken');
}
