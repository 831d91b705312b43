/**
 * Brings sales and commissions in line with all facts known (docs/domain-rules.md#order-of-facts). Called after every fact that may say who
 * sent a customer, or that a customer paid; calling it again changes nothing.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  type EarningFacts,
  earnCommission,
  lockCommissionsOfSales,
  rewardFor,
  supersedeCommission,
} from '../../earnings/commissions/earn.ts';
import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import { findClaimedPayoutOf } from '../../earnings/payout-records/payout.transitions.ts';
import { flagIfDoubtful } from '../../earnings/commissions/flag-commission.ts';
import { type NoCommissionReason, Sale } from '../../earnings/sales/sale.entity.ts';
import { isLive } from '../../earnings/sales/sale-mode.ts';
import {
  markSaleAttributed,
  markSaleUnattributed,
  markSaleUnrewarded,
  setSalePromoCode,
} from '../../earnings/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { lockAffiliates } from '../../program/affiliates/affiliate.service.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import {
  bindReferral,
  moveReferral,
  setReferralConversion,
  unbindReferral,
} from '../../program/referrals/referral.transitions.ts';
import { type KnownClaim, loadClaims, referralOfClaim, setReferralOfClaim } from './claims.ts';
import { possibleDuplicates } from './duplicates.ts';
import { type AttributionRules, type Charge, type Outcome, applyLimits, attributeCharges } from './decide.ts';

/**
 * Attributes every sale of a customer, and binds the customer. The caller holds `lockCustomer`.
 *
 * @param created a sale that this transaction created
 */
export async function settleCustomer(ctx: WriteCtx, customerId: string, created: Sale | null = null): Promise<void> {
  const claims = await loadClaims(ctx, customerId);
  await lockAffiliatesOf(ctx, claims, sql`customer_id = ${customerId}`);
  await settle(ctx, customerId, claims, await ctx.em.find(Sale, { customer_id: customerId }, { refresh: true }), created);
}

/**
 * Attributes a sale whose customer is unknown, by the facts in its own report.
 *
 * @param isNew whether this transaction created it, after `lockClaimants`
 */
export async function settleAnonymousSale(ctx: WriteCtx, sale: Sale, claims: KnownClaim[], isNew: boolean): Promise<void> {
  await ctx.em.flush();
  if (!isNew) await lockAffiliatesOf(ctx, claims, sql`id = ${sale.id}`);
  // Nobody else can have changed a new one.
  const sales = isNew ? [sale] : await ctx.em.find(Sale, { id: sale.id }, { refresh: true });
  await settle(ctx, null, claims, sales, isNew ? sale : null);
}

/** The number of statements does not depend on the number of sales, except for those that change. */
async function settle(
  ctx: WriteCtx,
  customerId: string | null,
  claims: KnownClaim[],
  sales: readonly Sale[],
  created: Sale | null,
): Promise<void> {
  const earlier = sales.filter(({ id }) => id !== created?.id);
  const held = await lockCommissionsOfSales(
    ctx,
    earlier.map(({ id }) => id),
  );
  const rules = { codeBeforeLink: await prefersCodes(ctx, claims) };
  const byReferral = new Map(
    claims.flatMap((claim) => (claim.referral_id === null ? [] : [[claim.referral_id, claim] as const])),
  );
  const charges = sales.map((sale): ChargeOfSale => {
    const earned = held.get(sale.id)?.referral_id ?? null;
    return {
      sale,
      key: chargeKey(sale),
      chargedAt: sale.charged_at,
      netCents: sale.charge_amount_cents - sale.tax_amount_cents,
      named: sale.named_referral_id,
      redeemed: claims.filter(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id).map(({ key }) => key),
      earned: earned === null ? null : (byReferral.get(earned)?.key ?? null),
    };
  });
  const testSales = new Set(sales.filter((sale) => !isLive(sale)));
  const outcome = attributeByMode(claims, charges, testSales, rules, ctx.now);
  const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
  const referrals = new Map<KnownClaim, Referral>();
  const referralOf = async (claim: KnownClaim) => {
    const known = referrals.get(claim);
    if (known) return known;
    const isNew = claim.referral_id === null;
    const referral = await referralOfClaim(ctx, claim);
    referrals.set(claim, referral);
    if (isNew && customerId !== null) await setReferralOfClaim(ctx, customerId, claim);
    return referral;
  };

  const decisions = new Map<string, Decision>();
  for (const { charge, claim, refusal } of outcome.attributions) {
    const sale = sales.find((each) => chargeKey(each) === charge)!;
    const referral = claim === null ? null : await referralOf(claimOf.get(claim)!);
    const code = claims.find(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id);
    if (code) setSalePromoCode(sale, { code: code.code!, psp_promotion_code_id: code.psp_promotion_code_id });
    decisions.set(sale.id, { sale, referral, refusal });
  }
  if (customerId !== null)
    await bind(ctx, customerId, outcome.binding === null ? null : claimOf.get(outcome.binding)!, referralOf);
  await convert(ctx, customerId, claims, outcome.conversions);
  await applyCampaignLimits(ctx, decisions);
  const others = [...decisions.keys()].filter((id) => !sales.some((sale) => sale.id === id));
  for (const [id, commission] of await lockCommissionsOfSales(ctx, others)) held.set(id, commission);
  // Wrong commissions go before new ones are created, so that a freed place of a limit can be used.
  const ordered = [...decisions.values()].toSorted((a, b) => (a.sale.charged_at < b.sale.charged_at ? -1 : 1));
  for (const decision of ordered) await takeAway(ctx, decision, held);
  const duplicates = await findDuplicates(ctx, decisions, held);
  for (const decision of ordered)
    await give(ctx, decision, held, {
      isDuplicate: duplicates.has(decision.sale.id),
      isNew: decision.sale.id === created?.id,
    });
  await ctx.em.flush();
}

interface ChargeOfSale extends Charge {
  sale: Sale;
}

/**
 * Attributes live and test charges apart, so that test sales change nothing that live ones earn (docs/domain-rules.md#modes). A customer
 * without live charges is bound by the test ones.
 */
function attributeByMode(
  claims: readonly KnownClaim[],
  charges: readonly ChargeOfSale[],
  testSales: ReadonlySet<Sale>,
  rules: AttributionRules,
  until: Instant,
): Outcome {
  const testCharges = charges.filter(({ sale }) => testSales.has(sale));
  if (testCharges.length === 0) return attributeCharges(claims, charges, rules, until);
  const test = attributeCharges(claims, testCharges, rules, until);
  if (testCharges.length === charges.length) return test;
  const testSaleIds = new Set([...testSales].map(({ id }) => id));
  const live = attributeCharges(
    claims.filter(({ sale_id }) => sale_id === null || !testSaleIds.has(sale_id)),
    charges.filter(({ sale }) => !testSales.has(sale)),
    rules,
    until,
  );
  return {
    attributions: [...live.attributions, ...test.attributions],
    binding: live.binding,
    conversions: new Map([...test.conversions, ...live.conversions]),
  };
}

/** The referral that a sale belongs to, and the reason if it earns nothing. */
interface Decision {
  sale: Sale;
  referral: Referral | null;
  refusal: NoCommissionReason | null;
}

/** The commission that each sale has earned as attribution stands now, locked, by the id of the sale. */
type HeldCommissions = Map<string, Commission>;

/** Supersedes the commission that a sale should not have, and takes it out of `held`. */
async function takeAway(ctx: WriteCtx, { sale, referral, refusal }: Decision, held: HeldCommissions): Promise<void> {
  const commission = held.get(sale.id);
  if (!commission) return;
  const isRight = commission.referral_id === referral?.id;
  // A commission that the merchant voided stays where it is: it earns nothing anyway. After a failed refund, an adjustment may have restored it.
  if (isRight && commission.state === 'voided' && !commission.voided_by_refund) return;
  // Amounts are settled with the refund or the correction that changed them.
  if (isRight && (refusal === null || refusal === 'nothing_to_earn')) return;
  await supersedeCommission(ctx, commission);
  held.delete(sale.id);
}

/** Attributes a sale, creates the commission that it should have, and flags a doubtful one. */
async function give(
  ctx: WriteCtx,
  { sale, referral, refusal }: Decision,
  held: HeldCommissions,
  facts: EarningFacts,
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
  if (commission === undefined) await earnCommission(ctx, sale, referral, facts);
  else await flagIfDoubtful(ctx, commission, sale, facts);
}

/**
 * The sales whose commission is kept out of payouts, because the merchant and the provider seem to have reported the same sale: the reported one, or
 * the provider's when the commission of the reported one is claimed or paid. A pair of which a person reviewed or voided one is settled.
 */
async function findDuplicates(
  ctx: WriteCtx,
  decisions: ReadonlyMap<string, Decision>,
  held: HeldCommissions,
): Promise<Set<string>> {
  const earning = [...decisions.values()].filter(({ referral, refusal }) => referral !== null && refusal === null);
  const flagged = new Set<string>();
  for (const { reported, told } of possibleDuplicates(earning.map(({ sale }) => sale))) {
    const [ours, theirs] = [held.get(reported.id), held.get(told.id)];
    if ([ours, theirs].some((each) => each !== undefined && isSettled(each))) continue;
    const stands = ours !== undefined && (!ours.isUnpaid() || (await findClaimedPayoutOf(ctx.db, ours.id)) !== null);
    flagged.add(stands ? told.id : reported.id);
  }
  return flagged;
}

function isSettled(commission: Commission): boolean {
  return commission.review_status === 'approved' || (commission.state === 'voided' && !commission.voided_by_refund);
}

/** Writes the binding to the referral itself, and frees the referral that has given way. Without a live claim nothing changes. */
async function bind(
  ctx: WriteCtx,
  customerId: string,
  claim: KnownClaim | null,
  referralOf: (claim: KnownClaim) => Promise<Referral>,
): Promise<void> {
  if (claim === null) return;
  const bound = await ctx.em.findOne(Referral, { customer_id: customerId }, { refresh: true });
  if (bound && bound.id === claim.referral_id) return;
  const referral = await referralOf(claim);
  if (bound) unbindReferral(bound, ctx.now);
  await ctx.em.flush();
  bindReferral(referral, customerId, ctx.now);
  await ctx.em.flush();
}

/** Sets the conversion of each referral to its first charge; a referral that turns out to have none is a lead again. */
async function convert(
  ctx: WriteCtx,
  customerId: string | null,
  claims: readonly KnownClaim[],
  conversions: ReadonlyMap<string, Instant>,
): Promise<void> {
  for (const claim of claims) {
    if (claim.referral_id === null) continue;
    const referral = await ctx.em.findOneOrFail(Referral, { id: claim.referral_id });
    const at = conversions.get(claim.key);
    if (at !== undefined && referral.conversion_state !== 'conversion') await moveReferral(ctx, referral, 'conversion', at);
    else if (customerId !== null && (referral.converted_at ?? undefined) !== at)
      setReferralConversion(referral, at ?? null, ctx.now);
  }
}

/** Applies the campaign's limits to the commissions of each referral, live and test ones apart, in the order of the charges. */
async function applyCampaignLimits(ctx: WriteCtx, decisions: Map<string, Decision>): Promise<void> {
  const referrals = new Map(
    [...decisions.values()].flatMap(({ referral }) => (referral ? [[referral.id, referral] as const] : [])),
  );
  for (const referral of referrals.values()) {
    const campaign = await ctx.em.findOneOrFail(Campaign, { id: referral.campaign_id });
    const isLimited = campaign.max_commissions !== null || campaign.max_commission_period_months !== null;
    if (isLimited) await addOtherSales(ctx, referral, decisions);
    const own = [...decisions.values()].filter((decision) => decision.referral === referral && decision.refusal === null);
    const voided = isLimited ? await voidedByMerchant(ctx, referral) : new Map<string, Instant>();
    const limits = { maxCommissions: campaign.max_commissions, periodMonths: campaign.max_commission_period_months };
    for (const ofMode of Map.groupBy(own, ({ sale }) => isLive(sale)).values()) {
      const refused = applyLimits(
        ofMode.map(({ sale }) => ({
          key: chargeKey(sale),
          chargedAt: sale.charged_at,
          worth: rewardFor(sale, campaign).amount > 0,
          endedAt: voided.get(sale.id) ?? null,
          wasRefused: LIMIT_REASONS.includes(sale.no_commission_reason ?? ''),
        })),
        limits,
      );
      for (const decision of ofMode) decision.refusal = refused.get(chargeKey(decision.sale)) ?? null;
    }
  }
}

const LIMIT_REASONS = ['max_commissions_reached', 'commission_period_over', 'nothing_to_earn'];

/** Adds the referral's other sales, such as those without a customer: they share its limit. */
async function addOtherSales(ctx: WriteCtx, referral: Referral, decisions: Map<string, Decision>): Promise<void> {
  const others = await ctx.em.find(Sale, { referral_id: referral.id, id: { $nin: [...decisions.keys()] } });
  for (const sale of others) {
    if (sale.no_commission_reason !== null && !LIMIT_REASONS.includes(sale.no_commission_reason)) continue;
    decisions.set(sale.id, { sale, referral, refusal: null });
  }
}

/** When commissions of a referral stopped counting because the merchant voided them, or voided what a failed refund gave back; by sale. */
async function voidedByMerchant(ctx: WriteCtx, referral: Referral): Promise<Map<string, Instant>> {
  await ctx.em.flush();
  const { rows } = await sql<{ sale_id: string; ended_at: Instant }>`
    select commission.sale_id, coalesce(max(adjustment.voided_at), commission.voided_at) as ended_at
    from commission left join commission adjustment on adjustment.adjusts_commission_id = commission.id
    where commission.referral_id = ${referral.id} and commission.kind = 'sale' and not commission.superseded and commission.state = 'voided'
    group by commission.id
    having not commission.voided_by_refund
      or (max(adjustment.voided_at) is not null and coalesce(sum(adjustment.amount_cents) filter (where adjustment.state <> 'voided'), 0) <= 0)`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ sale_id, ended_at }) => [sale_id, ended_at]));
}

/**
 * Locks the affiliates who may earn from a sale without a customer that is about to be created. Sales of one referral get their time and id under this lock,
 * so that a later one never takes a commission that an earlier response has shown.
 */
export function lockClaimants(ctx: WriteCtx, claimants: readonly ({ affiliate_id: string } | null)[]): Promise<void> {
  const ids = claimants.flatMap((claimant) => (claimant === null ? [] : [claimant.affiliate_id]));
  return lockAffiliates(ctx, sql`select unnest(${ids}::text[])`);
}

/** Locks every affiliate who can gain or lose a commission. */
async function lockAffiliatesOf(ctx: WriteCtx, claims: readonly KnownClaim[], ofSales: RawBuilder<unknown>): Promise<void> {
  const claimants = claims.map(({ affiliate_id }) => affiliate_id);
  await lockAffiliates(
    ctx,
    sql`select unnest(${claimants}::text[]) union select affiliate_id from sale where ${ofSales} and affiliate_id is not null`,
  );
}

async function prefersCodes(ctx: WriteCtx, claims: readonly KnownClaim[]): Promise<boolean> {
  if (!claims.some(({ kind }) => kind === 'code')) return false;
  const account = await ctx.db
    .selectFrom('account')
    .select('code_before_link')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  return account.code_before_link;
}

/** Breaks ties between charges of one second by the provider's ids, which do not depend on arrival. */
function chargeKey(sale: Sale): string {
  return sale.psp_charge_id ?? sale.psp_invoice_id ?? sale.id;
}
