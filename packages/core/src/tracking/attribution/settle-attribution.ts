/**
 * Updates sales and commissions to match all known facts (docs/domain-rules.md#order-of-facts). Called after every fact that may show who
 * sent a customer, or that a customer paid. Calling it again changes nothing.
 */
import type { FilterQuery } from '@mikro-orm/core';
import { sql } from 'kysely';
import {
  type EarningFacts,
  earnCommission,
  lockCommissionsOfSales,
  supersedeCommission,
  isInCurrencyOf,
} from '../../earnings/commissions/earn.ts';
import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import { moveCommissionToReferral } from '../../earnings/commission-records/commission.transitions.ts';
import { flagIfDoubtful } from '../../earnings/commissions/flag-commission.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { isLive } from '../../earnings/sales/sale-mode.ts';
import {
  markSaleAttributed,
  markSaleUnattributed,
  markSaleUnrewarded,
  moveSaleToReferral,
  setSaleCustomer,
  passOver,
  setSalePromoCode,
} from '../../earnings/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { attributeByMode, chargeKey, type ChargeOfSale } from './attribute-by-mode.ts';
import { bind, convert } from './bind-customer.ts';
import { applyCampaignLimits } from './campaign-limits.ts';
import { referralOfClaim, setReferralOfClaim } from './claims.ts';
import type { KnownClaim } from './known-claim.ts';
import { keyOfNamed, loadClaims } from './load-claims.ts';
import { attributeCharges } from './decide.ts';
import type { Decision, HeldCommissions } from './decision.ts';
import { findDuplicates } from './find-duplicates.ts';
import { lockAffiliatesOf } from './lock-claimants.ts';

/**
 * Attributes every sale of a customer and binds the customer to a referral. The caller holds `lockCustomer`.
 *
 * @param created the sale that this transaction created, if any
 * @returns the commissions of the customer's sales
 */
export async function settleCustomer(ctx: WriteCtx, customerId: string, created: Sale | null = null): Promise<HeldCommissions> {
  const claims = await loadClaims(ctx, customerId);
  await lockAffiliatesOf(ctx, claims, sql`customer_id = ${customerId}`);
  const sales = await ctx.em.find(Sale, salesOfCustomer(customerId, claims), { refresh: true });
  for (const sale of sales) setSaleCustomer(sale, customerId);
  return settle(ctx, customerId, claims, sales, created);
}

/** Query filter: the sales of a customer, and sales without a customer that are attributed to a referral in this customer's claims. */
function salesOfCustomer(customerId: string, claims: readonly KnownClaim[]): FilterQuery<Sale> {
  const named = claims.flatMap(({ kind, referral_id }) => (kind === 'link' && referral_id !== null ? [referral_id] : []));
  if (named.length === 0) return { customer_id: customerId };
  return { $or: [{ customer_id: customerId }, { customer_id: null, referral_id: { $in: named } }] };
}

/**
 * Attributes a sale whose customer is unknown, by the claims from its own report.
 *
 * @param isNew true if this transaction created the sale after it called `lockClaimants`. The sale then need not be flushed
 */
export async function settleAnonymousSale(
  ctx: WriteCtx,
  sale: Sale,
  claims: KnownClaim[],
  isNew: boolean,
): Promise<HeldCommissions> {
  if (isNew) return settle(ctx, null, claims, [sale], sale);
  await ctx.em.flush();
  await lockAffiliatesOf(ctx, claims, sql`id = ${sale.id}`);
  return settle(ctx, null, claims, await ctx.em.find(Sale, { id: sale.id }, { refresh: true }), null);
}

/**
 * Attributes the sales based on the claims, and corrects the commissions of the sales. The number of statements grows only with the number
 * of sales that change.
 */
async function settle(
  ctx: WriteCtx,
  customerId: string | null,
  claims: KnownClaim[],
  sales: readonly Sale[],
  created: Sale | null,
): Promise<HeldCommissions> {
  const earlier = sales.filter(({ id }) => id !== created?.id);
  const held = await lockCommissionsOfSales(
    ctx,
    earlier.map(({ id }) => id),
  );
  const byReferral = new Map(
    claims.flatMap((claim) => {
      const id = claim.referral_id ?? claim.continues?.id;
      return id === undefined ? [] : [[id, claim] as const];
    }),
  );
  const charges = sales.map((sale): ChargeOfSale => {
    const commission = held.get(sale.id);
    const earned = claims.filter((claim) => commission !== undefined && isOfSameAffiliate(claim, commission));
    return {
      sale,
      key: chargeKey(sale),
      chargedAt: sale.charged_at,
      netCents: netCents(sale),
      named: keyOfNamed(claims, sale.named_referral_id),
      redeemed: claims.filter(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id).map(({ key }) => key),
      earned: earned.map(({ key }) => key),
      passedOver: commission === undefined ? [] : sale.passed_over,
    };
  });
  const testSales = new Set(sales.filter((sale) => !isLive(sale)));
  const outcome = attributeByMode(claims, charges, testSales, ctx.now);
  const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
  const referrals = new Map<KnownClaim, Referral>();
  const referralOf = async (claim: KnownClaim) => {
    const loaded = referrals.get(claim);
    if (loaded) return loaded;
    const isNew = claim.referral_id === null;
    const referral = await referralOfClaim(ctx, claim);
    referrals.set(claim, referral);
    if (isNew && customerId !== null) await setReferralOfClaim(ctx, customerId, claim);
    return referral;
  };
  /**
   * Returns the referral of a claim for a sale. A sale keeps the referral that earned from it, even if another customer has that referral
   * now.
   */
  const referralFor = (claim: KnownClaim, sale: Sale) => {
    const earnedBy = held.get(sale.id)?.referral_id;
    const isContinued = claim.continues !== null && claim.continues.id === earnedBy;
    return isContinued ? known(ctx, Referral, claim.continues!.id) : referralOf(claim);
  };

  const decisions = new Map<string, Decision>();
  for (const { charge, claim, refusal } of outcome.attributions) {
    const sale = sales.find((each) => chargeKey(each) === charge)!;
    const referral = claim === null ? null : await referralFor(claimOf.get(claim)!, sale);
    const code = claims.find(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id);
    if (code) setSalePromoCode(sale, { code: code.code!, psp_promotion_code_id: code.psp_promotion_code_id });
    decisions.set(sale.id, { sale, referral, refusal });
  }
  for (const decision of decisions.values()) {
    const commission = held.get(decision.sale.id);
    await follow(ctx, decision, commission, commission ?? byReferral.get(decision.sale.referral_id ?? ''));
  }
  if (customerId !== null)
    await bind(ctx, customerId, outcome.binding === null ? null : claimOf.get(outcome.binding)!, referralOf);
  const converted = await convert(ctx, customerId, claims, outcome.conversions);
  for (const claim of converted) await reconsider(ctx, claim, outcome.conversions.get(claim.key)!, decisions);
  await applyCampaignLimits(ctx, decisions);
  const others = [...decisions.keys()].filter((id) => !sales.some((sale) => sale.id === id));
  for (const [id, commission] of await lockCommissionsOfSales(ctx, others)) held.set(id, commission);
  // Wrong commissions are removed before new ones are created, because a removal can free a place under a limit on commissions.
  const ordered = [...decisions.values()].toSorted((a, b) => (a.sale.charged_at < b.sale.charged_at ? -1 : 1));
  for (const decision of ordered) await takeAway(ctx, decision, held);
  const unable = claims.flatMap(({ key, obstacle }) => (obstacle === null ? [] : [key]));
  const duplicates = await findDuplicates(ctx, decisions, held);
  for (const decision of ordered)
    await give(
      ctx,
      decision,
      held,
      {
        isDuplicate: duplicates.has(decision.sale.id),
        isNew: decision.sale.id === created?.id,
      },
      unable,
    );
  await ctx.em.flush();
  return held;
}

/**
 * Decides again about sales without a customer that were refused because the claim's referral had expired, and adds them to the decisions.
 * They may earn now, because the referral turned out to have converted before it expired.
 */
async function reconsider(ctx: WriteCtx, claim: KnownClaim, at: Instant, decisions: Map<string, Decision>): Promise<void> {
  if (claim.expiresAt === null || claim.expiresAt <= at || claim.expiresAt > ctx.now) return;
  const referral = await ctx.em.findOneOrFail(Referral, { id: claim.referral_id! });
  const refused = await ctx.em.find(Sale, {
    referral_id: referral.id,
    customer_id: null,
    no_commission_reason: 'referral_expired',
    id: { $nin: [...decisions.keys()] },
  });
  for (const sale of refused.filter(isLive)) {
    const charge = {
      key: chargeKey(sale),
      chargedAt: sale.charged_at,
      netCents: netCents(sale),
      named: null,
      redeemed: [],
      earned: [],
      passedOver: [],
    };
    const { refusal } = attributeCharges([{ ...claim, convertedAt: at }], [charge], ctx.now).attributions[0]!;
    decisions.set(sale.id, { sale, referral, refusal });
  }
}

/** Amount of a sale without tax, before refunds, in cents. */
function netCents(sale: Sale): number {
  return sale.charge_amount_cents - sale.tax_amount_cents;
}

/** An affiliate in one campaign. The same customer may have several referrals of this affiliate. */
type Earner = Pick<Referral, 'affiliate_id' | 'campaign_id'>;

function isOfSameAffiliate(one: Earner, other: Earner): boolean {
  return one.affiliate_id === other.affiliate_id && one.campaign_id === other.campaign_id;
}

/**
 * Moves a sale to another referral of the same affiliate and campaign, with its commission and limits unchanged
 * (docs/domain-rules.md#order-of-facts). A new commission would use today's terms, and undo a voiding by the merchant. Does nothing if the
 * affiliate or campaign differs.
 *
 * @param former the affiliate and campaign that had the sale until now
 */
async function follow(
  ctx: WriteCtx,
  { sale, referral }: Decision,
  commission: Commission | undefined,
  former: Earner | undefined,
): Promise<void> {
  if (referral === null || former === undefined || !isOfSameAffiliate(former, referral)) return;
  if (commission && commission.referral_id !== referral.id) await moveCommissionToReferral(ctx, commission, referral.id);
  if (sale.referral_id !== null) moveSaleToReferral(sale, referral.id, ctx.now);
}

/** Supersedes the commission of a sale if the sale should not have it, and removes it from `held`. */
async function takeAway(ctx: WriteCtx, { sale, referral, refusal }: Decision, held: HeldCommissions): Promise<void> {
  const commission = held.get(sale.id);
  if (!commission) return;
  // The mode and the currency of a sale that the merchant reported can change when the provider reports the sale too.
  const isRight =
    commission.referral_id === referral?.id && commission.livemode === isLive(sale) && isInCurrencyOf(commission, sale);
  // A commission that the merchant voided stays, because it earns nothing anyway. A commission that a refund voided may have been restored
  // by an adjustment after the refund failed, so it is checked further.
  if (isRight && commission.state === 'voided' && !commission.voided_by_refund) return;
  // The refund or correction that changed an amount has already adjusted the commission.
  if (isRight && (refusal === null || refusal === 'nothing_to_earn')) return;
  await supersedeCommission(ctx, commission);
  held.delete(sale.id);
}

/**
 * Attributes a sale to the referral of its decision. If the sale should have a commission, creates a missing one and adds it to `held`.
 * Flags a doubtful commission.
 *
 * @param unable keys of the claims that cannot earn now
 */
async function give(
  ctx: WriteCtx,
  { sale, referral, refusal }: Decision,
  held: HeldCommissions,
  facts: EarningFacts,
  unable: readonly string[],
): Promise<void> {
  if (referral === null) {
    if (sale.referral_id !== null || sale.no_commission_reason !== refusal)
      markSaleUnattributed(sale, refusal ?? 'no_referral', ctx.now);
    return;
  }
  if (sale.referral_id !== referral.id) markSaleAttributed(sale, referral, ctx.now);
  if (refusal !== null) return markSaleUnrewarded(sale, refusal);
  sale.no_commission_reason = null;
  const commission = held.get(sale.id);
  if (commission !== undefined) {
    await flagIfDoubtful(ctx, commission, sale, facts);
    return passOver(sale, [...sale.passed_over, ...unable]);
  }
  const earned = await earnCommission(ctx, sale, referral, facts);
  if (earned === null) return;
  held.set(sale.id, earned);
  passOver(sale, unable);
}
