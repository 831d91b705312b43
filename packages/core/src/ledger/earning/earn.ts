import { sql } from 'kysely';
import type { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import type { CampaignTerms } from '../../program/campaigns/campaign.transitions.ts';
import type { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lockAll } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { shareOf } from '../../platform/money/money.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { Commission, isUnpaid } from '../commissions/commission.entity.ts';
import { markCommissionSuperseded, REATTRIBUTED } from '../commissions/commission.transitions.ts';
import { findClaimedPayoutOf } from '../payouts/payout.transitions.ts';
import { saleAmountCents } from '../sales/sale-amount.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { isLive } from '../sales/sale-mode.ts';
import { adjustTo } from './adjust.ts';
import { bookCommission, changeCommission } from './book-commission.ts';
import { releaseFromDispute } from './dispute-flags.ts';
import { type Doubts, type Parties, reviewReasonOf } from './flag-commission.ts';

/** Facts that decide about the commission of a sale and are not in the sale's record. */
export interface EarningFacts extends Doubts, Parties {
  affiliate: Affiliate;
  /** The campaign of the sale's referral. */
  campaign: Pick<Campaign, 'id'>;
  /** The terms of the campaign that apply to the sale. */
  terms: CampaignTerms;
}

/**
 * Creates the commission that a sale earns for the affiliate of its referral, on the campaign's terms, and flags it if it is doubtful. The sale
 * is attributed, the campaign's limits are applied, and no person has voided a commission of this sale and affiliate
 * (`voidedByHand`). Returns null if the sale earns nothing.
 */
export async function earnCommission(
  ctx: WriteCtx,
  held: HeldAffiliates,
  sale: Sale,
  referral: Pick<Referral, 'id'>,
  facts: EarningFacts,
): Promise<Locked<Commission> | null> {
  const { affiliate, campaign, terms } = facts;
  const { amount, currency, basisPoints } = rewardFor(sale, terms);
  if (amount === 0) return null;
  const reviewReason = sale.disputed ? 'dispute' : reviewReasonOf(facts, facts);
  return bookCommission(ctx, held, {
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
    due_at: plusDays(sale.charged_at, terms.days_until_commissions_are_due),
    review_status: reviewReason === null ? null : 'suspicious',
    review_reason: reviewReason,
  });
}

function commissionsOfSales({ db, accountId }: WriteCtx, saleIds: readonly string[]) {
  return db
    .selectFrom('commission')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(oneOf('sale_id', saleIds))
    .where('kind', '=', 'sale')
    .where('superseded', '=', false)
    .orderBy('id');
}

/** Locks and returns the commission that a sale has earned, or null if the sale has earned none. Ignores superseded commissions. */
export async function lockCommissionOfSale(ctx: WriteCtx, saleId: string): Promise<Locked<Commission> | null> {
  return (await lockAll(ctx, Commission, commissionsOfSales(ctx, [saleId])))[0] ?? null;
}

/** Like `lockCommissionOfSale`, for many sales in one statement. Returns the commissions by the id of their sale. */
export async function lockCommissionsOfSales(
  ctx: WriteCtx,
  saleIds: readonly string[],
): Promise<Map<string, Locked<Commission>>> {
  if (saleIds.length === 0) return new Map();
  const found = await lockAll(ctx, Commission, commissionsOfSales(ctx, saleIds));
  // A commission of kind `sale` always has a `sale_id`.
  return new Map(found.map((commission) => [commission.sale_id!, commission]));
}

/**
 * Marks the commission of a sale as superseded, because a late fact gave the sale to another referral or to none
 * (docs/rules/attribution.md#order-of-facts). Voids an unpaid commission. If the commission is claimed, an adjustment takes the amount back. A paid
 * commission is superseded only if the mode or the currency of its sale turned out to be another one.
 */
export async function supersedeCommission(ctx: WriteCtx, held: HeldAffiliates, commission: Locked<Commission>): Promise<void> {
  const stands = !isUnpaid(commission) || (await findClaimedPayoutOf(ctx.db, commission.id)) !== null;
  // The sale no longer holds anything of this affiliate. The adjustment below takes the whole amount back, so nothing may stay flagged.
  await releaseFromDispute(ctx, held, commission);
  if (stands) {
    markCommissionSuperseded(ctx, commission);
  } else {
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, REATTRIBUTED));
  }
  // Also takes back the amounts of earlier adjustments.
  await adjustTo(ctx, held, commission, 0);
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
  sale: Parameters<typeof saleAmountCents>[0] & { currency: string },
  campaign: CampaignTerms,
): { amount: number; currency: string; basisPoints: number | null } {
  if (campaign.commission_basis_points !== null) {
    return {
      amount: shareOf(saleAmountCents(sale), campaign.commission_basis_points),
      currency: sale.currency,
      basisPoints: campaign.commission_basis_points,
    };
  }
  const amount = saleAmountCents(sale) === 0 ? 0 : (campaign.commission_amount_cents ?? 0);
  return { amount, currency: campaign.commission_amount_currency ?? sale.currency, basisPoints: null };
}

/**
 * Finds the sales whose commission of an affiliate a person has voided, whichever referral of the affiliate earned it and wherever the sale
 * went since. The affiliate earns nothing from these sales any more (docs/rules/attribution.md#attribution). Includes commissions that a refund
 * voided, if a person voided the adjustments that gave the amount back after the refund failed.
 *
 * @returns by the id of the sale, the time at which the commission stopped counting
 */
export async function voidedByHand(
  { db, accountId }: WriteCtx,
  saleIds: readonly string[],
  affiliateId: string,
): Promise<Map<string, Instant>> {
  if (saleIds.length === 0) return new Map();
  const { rows } = await sql<{ sale_id: string; ended_at: Instant }>`
    select commission.sale_id, max(coalesce(given_back.voided_at, commission.voided_at)) as ended_at
    from commission left join lateral (
      select max(voided_at) as voided_at from commission adjustment
      where adjustment.adjusts_commission_id = commission.id and adjustment.amount_cents > 0 having bool_and(adjustment.state = 'voided')
    ) given_back on commission.voided_by_refund
    where commission.account_id = ${accountId} and commission.sale_id = any (${saleIds}) and commission.affiliate_id = ${affiliateId}
      and commission.kind = 'sale' and commission.state = 'voided'
      and case when commission.voided_by_refund then given_back.voided_at is not null
        else commission.voided_by_hand or commission.void_reason is distinct from ${REATTRIBUTED} end
    group by commission.sale_id`.execute(db);
  return new Map(rows.map(({ sale_id, ended_at }) => [sale_id, ended_at]));
}
