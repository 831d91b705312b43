import { sql } from 'kysely';
import { noneOf, oneOf } from '../../platform/db/one-of.ts';
import { rewardFor } from '../../earnings/commissions/earn.ts';
import { Sale, type SaleLimits } from '../../earnings/sales/sale.entity.ts';
import { isLive } from '../../earnings/sales/sale-mode.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { protectedBy } from '../../platform/call/locks.ts';
import { known, load } from '../../platform/call/records.ts';
import type { HeldAffiliates } from '../../earnings/affiliate-lock.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { chargeKey } from './attribute-by-mode.ts';
import { applyLimits } from './decide.ts';
import type { Decision } from './decision.ts';

/**
 * Applies limits to the sales of each referral in the order of the charges, separately for live and test sales. The limits of a sale are
 * those that the campaign had when the sale was attributed to the referral (docs/domain-rules.md#limits).
 */
export async function applyCampaignLimits(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  decisions: Map<string, Decision>,
): Promise<void> {
  const referrals = new Map(
    [...decisions.values()].flatMap(({ referral }) => (referral ? [[referral.id, referral] as const] : [])),
  );
  for (const referral of referrals.values()) {
    const campaign = await known(ctx, Campaign, referral.campaign_id);
    const present = { maxCommissions: campaign.max_commissions, periodMonths: campaign.max_commission_period_months };
    const ofReferral = () => [...decisions.values()].filter((decision) => decision.referral === referral);
    const isLimited = [present, ...ofReferral().map(({ sale }) => sale.limits)].some(
      (limits) => limits !== null && restricts(limits),
    );
    if (isLimited) await addOtherSales(ctx, affiliates, referral, decisions);
    const own = ofReferral().filter(({ refusal }) => refusal === null);
    const voided = isLimited
      ? await voidedByMerchant(
          ctx,
          referral,
          own.map(({ sale }) => sale.id),
        )
      : new Map<string, Instant>();
    for (const decision of own)
      if (decision.sale.referral_id !== referral.id || decision.sale.limits === null) decision.limits = present;
    for (const ofMode of Map.groupBy(own, ({ sale }) => isLive(sale)).values()) {
      const refused = applyLimits(
        ofMode.map(({ sale, limits }) => ({
          key: chargeKey(sale),
          chargedAt: sale.charged_at,
          worth: rewardFor(sale, campaign).amount > 0,
          endedAt: voided.get(sale.id) ?? null,
          wasRefused: LIMIT_REASONS.includes(sale.no_commission_reason ?? ''),
          limits: limits ?? sale.limits ?? present,
        })),
      );
      for (const decision of ofMode) decision.refusal = refused.get(chargeKey(decision.sale)) ?? null;
    }
  }
}

function restricts({ maxCommissions, periodMonths }: SaleLimits): boolean {
  return maxCommissions !== null || periodMonths !== null;
}

const LIMIT_REASONS = ['max_commissions_reached', 'commission_period_over', 'nothing_to_earn'];

/** Adds the referral's other sales, e.g. those without a customer, because they count towards the same limits. */
async function addOtherSales(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  referral: Referral,
  decisions: Map<string, Decision>,
): Promise<void> {
  const sales = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const others = await load(ctx, Sale, sales.where('referral_id', '=', referral.id).where(noneOf('id', [...decisions.keys()])));
  for (const sale of others) {
    if (sale.no_commission_reason !== null && !LIMIT_REASONS.includes(sale.no_commission_reason)) continue;
    decisions.set(sale.id, { sale: protectedBy(affiliates, sale), referral, refusal: null, limits: null });
  }
}

/**
 * Finds the given sales of a referral whose commission no longer counts, because the merchant voided the commission or voided the adjustment that
 * restored it after a failed refund. Returns, by the id of the sale, the time at which the commission stopped counting.
 */
async function voidedByMerchant(ctx: WriteCtx, referral: Referral, saleIds: readonly string[]): Promise<Map<string, Instant>> {
  const { rows } = await sql<{ sale_id: string; ended_at: Instant }>`
    select commission.sale_id, coalesce(max(adjustment.voided_at), commission.voided_at) as ended_at
    from commission left join commission adjustment on adjustment.adjusts_commission_id = commission.id
    where ${oneOf('commission.sale_id', saleIds)} and commission.referral_id = ${referral.id}
      and commission.kind = 'sale' and not commission.superseded and commission.state = 'voided'
    group by commission.id
    having not commission.voided_by_refund
      or (max(adjustment.voided_at) is not null and coalesce(sum(adjustment.amount_cents) filter (where adjustment.state <> 'voided'), 0) <= 0)`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ sale_id, ended_at }) => [sale_id, ended_at]));
}
