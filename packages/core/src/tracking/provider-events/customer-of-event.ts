import type { WriteCtx } from '../../platform/call/context.ts';
import { moveEmail } from '../../program/customers/customer.service.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type { CheckoutCompleted, CustomerChanged } from '../../provider/port/provider-event.ts';
import { moveReferral } from '../../program/referrals/referral.transitions.ts';
import { claimByCode, claimByReferral } from '../attribution/claims.ts';
import { identifyCustomer } from '../attribution/identify-customer.ts';
import { settleCustomer } from '../attribution/settle-attribution.ts';
import { protectedBy } from '../../platform/call/locks.ts';
import { findBound } from '../attribution/bind-customer.ts';
import { findReferral } from './settle-payment.ts';
import { sameText } from '../../platform/db/same-text.ts';

/**
 * Stores the provider's name, address and id of a customer. The id is also stored with an affiliate who has the same email address
 * (docs/domain-rules.md#affiliates).
 */
export async function learnCustomer(ctx: WriteCtx, { customer, formerEmail }: CustomerChanged): Promise<void> {
  const { customerId, email, name } = customer;
  const { customer: known, held } = await identifyCustomer(ctx, { psp_customer_id: customerId, email, formerEmail, name });
  if (email !== null && formerEmail !== null && known.psp_customer_id === customerId) moveEmail(ctx, known, formerEmail, email);
  // Runs after the address is stored, so that self-referrals that the new address reveals are flagged.
  await settleCustomer(ctx, held, known.id);
  if (email === null) return;
  await ctx.db
    .updateTable('affiliate')
    .set({ psp_customer_id: customerId, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('archived_at', 'is', null)
    .where(sameText('email', email))
    .where((eb) => eb.or([eb('psp_customer_id', 'is', null), eb('psp_customer_id', '!=', customerId)]))
    .execute();
}

/**
 * Binds the customer of a completed checkout to the referral that the checkout names, or to the affiliate whose promotion code was used.
 * The customer becomes at least a lead, even if nothing has been paid yet, e.g. at the start of a trial.
 */
export async function bindCustomer(ctx: WriteCtx, livemode: boolean, fact: CheckoutCompleted, at: Instant): Promise<void> {
  const { customerId, email, name } = fact.customer;
  if (customerId === null && email === null) return;
  const { customer, held } = await identifyCustomer(ctx, { psp_customer_id: customerId, email, name });
  const { referral } = await findReferral(ctx, fact.clientReferenceId);
  const redeemed = { psp_promotion_code_ids: fact.promotionCodeIds, livemode };
  const promo = await findAttributingCode(ctx.db, ctx.accountId, redeemed, at);
  if (referral) await claimByReferral(ctx, customer.id, referral);
  if (promo) await claimByCode(ctx, customer.id, promo, { at, saleId: null, source: `checkout ${at}` });
  await settleCustomer(ctx, held, customer.id);
  const bound = await findBound(ctx, customer.id);
  if (bound?.conversion_state === 'visitor') await moveReferral(ctx, protectedBy(held, bound), 'lead', at);
}
