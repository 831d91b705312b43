import { sql } from 'kysely';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Instant, plusDays, plusMonths } from '../../platform/time/instant.ts';
import { shareOf } from '../../platform/money/percent.ts';
import { moveReferral } from '../../program/referrals/referral.transitions.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import type { NoCommissionReason, Sale } from '../sales/sale.entity.ts';
import { markSaleAttributed, markSaleUnrewarded } from '../sales/sale.transitions.ts';
import { bookCommission } from './book-commission.ts';
import { isSelfReferral } from './self-referral.ts';

/**
 * Attributes a sale to a referral and creates the commission it earns: converts the referral, and applies the campaign's terms and limits
 * as of the charge. A sale that earns nothing notes the reason.
 *
 * The caller holds the locks of the affiliate and of the referral, so that two sales cannot both earn the last commission of a limit.
 */
export async function earnCommission(ctx: WriteCtx, sale: Sale, referral: Referral): Promise<void> {
  const affiliate = await ctx.em.findOneOrFail(Affiliate, { id: referral.affiliate_id });
  const campaign = await ctx.em.findOneOrFail(Campaign, { id: referral.campaign_id });
  markSaleAttributed(sale, referral, ctx.now);
  const barrier = barrierToEarning(sale.charged_at, referral, affiliate, campaign);
  if (barrier) return markSaleUnrewarded(sale, barrier);
  await moveReferral(ctx, referral, 'conversion', sale.charged_at);
  const { amount, currency, basisPoints } = rewardFor(sale, campaign);
  const exhausted = amount === 0 ? 'nothing_to_earn' : await limitReached(ctx, sale, referral, campaign);
  if (exhausted) return markSaleUnrewarded(sale, exhausted);
  const customer = sale.customer_id === null ? null : await ctx.em.findOneOrFail(Customer, { id: sale.customer_id });
  await bookCommission(ctx, {
    kind: 'sale',
    campaign_id: campaign.id,
    affiliate_id: affiliate.id,
    referral_id: referral.id,
    sale_id: sale.id,
    adjusts_commission_id: null,
    amount_cents: amount,
    currency,
    basis_points: basisPoints,
    due_at: plusDays(sale.charged_at, campaign.days_until_commissions_are_due),
    review_status: isSelfReferral(affiliate.email, customer?.email ?? null) ? 'suspicious' : null,
  });
}

/** Why a sale earns nothing, whatever its amount; null when it may earn. */
function barrierToEarning(
  chargedAt: Instant,
  referral: Referral,
  affiliate: Affiliate,
  campaign: Campaign,
): NoCommissionReason | null {
  if (referral.deactivated_at !== null) return 'referral_deactivated';
  if (referral.hasExpired(chargedAt)) return 'referral_expired';
  if (!affiliate.isEarning()) return 'affiliate_inactive';
  if (!campaign.isActive()) return 'campaign_archived';
  return null;
}

/** A percentage of the sale, in the sale's currency; or the campaign's fixed amount, unless the sale amount is zero. */
function rewardFor(sale: Sale, campaign: Campaign): { amount: number; currency: string; basisPoints: number | null } {
  if (campaign.commission_basis_points !== null) {
    return {
      amount: shareOf(sale.amountCents(), campaign.commission_basis_points),
      currency: sale.currency,
      basisPoints: campaign.commission_basis_points,
    };
  }
  const amount = sale.amountCents() === 0 ? 0 : (campaign.commission_amount_cents ?? 0);
  return { amount, currency: campaign.commission_amount_currency ?? sale.currency, basisPoints: null };
}

/** The campaign's limit that a sale would exceed. A voided commission counts only if an adjustment gave its amount back (a failed refund). */
async function limitReached(
  ctx: WriteCtx,
  sale: Sale,
  referral: Referral,
  { max_commissions, max_commission_period_months: months }: Campaign,
): Promise<NoCommissionReason | null> {
  if (max_commissions === null && months === null) return null;
  const { rows } = await sql<{ earned: number; first_charged_at: Instant | null }>`
    select count(*) filter (
        where commission.state <> 'voided' or (
          select sum(amount_cents) from commission adjustment
          where adjustment.adjusts_commission_id = commission.id and adjustment.state <> 'voided'
        ) > 0
      ) as earned,
      min(sale.charged_at) as first_charged_at
    from commission join sale on sale.id = commission.sale_id
    where commission.referral_id = ${referral.id} and commission.kind = 'sale'`.execute(ctx.db);
  const { earned, first_charged_at } = rows[0]!;
  if (max_commissions !== null && earned >= max_commissions) return 'max_commissions_reached';
  if (months !== null && first_charged_at !== null && sale.charged_at >= plusMonths(first_charged_at, months))
    return 'commission_period_over';
  return null;
}
