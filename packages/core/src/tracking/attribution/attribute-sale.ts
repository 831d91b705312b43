import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import type { AttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { setSaleCustomer } from '../../earnings/sales/sale.transitions.ts';
import { isLive } from '../../earnings/sales/sale-mode.ts';
import { advisoryLock } from '../../platform/call/advisory-lock.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { claimByCode, claimByReferral, lockCustomer } from './claims.ts';
import type { KnownClaim } from './known-claim.ts';
import { loadClaims } from './load-claims.ts';
import { identifyCustomer } from './identify-customer.ts';
import { settleAnonymousSale, settleCustomer } from './settle-attribution.ts';

/** Evidence of which affiliate sent the customer of a sale. */
export interface SaleClues {
  customer: KnownCustomer;
  /** The referral that the merchant's page or checkout named. */
  referral: Referral | null;
  /** Id of the customer of `referral` (see `findReferred`). */
  referredId: string | null;
  /** The affiliate's code that was redeemed with the charge. */
  promo: AttributingCode | null;
}

/** Finds or creates the customer whom the clues name, and locks them. Returns the customer's id, or null if no clue names a customer. */
export async function customerOf(
  ctx: WriteCtx,
  { customer, referredId }: Pick<SaleClues, 'customer' | 'referredId'>,
): Promise<string | null> {
  if (customer.email || customer.psp_customer_id) return (await identifyCustomer(ctx, customer)).id;
  if (referredId !== null) await lockCustomer(ctx, referredId);
  return referredId;
}

/** The referrals that were named for a sale, and the code that was redeemed with it. */
interface Named {
  referrals: readonly Referral[];
  promo: AttributingCode | null;
}

/**
 * Records the clues of a sale as claims and settles who earns from it. The caller has locked the sale's customer with `customerOf`.
 *
 * @param isNew whether this transaction created the sale
 * @returns the commission of the sale, or null
 */
export async function attributeSale(
  ctx: WriteCtx,
  sale: Sale,
  { referrals, promo }: Named,
  isNew: boolean,
): Promise<Commission | null> {
  const { customer_id: customerId, charged_at: at } = sale;
  if (customerId === null) {
    const held = await settleAnonymousSale(ctx, sale, await anonymousClaims(ctx, sale, { referrals, promo }), isNew);
    return held.get(sale.id) ?? null;
  }
  // Writes the sale first, because claims refer to it by a foreign key.
  await ctx.em.flush();
  // Sorted, so that two sales that name the same referrals cannot deadlock.
  for (const referral of referrals.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await claimByReferral(ctx, customerId, referral);
  if (promo) await claimByCode(ctx, customerId, promo, { at, saleId: sale.id, source: `sale ${sale.id}` });
  const held = await settleCustomer(ctx, customerId, isNew ? sale : null);
  return held.get(sale.id) ?? null;
}

/** Runs `attributeSale` for a sale that was recorded earlier, with clues that have arrived since. Throws NOT_FOUND. */
export async function attributeRecordedSale(ctx: WriteCtx, saleId: string, clues: SaleClues): Promise<void> {
  await lockUnknownCustomerOf(ctx, saleId);
  const customerId = await customerOf(ctx, clues);
  const sale = await ctx.em.findOneOrFail(Sale, { id: saleId, account_id: ctx.accountId }, { refresh: true });
  await lockCustomerOf(ctx, sale, customerId);
  const named = await namedReferral(ctx, sale);
  setSaleCustomer(sale, customerId);
  await ctx.em.flush();
  const referrals = [...new Set([clues.referral, named])].filter((referral) => referral !== null);
  await attributeSale(ctx, sale, { referrals, promo: clues.promo }, false);
}

/**
 * Locks the customer of a sale, unless `locked` is that customer, and reads the sale again. If the customer was merged into another one
 * before the lock was granted, locks the other customer.
 */
async function lockCustomerOf(ctx: WriteCtx, sale: Sale, locked: string | null): Promise<void> {
  for (let last = locked; sale.customer_id !== null && sale.customer_id !== last;) {
    last = sale.customer_id;
    await lockCustomer(ctx, last);
    await ctx.em.refresh(sale);
  }
}

/**
 * Takes all customer locks that `attributeRecordedSale` would take for several sales with the same clues. Must be called before that
 * function, which would otherwise lock the customer of the second sale after the affiliates of the first sale. That is the wrong order.
 */
export async function lockCustomersOf(ctx: WriteCtx, saleIds: readonly string[], clues: SaleClues): Promise<void> {
  const ids = saleIds.toSorted();
  for (const id of ids) await lockUnknownCustomerOf(ctx, id);
  const customerId = await customerOf(ctx, clues);
  const sales = await ctx.em.find(Sale, { id: { $in: ids }, account_id: ctx.accountId }, { refresh: true });
  const ofSales = sales.toSorted((one, other) => ((one.customer_id ?? '') < (other.customer_id ?? '') ? -1 : 1));
  for (const sale of ofSales) await lockCustomerOf(ctx, sale, customerId);
}

/**
 * Locks the id of a sale. This lock is needed because `lockCustomer` has nothing to lock while the sale has no customer. Concurrent changes that name
 * the customer or the referral of the sale wait for this lock. Must be called before `lockCustomer`.
 */
export function lockUnknownCustomerOf(ctx: WriteCtx, saleId: string): Promise<void> {
  return advisoryLock(ctx, `customer of sale ${saleId}`);
}

/**
 * Finds the referral that the merchant named for a sale, by a report or by assigning the sale. Returns null if there is no such referral,
 * or if the customer already has a claim by this referral.
 */
async function namedReferral(ctx: WriteCtx, { customer_id, named_referral_id }: Sale): Promise<Referral | null> {
  if (named_referral_id === null) return null;
  const claims = customer_id === null ? [] : await loadClaims(ctx, customer_id);
  if (claims.some(({ referral_id }) => referral_id === named_referral_id)) return null;
  return ctx.em.findOne(Referral, { id: named_referral_id, account_id: ctx.accountId });
}

/**
 * Settles who earns after a refund of a sale. A sale with nothing left after refunds frees its place under the campaign's limits. The
 * caller has locked the customer first and then the sale.
 */
export async function settleRefundedSale(ctx: WriteCtx, sale: Sale): Promise<void> {
  if (sale.customer_id !== null) {
    await settleCustomer(ctx, sale.customer_id);
    return;
  }
  if (sale.referral_id === null) return;
  const referral = await ctx.em.findOneOrFail(Referral, { id: sale.referral_id });
  await settleAnonymousSale(ctx, sale, await anonymousClaims(ctx, sale, { referrals: [referral], promo: null }), false);
}

/** Builds the claims that came with a sale whose customer is unknown. These claims count for this sale only. */
async function anonymousClaims(ctx: WriteCtx, sale: Sale, { referrals, promo }: Named): Promise<KnownClaim[]> {
  const claims: KnownClaim[] = [];
  for (const referral of referrals) {
    const converted = referral.converted_at;
    claims.push({
      ...(await standing(ctx, referral)),
      beforeLink: false,
      key: referral.id,
      kind: 'link',
      from: referral.created_at,
      expiresAt: referral.expires_at,
      deactivatedAt: referral.deactivated_at,
      convertedAt: converted,
      referral_id: referral.id,
      continues: null,
      named_id: referral.id,
      code: null,
      psp_promotion_code_id: null,
      sale_id: null,
      isTest: false,
    });
  }
  // If the code has already earned from this sale, a referral was started for the code. The claim keeps that referral.
  if (promo) {
    const { daysToConvert, ...state } = await standing(ctx, promo);
    const earned = referrals.some(({ id }) => id === sale.referral_id) ? null : sale.referral_id;
    claims.push({
      ...state,
      beforeLink: await prefersCodes(ctx),
      key: `${promo.psp_promotion_code_id} sale ${sale.id}`,
      kind: 'code',
      from: sale.charged_at,
      expiresAt: plusDays(sale.charged_at, daysToConvert),
      deactivatedAt: null,
      convertedAt: null,
      referral_id: earned,
      continues: null,
      named_id: null,
      code: promo.code,
      psp_promotion_code_id: promo.psp_promotion_code_id,
      sale_id: sale.id,
      isTest: !isLive(sale),
    });
  }
  return claims;
}

async function standing(ctx: WriteCtx, { affiliate_id, campaign_id }: { affiliate_id: string; campaign_id: string }) {
  const affiliate = await known(ctx, Affiliate, affiliate_id);
  const campaign = await known(ctx, Campaign, campaign_id);
  const obstacle = !affiliate.isEarning() ? 'affiliate_inactive' : !campaign.isActive() ? 'campaign_archived' : null;
  return {
    affiliate_id,
    campaign_id,
    obstacle,
    lastClick: campaign.attribution === 'last_click',
    daysToConvert: campaign.days_before_referrals_expire,
  } as const;
}

async function prefersCodes(ctx: WriteCtx): Promise<boolean> {
  const account = await ctx.db
    .selectFrom('account')
    .select('code_before_link')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  return account.code_before_link;
}
