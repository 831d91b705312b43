import type { WriteCtx } from '../../platform/call/context.ts';
import { lock, referenced } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { Affiliate } from '../affiliates/affiliate.entity.ts';
import { Campaign, isActive } from '../campaigns/campaign.entity.ts';
import { Link } from '../links/link.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { Referral } from './referral.entity.ts';
import { markReferralDeactivated, startReferral } from './referral.transitions.ts';
import { type CreateReferral, getReferral, type ReferralRecord } from './referral.ts';

/**
 * Creates a referral on behalf of the merchant. Throws VALIDATION_ERROR if affiliate, campaign or link is missing, unknown or archived, or
 * if they contradict each other.
 */
export async function createReferral(ctx: WriteCtx, input: CreateReferral): Promise<ReferralRecord> {
  const link = input.link_id === undefined ? null : await referenced(ctx, Link, input.link_id, 'link_id');
  if (link && link.archived_at !== null) throw invalid('link_id', PROGRAM_REASONS.link_archived, 'archived');
  const affiliateId = consistent('affiliate_id', input.affiliate_id, link?.affiliate_id);
  const campaignId = consistent('campaign_id', input.campaign_id, link?.campaign_id);
  const affiliate = await referenced(ctx, Affiliate, affiliateId, 'affiliate_id');
  if (affiliate.archived_at !== null) throw invalid('affiliate_id', PROGRAM_REASONS.affiliate_archived, 'archived');
  const campaign = await referenced(ctx, Campaign, campaignId, 'campaign_id');
  if (!isActive(campaign)) throw invalid('campaign_id', PROGRAM_REASONS.campaign_archived, 'archived');
  const referral = await startReferral(ctx, {
    affiliate_id: affiliateId,
    campaign_id: campaignId,
    link_id: link?.id ?? null,
    ...(input.conversion_state ? { conversion_state: input.conversion_state } : {}),
    ...(input.expires_at ? { expires_at: input.expires_at } : {}),
    merchantData: newMerchantColumns(input),
  });
  return getReferral(ctx, referral);
}

/** Deactivates a referral. Later sales earn nothing, and earned commissions stay. Deactivating it again changes nothing. Throws NOT_FOUND. */
export async function deactivateReferral(ctx: WriteCtx, { id }: { id: string }): Promise<ReferralRecord> {
  const referral = await lock(ctx, Referral, id);
  markReferralDeactivated(ctx, referral);
  return getReferral(ctx, referral);
}

/**
 * Returns an id that the request gives directly, through the link, or both ways. Throws VALIDATION_ERROR if the two ids differ, or if the
 * request gives none.
 */
function consistent(path: string, given: string | undefined, ofLink: string | undefined): string {
  if (given !== undefined && ofLink !== undefined && given !== ofLink)
    throw invalid(path, PROGRAM_REASONS.contradicts_link, 'contradiction');
  const id = given ?? ofLink;
  if (id === undefined) throw invalid(path, PROGRAM_REASONS.required_without_link, 'required');
  return id;
}
