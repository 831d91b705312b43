import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { shareOf } from '../../platform/money/percent.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { Commission } from '../commission-records/commission.entity.ts';
import { markCommissionSuperseded, REATTRIBUTED } from '../commission-records/commission.transitions.ts';
import { findClaimedPayoutOf } from '../payout-records/payout.transitions.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { isLive } from '../sales/sale-mode.ts';
import { adjustTo } from './adjust.ts';
import { bookCommission, changeCommission } from './book-commission.ts';
import { emitCommissions } from './commission.events.ts';
import { type Doubts, reviewReasonOf } from './flag-commission.ts';

/** Facts that affect the commission of a sale but are not in the sale's record. */
export interface EarningFacts extends Doubts {
  /** True if this transaction created the sale, so that the sale cannot have earned anything before. */
  isNew: boolean;
}

/**
 * Creates the commission that a sale earns for the affiliate of its referral, on the campaign's terms, and flags it if it is doubtful. Does
 * not create a second commission if the merchant voided the first one of this sale and referral. The caller holds the affiliate's lock, has
 * attributed the sale, and has applied the campaign's limits. Returns null if the sale earns nothing, or if the merchant voided its
 * commission.
 */
export async function earnCommission(
  ctx: WriteCtx,
  sale: Sale,
  referral: Referral,
  { isDuplicate, isNew }: EarningFacts,
): Promise<Commission | null> {
  const affiliate = await known(ctx, Affiliate, referral.affiliate_id);
  const campaign = await known(ctx, Campaign, referral.campaign_id);
  const { amount, currency, basisPoints } = rewardFor(sale, campaign);
  if (amount === 0 || (!isNew && (await wasVoidedByMerchant(ctx, sale, referral)))) return null;
  const reviewReason = await reviewReasonOf(ctx, sale, affiliate.id, { isDuplicate });
  return bookCommission(ctx, {
    kind: 'sale',
    campaign_id: campaign.id,
    affiliate_id: affiliate.id,
    referral_id: referral.id,
    sale_id: sale.id,
    adjusts_commission_id: null,
    amount_cents: amount,
    currency,
    livemode: isLive(sale),
    basis_points: basisPoints,
    due_at: plusDays(sale.charged_at, campaign.days_until_commissions_are_due),
    review_status: reviewReason === null ? null : 'suspicious',
    review_reason: reviewReason,
  });
}

/** Locks and returns the commission that a sale has earned, or null if the sale has earned none. Ignores superseded commissions. */
export function lockCommissionOfSale(ctx: WriteCtx, saleId: string): Promise<Commission | null> {
  return ctx.em.findOne(
    Commission,
    { sale_id: saleId, kind: 'sale', superseded: false },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}

/** Like `lockCommissionOfSale`, for many sales in one statement. Returns the commissions by the id of their sale. */
export async function lockCommissionsOfSales(ctx: WriteCtx, saleIds: readonly string[]): Promise<Map<string, Commission>> {
  if (saleIds.length === 0) return new Map();
  const found = await ctx.em.find(
    Commission,
    { sale_id: { $in: [...saleIds] }, kind: 'sale', superseded: false },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  // A commission of kind `sale` always has a `sale_id`.
  return new Map(found.map((commission) => [commission.sale_id!, commission]));
}

/**
 * Marks the commission of a sale as superseded, because a late fact gave the sale to another referral or to none
 * (docs/domain-rules.md#order-of-facts). Voids an unpaid commission. If the commission is claimed or paid, an adjustment takes the amount
 * back. The caller holds the affiliate's lock.
 */
export async function supersedeCommission(ctx: WriteCtx, commission: Commission): Promise<void> {
  const stands = !commission.isUnpaid() || (await findClaimedPayoutOf(ctx.db, commission.id)) !== null;
  if (stands) {
    markCommissionSuperseded(commission, ctx.now);
    await ctx.em.flush();
  } else {
    await changeCommission(ctx, commission, () => markCommissionSuperseded(commission, ctx.now, REATTRIBUTED));
    await emitCommissions(ctx, 'commission.voided', [commission.id]);
  }
  // Also takes back the amounts of earlier adjustments.
  await adjustTo(ctx, commission, 0);
}

/**
 * False if the commission is a percentage of the sale and the currencies differ, which happens when the provider corrects the currency of
 * the sale. True for all other commissions.
 */
export function isInCurrencyOf(commission: Commission, sale: { currency: string }): boolean {
  return commission.basis_points === null || commission.currency === sale.currency;
}

/**
 * Returns the reward for a sale: the campaign's percentage of the sale's amount, in the sale's currency, or the campaign's fixed amount.
 * Amounts are in cents. The reward is 0 if the sale's amount is 0.
 */
export function rewardFor(
  sale: { amountCents(): number; currency: string },
  campaign: Campaign,
): { amount: number; currency: string; basisPoints: number | null } {
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

async function wasVoidedByMerchant(ctx: WriteCtx, sale: Sale, referral: Referral): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from commission
    where sale_id = ${sale.id} and referral_id = ${referral.id} and kind = 'sale' and state = 'voided' and not voided_by_refund
      and void_reason is distinct from ${REATTRIBUTED}
    limit 1`.execute(ctx.db);
  return rows.length > 0;
}
