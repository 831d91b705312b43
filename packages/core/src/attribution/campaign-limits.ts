import { noneOf } from '../platform/db/conditions.ts';
import { isInCurrencyOf, lockCommissionsOfSales, voidedByHand } from '../ledger/earning/earn.ts';
import { worthNow, worthOf } from '../ledger/earning/worth.ts';
import type { Commission } from '../ledger/commissions/commission.entity.ts';
import { Sale, type SaleLimits, decidedBy } from '../ledger/sales/sale.entity.ts';
import { isLive } from '../ledger/sales/sale-mode.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { protectedBy } from '../platform/call/locks.ts';
import { known, load } from '../platform/call/records.ts';
import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import { Campaign } from '../program/campaigns/campaign.entity.ts';
import { type CampaignTerms, termsAt } from '../program/campaigns/campaign.transitions.ts';
import type { Referral } from '../program/referrals/referral.entity.ts';
import { chargeKey } from './attribute-by-mode.ts';
import { applyLimits } from './decide.ts';
import type { Decision, HeldCommissions } from './decision.ts';

/**
 * Applies limits to the sales of each referral in the order of the charges, separately for live and test sales. The limits of a sale are
 * those that the campaign had when the sale was charged (docs/rules/attribution.md#limits). Adds the referral's other sales to
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
    const ofReferral = () => [...decisions.values()].filter((decision) => decision.referral === referral);
    for (const decision of ofReferral()) {
      const { sale, refusal } = decision;
      if (refusal === null && (sale.referral_id !== referral.id || sale.limits === null))
        decision.limits = limitsOf(await termsAt(ctx, campaign, decidedBy(sale)));
    }
    const isLimited = ofReferral().some(({ sale, limits }) => restricts(limits ?? sale.limits ?? NO_LIMITS));
    if (isLimited) await addOtherSales(ctx, affiliates, referral, decisions, held);
    const own = ofReferral().filter(({ refusal }) => refusal === null);
    const worth = new Map<Sale, boolean>();
    for (const { sale } of own) worth.set(sale, await earnsSomething(ctx, sale, referral, campaign, held.get(sale.id)));
    const saleIds = isLimited ? own.map(({ sale }) => sale.id) : [];
    const voided = await voidedByHand(ctx, saleIds, referral.affiliate_id);
    for (const ofMode of Map.groupBy(own, ({ sale }) => isLive(sale)).values()) {
      const charges = ofMode.map(({ sale, limits: decided }) => {
        const limits = decided ?? sale.limits ?? NO_LIMITS;
        const commission = held.get(sale.id);
        // A sale that earned again before this rule existed counts by its current commission.
        const isEarning = commission !== undefined && commission.state !== 'voided';
        const isSettled = commission !== undefined && isCommissionOf(commission, sale, referral) && isPaidFor(commission, sale);
        return {
          key: chargeKey(sale),
          chargedAt: sale.charged_at,
          worth: worth.get(sale)!,
          endedAt: isEarning ? null : (voided.get(sale.id) ?? null),
          wasRefused: LIMIT_REASONS.includes(sale.no_commission_reason ?? ''),
          isSettled,
          limits,
        };
      });
      const { refused, contested } = applyLimits(charges);
      for (const decision of ofMode) {
        const key = chargeKey(decision.sale);
        const reason = contested.get(key);
        decision.refusal = refused.get(key) ?? null;
        if (reason !== undefined) decision.contested ??= { affiliate_id: null, reason };
      }
    }
  }
}

const NO_LIMITS: SaleLimits = { maxCommissions: null, periodMonths: null };

function limitsOf({ max_commissions: maxCommissions, max_commission_period_months: periodMonths }: CampaignTerms): SaleLimits {
  return { maxCommissions, periodMonths };
}

/**
 * True if a sale earns something, so that it counts towards limits. A sale that has earned counts by its own commission, on the terms of
 * that commission. A sale without a commission counts if the terms at the time of the charge pay for it (docs/rules/attribution.md#history).
 *
 * @param commission the current commission of the sale
 */
async function earnsSomething(
  ctx: WriteCtx,
  sale: Sale,
  referral: Referral,
  campaign: Campaign,
  commission: Commission | undefined,
): Promise<boolean> {
  if (commission !== undefined && isCommissionOf(commission, sale, referral))
    return (await worthNow(ctx, commission, sale)).amount.cents > 0;
  const terms = await termsAt(ctx, campaign, decidedBy(sale));
  return (await worthOf(ctx, sale, referral, campaign, terms)).amount.cents > 0;
}

/**
 * True if the commission belongs to the sale as the sale is now. False if another referral earned it, or if the mode or the currency of the
 * sale has changed since, which happens when the provider reports a sale that the merchant reported first.
 */
export function isCommissionOf(commission: Commission, sale: Sale, referral: Pick<Referral, 'id'> | null): boolean {
  return commission.referral_id === referral?.id && commission.livemode === isLive(sale) && isInCurrencyOf(commission, sale);
}

/**
 * True if the commission has been paid for the sale as the sale is now: only refunds, disputes and people move its money
 * (docs/rules/attribution.md#paid-commissions). False if the mode or the currency of the sale has changed since.
 */
export function isPaidFor(commission: Commission, sale: Sale): boolean {
  return commission.state === 'paid' && commission.livemode === isLive(sale) && isInCurrencyOf(commission, sale);
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
    decisions.set(sale.id, {
      sale: protectedBy(affiliates, sale),
      referral,
      refusal: null,
      limits: null,
      contested: LIMIT_REASONS.includes(sale.contested?.reason ?? '') ? null : sale.contested,
    });
  }
  const commissions = await lockCommissionsOfSales(
    ctx,
    counted.map(({ id }) => id),
  );
  for (const [id, commission] of commissions) held.set(id, commission);
}
