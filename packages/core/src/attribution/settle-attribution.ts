/**
 * Updates sales and commissions to match all known facts (docs/rules/attribution.md#order-of-facts). Called after every fact that may show who
 * sent a customer, or that a customer paid. Calling it again changes nothing.
 */
import { sql } from 'kysely';
import { earnCommission, lockCommissionsOfSales, supersedeCommission, voidedByHand } from '../ledger/earning/earn.ts';
import type { Commission } from '../ledger/commissions/commission.entity.ts';
import { moveCommissionToReferral } from '../ledger/commissions/commission.transitions.ts';
import { flagIfDoubtful } from '../ledger/earning/flag-commission.ts';
import { type ContestedSale, Sale, decidedBy, isExcluded } from '../ledger/sales/sale.entity.ts';
import { isLive } from '../ledger/sales/sale-mode.ts';
import {
  markSaleAttributed,
  markSaleUnattributed,
  moveSaleToReferral,
  setSaleContested,
  setSaleCustomer,
  setSalePromoCode,
  storeSale,
} from '../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Locked, protectedBy } from '../platform/call/locks.ts';
import { get, known, load } from '../platform/call/records.ts';
import { noneOf, oneOf } from '../platform/db/conditions.ts';
import type { Instant } from '../platform/time/instant.ts';
import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../program/campaigns/campaign.entity.ts';
import { termsAt } from '../program/campaigns/campaign.transitions.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { findEmails } from '../program/customer-identities/customer-identity.ts';
import { isExcludedAt } from '../program/customers/exclusions.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { attributeByMode, chargeKey, type ChargeOfSale } from './attribute-by-mode.ts';
import { bind, convert } from './bind-customer.ts';
import { applyCampaignLimits, isCommissionOf, isPaidFor } from './campaign-limits.ts';
import { claimByAnonymousSale, type HeldCustomer, referralOfClaim, setReferralOfClaim } from './claims.ts';
import type { KnownClaim } from './known-claim.ts';
import { keyOfNamed, loadClaims } from './load-claims.ts';
import { type Earner, attributeCharges, isOfSameEarner } from './decide.ts';
import type { Decision, HeldCommissions } from './decision.ts';
import { findDuplicates } from './find-duplicates.ts';
import { isSuspiciousAt } from './standing.ts';
import { lockAffiliatesOf } from './lock-claimants.ts';

/**
 * Attributes every sale of a customer and binds the customer to a referral.
 *
 * @param created the sale that this transaction created, if any
 * @returns the commissions of the customer's sales
 */
export async function settleCustomer(
  ctx: WriteCtx,
  customer: HeldCustomer,
  customerId: string,
  created: Sale | null = null,
): Promise<HeldCommissions> {
  const claims = await loadClaims(ctx, customerId);
  const affiliates = await lockAffiliatesOf(ctx, claims, sql`customer_id = ${customerId}`);
  const sales = (await load(ctx, Sale, salesOfCustomer(ctx, customerId, claims))).map((sale) => protectedBy(customer, sale));
  for (const sale of sales) {
    if (sale.customer_id === null) await claimByAnonymousSale(ctx, customerId, claims, sale);
    setSaleCustomer(ctx, sale, customerId);
  }
  return settle(ctx, affiliates, { customerId, claims, sales, created });
}

/** Selects the sales of a customer, and sales without a customer that are attributed to a referral in this customer's claims. */
function salesOfCustomer({ db, accountId }: WriteCtx, customerId: string, claims: readonly KnownClaim[]) {
  const named = claims.flatMap(({ kind, referral_id }) => (kind === 'link' && referral_id !== null ? [referral_id] : []));
  const sales = db.selectFrom('sale').selectAll().where('account_id', '=', accountId);
  if (named.length === 0) return sales.where('customer_id', '=', customerId);
  return sales.where((eb) =>
    eb.or([eb('customer_id', '=', customerId), eb.and([eb('customer_id', 'is', null), oneOf('referral_id', named)])]),
  );
}

/** Attributes a sale whose customer is unknown, by the claims from its own report. */
export async function settleAnonymousSale(ctx: WriteCtx, { id }: Sale, claims: KnownClaim[]): Promise<HeldCommissions> {
  const affiliates = await lockAffiliatesOf(ctx, claims, sql`id = ${id}`);
  const sale = protectedBy(affiliates, await get(ctx, Sale, id));
  return settle(ctx, affiliates, { customerId: null, claims, sales: [sale], created: null });
}

/** Like `settleAnonymousSale`, for a sale that this transaction has created after it locked the affiliates of the claims. */
export function settleNewAnonymousSale(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  sale: Locked<Sale>,
  claims: KnownClaim[],
): Promise<HeldCommissions> {
  return settle(ctx, affiliates, { customerId: null, claims, sales: [sale], created: sale });
}

/** The claims on a customer, and the sales that they decide about. */
interface Case {
  /** Null if the customer is unknown. */
  customerId: string | null;
  claims: KnownClaim[];
  sales: readonly Locked<Sale>[];
  /** The sale that this transaction created, if any. */
  created: Sale | null;
}

/**
 * Attributes the sales based on the claims, and corrects the commissions of the sales. The number of statements grows only with the number
 * of sales that change.
 */
async function settle(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  { customerId, claims, sales, created }: Case,
): Promise<HeldCommissions> {
  const earlier = sales.filter(({ id }) => id !== created?.id);
  const held = await lockCommissionsOfSales(
    ctx,
    earlier.map(({ id }) => id),
  );
  const byReferral = new Map(
    claims.flatMap((claim) => (claim.referral_id === null ? [] : [[claim.referral_id, claim] as const])),
  );
  const exclusions = customerId === null ? [] : (await known(ctx, Customer, customerId)).exclusions;
  const charges = sales.map((sale) =>
    chargeOf(sale, {
      named: keyOfNamed(claims, sale.named_referral_id),
      redeemed: claims.filter(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id).map(({ key }) => key),
      isExcluded: isExcluded(sale) || isExcludedAt(exclusions, sale.charged_at),
      settled: keyOfPaid(claims, sale, held.get(sale.id)),
    }),
  );
  const testSales = new Set(sales.filter((sale) => !isLive(sale)));
  const outcome = attributeByMode(claims, charges, testSales, ctx.now);
  const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
  const referrals = new Map<KnownClaim, Locked<Referral>>();
  const referralOf = async (claim: KnownClaim) => {
    const loaded = referrals.get(claim);
    if (loaded) return loaded;
    const isNew = claim.referral_id === null;
    const referral = await referralOfClaim(ctx, affiliates, claim);
    referrals.set(claim, referral);
    if (isNew && customerId !== null) await setReferralOfClaim(ctx, customerId, claim);
    return referral;
  };

  const decisions = new Map<string, Decision>();
  for (const { charge, claim, refusal, contested: byFacts } of outcome.attributions) {
    const sale = sales.find((each) => chargeKey(each) === charge)!;
    const commission = held.get(sale.id);
    const earner = claim === null ? null : claimOf.get(claim)!;
    if (commission && isPaidFor(commission, sale) && !(refusal === null && earner && isOfSameEarner(commission, earner))) {
      // The claims do not contain the referral that was paid. The sale stays as it is.
      setSaleContested(ctx, sale, contestedBy(claimOf, { claim, refusal }));
      continue;
    }
    const referral = claim === null ? null : await referralOf(claimOf.get(claim)!);
    const code = claims.find(({ kind, sale_id }) => kind === 'code' && sale_id === sale.id);
    if (code) setSalePromoCode(ctx, sale, { code: code.code!, psp_promotion_code_id: code.psp_promotion_code_id });
    decisions.set(sale.id, { sale, referral, refusal, limits: null, contested: byFacts && contestedBy(claimOf, byFacts) });
  }
  for (const decision of decisions.values()) {
    const commission = held.get(decision.sale.id);
    await follow(ctx, decision, commission, commission ?? byReferral.get(decision.sale.referral_id ?? ''));
  }
  if (customerId !== null)
    await bind(ctx, affiliates, customerId, outcome.binding === null ? null : claimOf.get(outcome.binding)!, referralOf);
  const converted = await convert(ctx, affiliates, customerId, claims, outcome.conversions);
  for (const claim of converted) await reconsider(ctx, affiliates, claim, outcome.conversions.get(claim.key)!, decisions);
  const reconsidered = [...decisions.keys()].filter((id) => !sales.some((sale) => sale.id === id));
  for (const [id, commission] of await lockCommissionsOfSales(ctx, reconsidered)) held.set(id, commission);
  await applyCampaignLimits(ctx, affiliates, decisions, held);
  // Wrong commissions are removed before new ones are created, because a removal can free a place under a limit on commissions.
  const ordered = [...decisions.values()].toSorted((a, b) => (a.sale.charged_at < b.sale.charged_at ? -1 : 1));
  for (const decision of ordered) await takeAway(ctx, affiliates, decision, held);
  const duplicates = await findDuplicates(ctx, decisions, held);
  const unproven = new Set(
    claims.flatMap(({ isProven, referral_id }) => (isProven || referral_id === null ? [] : [referral_id])),
  );
  const customerEmails = customerId === null ? [] : await findEmails(ctx.db, customerId);
  const standings = new Map(claims.map(({ affiliate_id, standing }) => [affiliate_id, standing]));
  for (const decision of ordered) {
    const { sale, referral, contested } = decision;
    setSaleContested(ctx, sale, contested);
    const facts = {
      customerEmails,
      isDuplicate: duplicates.has(sale.id),
      isCreated: sale.id === created?.id,
      isUnproven: referral !== null && unproven.has(referral.id),
      isSuspicious: referral !== null && isSuspiciousAt(standings.get(referral.affiliate_id)!, decidedBy(sale)),
    };
    await give(ctx, affiliates, decision, held, facts);
    storeSale(ctx, sale);
  }
  return held;
}

/**
 * Decides again about sales without a customer that were refused because the claim's referral had expired, and adds them to the decisions.
 * They may earn now, because the referral turned out to have converted before it expired.
 */
async function reconsider(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  claim: KnownClaim,
  at: Instant,
  decisions: Map<string, Decision>,
): Promise<void> {
  if (claim.expiresAt === null || claim.expiresAt <= at || claim.expiresAt > ctx.now) return;
  const referral = await known(ctx, Referral, claim.referral_id!);
  const sales = ctx.db
    .selectFrom('sale')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('referral_id', '=', referral.id)
    .where('customer_id', 'is', null)
    .where('no_commission_reason', '=', 'referral_expired')
    .where(noneOf('id', [...decisions.keys()]));
  const refused = await load(ctx, Sale, sales);
  for (const sale of refused.filter(isLive)) {
    const charge = chargeOf(sale, { named: null, redeemed: [], isExcluded: isExcluded(sale), settled: null });
    const { refusal } = attributeCharges([{ ...claim, convertedAt: at }], [charge], ctx.now).attributions[0]!;
    decisions.set(sale.id, { sale: protectedBy(affiliates, sale), referral, refusal, limits: null, contested: null });
  }
}

/** Returns the charge of a sale, for the decision. `facts` follow from other records. */
function chargeOf(sale: Sale, facts: Pick<ChargeOfSale, 'named' | 'redeemed' | 'isExcluded' | 'settled'>): ChargeOfSale {
  const netCents = sale.charge_amount_cents - sale.tax_amount_cents;
  return { sale, key: chargeKey(sale), chargedAt: sale.charged_at, netCents, standingAt: decidedBy(sale), ...facts };
}

/** Returns the key of the claim whose commission from this sale has been paid, or null. */
function keyOfPaid(claims: readonly KnownClaim[], sale: Sale, commission: Commission | undefined): string | null {
  if (commission === undefined || !isPaidFor(commission, sale)) return null;
  return claims.find(({ referral_id }) => referral_id === commission.referral_id)?.key ?? null;
}

/** Returns who would earn from a sale whose commission is paid, by the facts. */
function contestedBy(claimOf: ReadonlyMap<string, KnownClaim>, { claim, refusal }: Earner): ContestedSale {
  return { affiliate_id: refusal === null ? claimOf.get(claim!)!.affiliate_id : null, reason: refusal };
}

/**
 * Moves a sale to another referral of the same affiliate and campaign, with its commission and limits unchanged
 * (docs/rules/attribution.md#order-of-facts). A new commission would use today's terms, and undo a voiding by the merchant. Does nothing if the
 * affiliate or campaign differs.
 *
 * @param former the affiliate and campaign that had the sale until now
 */
async function follow(
  ctx: WriteCtx,
  { sale, referral }: Decision,
  commission: Locked<Commission> | undefined,
  former: Pick<Referral, 'affiliate_id' | 'campaign_id'> | undefined,
): Promise<void> {
  if (referral === null || former === undefined || !isOfSameEarner(former, referral)) return;
  if (commission && commission.referral_id !== referral.id) await moveCommissionToReferral(ctx, commission, referral.id);
  if (sale.referral_id !== null) moveSaleToReferral(ctx, sale, referral.id);
}

/** Supersedes the commission of a sale if the sale should not have it, and removes it from `held`. */
async function takeAway(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  { sale, referral, refusal }: Decision,
  held: HeldCommissions,
): Promise<void> {
  const commission = held.get(sale.id);
  if (!commission) return;
  const isRight = isCommissionOf(commission, sale, referral);
  // A commission that the merchant voided stays, because it earns nothing anyway. A commission that a refund voided may have been restored
  // by an adjustment after the refund failed, so it is checked further.
  if (isRight && commission.state === 'voided' && !commission.voided_by_refund) return;
  // The refund or correction that changed an amount has already adjusted the commission.
  if (isRight && (refusal === null || refusal === 'nothing_to_earn')) return;
  await supersedeCommission(ctx, affiliates, commission);
  held.delete(sale.id);
}

/** Facts that decide whether a sale earns and are not in its decision. */
interface Facts {
  customerEmails: readonly string[];
  /** True if another source has reported a sale that is probably the same. */
  isDuplicate: boolean;
  /** True if only a public lead connects the customer with the referral. */
  isUnproven: boolean;
  /** True if the affiliate was suspicious at the time of the charge (`isSuspiciousAt`). */
  isSuspicious: boolean;
  /** True if this transaction created the sale, so that nobody can have voided its commission. */
  isCreated: boolean;
}

/**
 * Attributes a sale to the referral of its decision. If the sale should have a commission, creates a missing one and adds it to `held`.
 * Flags a doubtful commission.
 */
async function give(
  ctx: WriteCtx,
  affiliates: HeldAffiliates,
  { sale, referral, refusal, limits }: Decision,
  held: HeldCommissions,
  { isCreated, ...facts }: Facts,
): Promise<void> {
  if (referral === null) {
    if (sale.referral_id !== null || sale.no_commission_reason !== refusal)
      markSaleUnattributed(ctx, sale, refusal ?? 'no_referral');
    return;
  }
  markSaleAttributed(ctx, sale, referral, { refusal, limits });
  if (refusal !== null) return;
  const affiliate = await known(ctx, Affiliate, referral.affiliate_id);
  const doubts = { ...facts, isTaxIgnored: sale.tax_ignored };
  const commission = held.get(sale.id);
  if (commission !== undefined) return flagIfDoubtful(ctx, affiliates, commission, { affiliate, ...facts }, doubts);
  if (!isCreated && (await voidedByHand(ctx, [sale.id], referral.affiliate_id)).has(sale.id)) return;
  const campaign = await known(ctx, Campaign, referral.campaign_id);
  // The commission refers to the sale.
  storeSale(ctx, sale);
  const terms = await termsAt(ctx, campaign, decidedBy(sale));
  const earned = await earnCommission(ctx, affiliates, sale, referral, { affiliate, campaign, terms, ...doubts });
  if (earned !== null) held.set(sale.id, earned);
}
