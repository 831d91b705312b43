import { noneOf } from '../../platform/db/one-of.ts';
import { isInCurrencyOf, lockCommissionsOfSales, rewardFor, voidedByHand } from '../../earnings/commissions/earn.ts';
import { amountFor } from '../../earnings/commissions/settle.ts';
import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import { Sale, type SaleLimits } from '../../earnings/sales/sale.entity.ts';
import { isLive } from '../../earnings/sales/sale-mode.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { protectedBy } from '../../platform/call/locks.ts';
import { known, load } from '../../platform/call/records.ts';
import type { HeldAffiliates } from '../../earnings/affiliate-lock.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { chargeKey } from './attribute-by-mode.ts';
import { applyLimits } from './decide.ts';
import type { Decision, HeldCommissions } from './decision.ts';

/**
 * Applies limits to the sales of each referral in the order of the charges, separately for live and test sales. The limits of a sale are
 * those that the campaign had when the sale was attributed to the referral (docs/domain-rules.md#limits). Adds the referral's other sales to
 * the decisions, and their commissions to `held`.
 */
export async function applyCampaignLimits(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  decisions: Map<string, Decision>,
  held: HeldCommissions,
): Promise<void> {
  const referrals = new Map(
    [...decisions.values()].flatMap(({ referral }) => (referral ? [[referral.id, referral] as const] : [])),
  );
  for (const referral of referrals.values()) {
    const campaign = await known(ctx, Campaign, referral.campaign_id);
    const present = limitsOf(campaign);
    const ofReferral = () => [...decisions.values()].filter((decision) => decision.referral === referral);
    const isLimited = [present, ...ofReferral().map(({ sale }) => sale.limits)].some(
      (limits) => limits !== null && restricts(limits),
    );
    if (isLimited) await addOtherSales(ctx, affiliates, referral, decisions, held);
    const own = ofReferral().filter(({ refusal }) => refusal === null);
    const saleIds = isLimited ? own.map(({ sale }) => sale.id) : [];
    const voided = await voidedByHand(ctx, saleIds, referral.affiliate_id);
    for (const decision of own)
      if (decision.sale.referral_id !== referral.id || decision.sale.limits === null) decision.limits = present;
    for (const ofMode of Map.groupBy(own, ({ sale }) => isLive(sale)).values()) {
      const refused = applyLimits(
        ofMode.map(({ sale, limits: decided }) => {
          const limits = decided ?? sale.limits ?? present;
          const commission = held.get(sale.id);
          // A sale that earned again before this rule existed counts by its current commission.
          const isEarning = commission !== undefined && commission.state !== 'voided';
          return {
            key: chargeKey(sale),
            chargedAt: sale.charged_at,
            worth: earnsSomething(sale, referral, campaign, limits, commission),
            endedAt: isEarning ? null : (voided.get(sale.id) ?? null),
            wasRefused: LIMIT_REASONS.includes(sale.no_commission_reason ?? ''),
            limits,
          };
        }),
      );
      for (const decision of ofMode) decision.refusal = refused.get(chargeKey(decision.sale)) ?? null;
    }
  }
}

/** Returns the limits to store with a sale that is attributed now. */
function limitsOf(campaign: Campaign): SaleLimits {
  const { max_commissions: maxCommissions, max_commission_period_months: periodMonths } = campaign;
  const paysNothing = (campaign.commission_basis_points ?? campaign.commission_amount_cents ?? 0) === 0;
  return { maxCommissions, periodMonths, ...(paysNothing && { paysNothing }) };
}

/**
 * True if a sale earns something, so that it counts towards limits. A sale that has earned counts by its own commission, on the terms of
 * that commission. A sale without a commission counts if the campaign would pay for it now, unless the campaign paid nothing when the sale
 * was attributed: a reward that is introduced later applies only to later sales (docs/domain-rules.md#limits).
 *
 * @param commission the current commission of the sale
 */
function earnsSomething(
  sale: Sale,
  referral: Pick<Referral, 'id'>,
  campaign: Campaign,
  limits: SaleLimits,
  commission: Commission | undefined,
): boolean {
  if (commission !== undefined && isCommissionOf(commission, sale, referral)) return amountFor(commission, sale) > 0;
  return limits.paysNothing !== true && rewardFor(sale, campaign).amount > 0;
}

/**
 * True if the commission belongs to the sale as the sale is now. False if another referral earned it, or if the mode or the currency of the
 * sale has changed since, which happens when the provider reports a sale that the merchant reported first.
 */
export function isCommissionOf(commission: Commission, sale: Sale, referral: Pick<Referral, 'id'> | null): boolean {
  return commission.referral_id === referral?.id && commission.livemode === isLive(sale) && isInCurrencyOf(commission, sale);
}

function restricts({ maxCommissions, periodMonths }: SaleLimits): boolean {
  return maxCommissions !== null || periodMonths !== null;
}

const LIMIT_REASONS = ['max_commissions_reached', 'commission_period_over', 'nothing_to_earn'];

/** Adds the referral's other sales, e.g. those without a customer, and their commissions, because they count towards the same limits. */
async function addOtherSales(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  referral: Referral,
  decisions: Map<string, Decision>,
  held: HeldCommissions,
): Promise<void> {
  const sales = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const others = await load(ctx, Sale, sales.where('referral_id', '=', referral.id).where(noneOf('id', [...decisions.keys()])));
  const counted = others.filter(({ no_commission_reason: reason }) => reason === null || LIMIT_REASONS.includes(reason));
  for (const sale of counted) {
    decisions.set(sale.id, { sale: protectedBy(affiliates, sale), referral, refusal: null, limits: null });
  }
  const commissions = await lockCommissionsOfSales(
    ctx,
    counted.map(({ id }) => id),
  );
  for (const [id, commission] of commissions) held.set(id, commission);
}
