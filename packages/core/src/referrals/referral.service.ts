import { Affiliate } from '../affiliates/affiliate.entity.ts';
import { lockAffiliate } from '../affiliates/affiliate.service.ts';
import { invalid } from '../api/errors.ts';
import { loadForUpdate, referenced } from '../api/records.ts';
import { Campaign } from '../campaigns/campaign.entity.ts';
import type { WriteCtx } from '../context.ts';
import { findOrCreateCustomer } from '../customers/customer.service.ts';
import { Link } from '../links/link.entity.ts';
import { attributeWaitingSales } from '../sales/attribution.ts';
import { moveReferral, startReferral } from './lifecycle.ts';
import { Referral } from './referral.entity.ts';
import { getReferral } from './referral.queries.ts';
import type { CreateReferral, ReferralRecord, UpdateReferral } from './referral.schema.ts';

/** Creates a referral by hand. Throws VALIDATION_ERROR for missing, unknown, archived or contradicting references. */
export async function createReferral(ctx: WriteCtx, input: CreateReferral): Promise<ReferralRecord> {
  const link = input.link_id === undefined ? null : await referenced(ctx, Link, input.link_id, 'link_id');
  if (link && link.archived_at !== null) throw invalid('link_id', 'This link is archived', 'archived');
  const affiliateId = consistent('affiliate_id', input.affiliate_id, link?.affiliate_id);
  const campaignId = consistent('campaign_id', input.campaign_id, link?.campaign_id);
  const affiliate = await referenced(ctx, Affiliate, affiliateId, 'affiliate_id');
  if (affiliate.archived_at !== null) throw invalid('affiliate_id', 'This affiliate is archived', 'archived');
  const campaign = await referenced(ctx, Campaign, campaignId, 'campaign_id');
  if (!campaign.isActive()) throw invalid('campaign_id', 'This campaign is archived', 'archived');
  const referral = await startReferral(ctx, {
    affiliate_id: affiliateId,
    campaign_id: campaignId,
    link_id: link?.id ?? null,
    ...(input.conversion_state ? { conversion_state: input.conversion_state } : {}),
    ...(input.expires_at ? { expires_at: input.expires_at } : {}),
  });
  return getReferral(ctx, referral);
}

/**
 * Changes what is given. Binding a customer also attributes the sales of theirs that were waiting for it.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when the customer or the referral is bound already
 */
export async function updateReferral(ctx: WriteCtx, input: UpdateReferral): Promise<ReferralRecord> {
  const { affiliate_id } = await getReferral(ctx, input);
  await lockAffiliate(ctx, affiliate_id);
  const referral = await loadForUpdate(ctx, Referral, input.id);
  if (input.deactivated_at !== undefined) referral.setDeactivated(input.deactivated_at, ctx.now);
  if (input.conversion_state !== undefined) await moveReferral(ctx, referral, input.conversion_state, ctx.now);
  if (input.customer_email !== undefined) {
    const customer = await findOrCreateCustomer(ctx, { email: input.customer_email });
    await assertUnbound(ctx, customer.id, referral.id);
    referral.bind(customer.id, ctx.now);
    await ctx.em.flush();
    await attributeWaitingSales(ctx, referral);
  }
  await ctx.em.flush();
  return getReferral(ctx, referral);
}

/** From now on it earns nothing; what was earned stays. Doing it again changes nothing. Throws NOT_FOUND. */
export async function deactivateReferral(ctx: WriteCtx, { id }: { id: string }): Promise<ReferralRecord> {
  const referral = await loadForUpdate(ctx, Referral, id);
  if (referral.deactivated_at === null) referral.setDeactivated(ctx.now, ctx.now);
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
  if (other) throw invalid('customer_email', 'This customer is bound to another referral', 'taken');
}

/** A reference given directly, through the link, or both: then they must agree. */
function consistent(path: string, given: string | undefined, ofLink: string | undefined): string {
  if (given !== undefined && ofLink !== undefined && given !== ofLink)
    throw invalid(path, 'Contradicts the link', 'contradiction');
  const id = given ?? ofLink;
  if (id === undefined) throw invalid(path, 'Required unless link_id is given', 'required');
  return id;
}
