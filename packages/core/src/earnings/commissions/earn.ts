import { sql } from 'kysely';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns } from '../../platform/call/records.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Instant, plusDays, plusMonths } from '../../platform/time/instant.ts';
import { shareOf } from '../../platform/money/percent.ts';
import { attachToOpenPayouts } from '../payout-records/open-payout.ts';
import { moveReferral } from '../../program/referrals/referral.transitions.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import type { NoCommissionReason, Sale } from '../sales/sale.entity.ts';
import { Commission } from './commission.entity.ts';
import { emitCommissions } from './commission.events.ts';
import { isSelfReferral } from './self-referral.ts';

/**
 * What a sale earns for the affiliate of its referral: converts the referral, applies the campaign's terms and limits as of the
 * charge, and creates the commission, or notes on the sale why there is none.
 *
 * The caller holds the affiliate's and the referral's locks, so that two sales cannot both take the last of a limit.
 */
export async function earnCommission(ctx: WriteCtx, sale: Sale, referral: Referral): Promise<void> {
  const affiliate = await ctx.em.findOneOrFail(Affiliate, { id: referral.affiliate_id });
  const campaign = await ctx.em.findOneOrFail(Campaign, { id: referral.campaign_id });
  Object.assign(sale, {
    referral_id: referral.id,
    affiliate_id: referral.affiliate_id,
    no_commission_reason: null,
    updated_at: ctx.now,
  });

  const refused = cannotEarn(sale.charged_at, referral, affiliate, campaign);
  if (refused) {
    sale.no_commission_reason = refused;
    return;
  }
  await moveReferral(ctx, referral, 'conversion', sale.charged_at);
  const { amount, currency, basisPoints } = rewardFor(sale, campaign);
  const exhausted = amount === 0 ? 'nothing_to_earn' : await limitReached(ctx, sale, referral, campaign);
  if (exhausted) {
    sale.no_commission_reason = exhausted;
    return;
  }
  const customer = sale.customer_id === null ? null : await ctx.em.findOneOrFail(Customer, { id: sale.customer_id });
  const dueAt = plusDays(sale.charged_at, campaign.days_until_commissions_are_due);
  const commission = ctx.em.create(Commission, {
    ...newRecordColumns(ctx, newId('commission', ctx.clock.now())),
    campaign_id: campaign.id,
    affiliate_id: affiliate.id,
    referral_id: referral.id,
    sale_id: sale.id,
    adjusts_commission_id: null,
    kind: 'sale',
    state: dueAt <= ctx.now ? 'due' : 'pending',
    amount_cents: amount,
    currency,
    basis_points: basisPoints,
    due_at: dueAt,
    paid_at: null,
    voided_at: null,
    void_reason: null,
    voided_by_refund: false,
    review_status: isSelfReferral(affiliate.email, customer?.email ?? null) ? 'suspicious' : null,
  });
  await ctx.em.flush();
  if (commission.state === 'due') await attachToOpenPayouts(ctx.db, ctx.now, [commission.id]);
  await emitCommissions(ctx, 'commission.created', [commission.id]);
  if (commission.state === 'due') await emitCommissions(ctx, 'commission.due', [commission.id]);
}

function cannotEarn(chargedAt: Instant, referral: Referral, affiliate: Affiliate, campaign: Campaign): NoCommissionReason | null {
  if (referral.deactivated_at !== null) return 'referral_deactivated';
  if (referral.hasExpired(chargedAt)) return 'referral_expired';
  if (!affiliate.isEarning()) return 'affiliate_inactive';
  if (!campaign.isActive()) return 'campaign_archived';
  return null;
}

/** Percent: a share of the sale, in its currency. Fixed: the campaign's amount, once the sale is worth anything. */
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

/** A voided commission counts only where an adjustment has given its amount back, as after a refund that failed. */
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
