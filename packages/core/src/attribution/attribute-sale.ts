import { sql } from 'kysely';
import type { Commission } from '../ledger/commissions/commission.entity.ts';
import { type AttributingCode, findAttributingCode } from '../codes/promo-codes/attributing-code.ts';
import { Sale } from '../ledger/sales/sale.entity.ts';
import { setSaleCustomer, storeSale } from '../ledger/sales/sale.transitions.ts';
import { isLive } from '../ledger/sales/sale-mode.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Held, type Locked, advisoryLock, protectedBy } from '../platform/call/locks.ts';
import { find, get, known, load } from '../platform/call/records.ts';
import { oneOf } from '../platform/db/conditions.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../program/campaigns/campaign.entity.ts';
import { identitiesOf, type KnownCustomer } from '../program/customers/customer.service.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { type Instant, plusDays } from '../platform/time/instant.ts';
import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import { claimByCode, claimByReferral, type HeldCustomer, lockCustomer } from './claims.ts';
import { HISTORY, type HistoryRow, historyOf } from './history.ts';
import type { KnownClaim } from './known-claim.ts';
import { loadClaims } from './load-claims.ts';
import { identifyCustomer } from './identify-customer.ts';
import { settleAnonymousSale, settleCustomer, settleNewAnonymousSale } from './settle-attribution.ts';

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

/**
 * Finds or creates the customer whom the clues name, and locks them. Returns null if no clue names a customer.
 *
 * @param payerId id of the customer of the sale that the clues are about, who is the same person if the clues name one
 */
export async function customerOf(
  ctx: WriteCtx,
  { customer, referredId }: Pick<SaleClues, 'customer' | 'referredId'>,
  payerId: string | null = null,
): Promise<LockedCustomer | null> {
  if (identitiesOf(customer).length > 0) {
    const identified = await identifyCustomer(ctx, customer, payerId);
    return { id: identified.customer.id, held: identified.held };
  }
  return referredId === null ? null : { id: referredId, held: await lockCustomer(ctx, referredId) };
}

/** The id of a customer, and the lock on them. */
export interface LockedCustomer {
  id: string;
  held: HeldCustomer;
}

/** The referrals that were named for a sale, and the code that was redeemed with it. */
interface Named {
  referrals: readonly Referral[];
  promo: AttributingCode | null;
  /** Id of the referral that was started for `promo` while the customer of the sale was unknown. */
  started?: string | null;
}

/** The locks under which a sale was created: on its customer or, if the customer is unknown, on the affiliates of its claims. */
export type CreatedUnder = { customer: LockedCustomer } | { customer: null; affiliates: HeldAffiliates };

/** Records the clues of a sale that this transaction has created as claims, and settles who earns from it. Returns its commission, or null. */
export async function attributeNewSale(
  ctx: WriteCtx,
  under: CreatedUnder,
  sale: Locked<Sale>,
  named: Named,
): Promise<Locked<Commission> | null> {
  if (under.customer !== null) return attributeToCustomer(ctx, under.customer, sale, named, sale);
  const claims = await anonymousClaims(ctx, sale, named);
  return (await settleNewAnonymousSale(ctx, under.affiliates, sale, claims)).get(sale.id) ?? null;
}

/** Records clues of a sale that was recorded earlier as claims, and settles who earns from it. Returns the commission of the sale, or null. */
export async function attributeSale(
  ctx: WriteCtx,
  customer: LockedCustomer | null,
  sale: Sale,
  named: Named,
): Promise<Locked<Commission> | null> {
  if (customer === null) {
    const held = await settleAnonymousSale(ctx, sale, await anonymousClaims(ctx, sale, named));
    return held.get(sale.id) ?? null;
  }
  return attributeToCustomer(ctx, customer, sale, named, null);
}

async function attributeToCustomer(
  ctx: WriteCtx,
  { id: customerId, held }: LockedCustomer,
  sale: Sale,
  { referrals, promo, started = null }: Named,
  created: Sale | null,
): Promise<Locked<Commission> | null> {
  // Claims refer to the sale.
  storeSale(ctx, sale);
  // Sorted, so that two sales that name the same referrals cannot deadlock.
  for (const referral of referrals.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await claimByReferral(ctx, customerId, referral, { madeAt: sale.charged_at });
  if (promo)
    await claimByCode(ctx, customerId, promo, { at: sale.charged_at, saleId: sale.id, source: `sale ${sale.id}` }, started);
  return (await settleCustomer(ctx, held, customerId, created)).get(sale.id) ?? null;
}

/** Runs `attributeSale` for a sale that was recorded earlier, with clues that have arrived since. Throws NOT_FOUND. */
export async function attributeRecordedSale(ctx: WriteCtx, saleId: string, clues: SaleClues): Promise<void> {
  await lockUnknownCustomerOf(ctx, saleId);
  const { customer_id: payerId } = await get(ctx, Sale, saleId);
  const named = await customerOf(ctx, clues, payerId);
  const sale = await get(ctx, Sale, saleId);
  const customer = (await lockCustomerOf(ctx, sale, named)) ?? named;
  const namedBefore = await namedReferral(ctx, sale);
  // The code of a sale without a customer is not stored as a claim, so it is a clue each time that the sale is attributed.
  const promo = clues.promo ?? (sale.customer_id === null ? await codeOf(ctx, sale) : null);
  const started = promo !== null && sale.customer_id === null ? await referralStartedFor(ctx, sale, promo) : null;
  if (customer) setSaleCustomer(ctx, protectedBy(customer.held, sale), customer.id);
  const referrals = [...new Set([clues.referral, namedBefore])].filter((referral) => referral !== null);
  await attributeSale(ctx, customer, sale, { referrals, promo, started });
}

/** Finds the code that was redeemed with a recorded sale. The text that the merchant reported is looked up again, because the mode may be known now. */
async function codeOf(ctx: WriteCtx, sale: Sale): Promise<AttributingCode | null> {
  const { external_id, promo_code, psp_promotion_code_id: id, livemode, charged_at } = sale;
  const redeemed =
    external_id !== null && promo_code !== null ? { code: promo_code } : { psp_promotion_code_ids: id === null ? [] : [id] };
  return findAttributingCode(ctx.db, ctx.accountId, { ...redeemed, livemode: livemode ?? undefined }, charged_at);
}

/** Returns the id of the referral that was started for the code of a sale without a customer, or null. */
async function referralStartedFor(ctx: WriteCtx, sale: Sale, promo: AttributingCode): Promise<string | null> {
  if (sale.referral_id === null || sale.referral_id === sale.named_referral_id) return null;
  const { id, affiliate_id, campaign_id, link_id, customer_id } = await get(ctx, Referral, sale.referral_id);
  const isOfCode = affiliate_id === promo.affiliate_id && campaign_id === promo.campaign_id && link_id === null;
  return isOfCode && customer_id === null ? id : null;
}

/**
 * Locks the customer of a sale, unless `locked` is that customer, and reads the sale again. If the customer was merged into another one
 * before the lock was granted, locks the other customer. Returns the customer of the sale, or null if the sale has none.
 */
async function lockCustomerOf(ctx: WriteCtx, sale: Sale, locked: LockedCustomer | null): Promise<LockedCustomer | null> {
  let last = locked;
  while (sale.customer_id !== null && sale.customer_id !== last?.id) {
    last = { id: sale.customer_id, held: await lockCustomer(ctx, sale.customer_id) };
    await get(ctx, Sale, sale.id);
  }
  return sale.customer_id === null ? null : last;
}

/**
 * Takes all customer locks that `attributeRecordedSale` would take for several sales with the same clues. Must be called before that
 * function, which would otherwise lock the customer of the second sale after the affiliates of the first sale. That is the wrong order.
 */
export async function lockCustomersOf(ctx: WriteCtx, saleIds: readonly string[], clues: SaleClues): Promise<void> {
  const ids = saleIds.toSorted();
  for (const id of ids) await lockUnknownCustomerOf(ctx, id);
  const customer = await customerOf(ctx, clues);
  const all = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const sales = await load(ctx, Sale, all.where(oneOf('id', ids)));
  const ofSales = sales.toSorted((one, other) => ((one.customer_id ?? '') < (other.customer_id ?? '') ? -1 : 1));
  for (const sale of ofSales) await lockCustomerOf(ctx, sale, customer);
}

/**
 * Locks the id of a sale. This lock is needed because `lockCustomer` has nothing to lock while the sale has no customer. Concurrent changes that name
 * the customer or the referral of the sale wait for this lock.
 */
export function lockUnknownCustomerOf(ctx: WriteCtx, saleId: string): Promise<Held<'customer of sale'>> {
  return advisoryLock(ctx, 'customer of sale', saleId);
}

/**
 * Finds the referral that the merchant named for a sale, by a report or by assigning the sale. Returns null if there is no such referral,
 * or if the customer already has a claim by this referral.
 */
async function namedReferral(ctx: WriteCtx, { customer_id, named_referral_id }: Sale): Promise<Referral | null> {
  if (named_referral_id === null) return null;
  const claims = customer_id === null ? [] : await loadClaims(ctx, customer_id);
  if (claims.some(({ referral_id }) => referral_id === named_referral_id)) return null;
  return find(ctx, Referral, named_referral_id);
}

/**
 * Settles who earns after a refund of a sale. A sale with nothing left after refunds frees its place under the campaign's limits.
 *
 * @param customer the lock on the customer of the sale, or null if the sale has no customer
 */
export async function settleRefundedSale(ctx: WriteCtx, customer: HeldCustomer | null, sale: Locked<Sale>): Promise<void> {
  // The sale is locked before affiliates who may get it.
  ctx.locks.startRound();
  if (sale.customer_id !== null && customer !== null) {
    await settleCustomer(ctx, customer, sale.customer_id);
    return;
  }
  if (sale.referral_id === null) return;
  const referral = await get(ctx, Referral, sale.referral_id);
  await settleAnonymousSale(ctx, sale, await anonymousClaims(ctx, sale, { referrals: [referral], promo: null }));
}

/** Builds the claims that came with a sale whose customer is unknown. These claims count for this sale only. */
async function anonymousClaims(ctx: WriteCtx, sale: Sale, { referrals, promo }: Named): Promise<KnownClaim[]> {
  const claims: KnownClaim[] = [];
  for (const referral of referrals) {
    const converted = referral.converted_at;
    claims.push({
      ...(await standing(ctx, referral, referral)),
      beforeLink: false,
      key: referral.id,
      kind: 'link',
      from: beginningOf(referral, sale),
      madeAt: sale.charged_at,
      expiresAt: referral.expires_at,
      deactivatedAt: referral.deactivated_at,
      convertedAt: converted,
      referral_id: referral.id,
      named_id: referral.id,
      code: null,
      psp_promotion_code_id: null,
      sale_id: null,
      isTest: false,
      isProven: true,
    });
  }
  // If the code has already earned from this sale, a referral was started for the code. The claim keeps that referral.
  if (promo) {
    const { daysToConvert, ...state } = await standing(ctx, promo, null);
    const earned = referrals.some(({ id }) => id === sale.referral_id) ? null : sale.referral_id;
    claims.push({
      ...state,
      beforeLink: await prefersCodes(ctx),
      key: `${promo.psp_promotion_code_id} sale ${sale.id}`,
      kind: 'code',
      from: sale.charged_at,
      madeAt: sale.charged_at,
      expiresAt: plusDays(sale.charged_at, daysToConvert),
      deactivatedAt: null,
      convertedAt: null,
      referral_id: earned,
      named_id: null,
      code: promo.code,
      psp_promotion_code_id: promo.psp_promotion_code_id,
      sale_id: sale.id,
      isTest: !isLive(sale),
      isProven: true,
    });
  }
  return claims;
}

/**
 * Returns the time from which a referral counts for a sale whose customer is unknown: the visit. A referral that was started for the code of this
 * sale has no visit and counts from the charge, although it was created later. The merchant's name for a referral needs no earlier time.
 */
function beginningOf({ id, created_at }: Referral, { referral_id, named_referral_id, charged_at }: Sale): Instant {
  return referral_id === id && named_referral_id !== id && charged_at < created_at ? charged_at : created_at;
}

/** The parts of an anonymous claim that come from its affiliate, its campaign and, if it has one, its referral. */
async function standing(
  ctx: WriteCtx,
  { affiliate_id, campaign_id }: { affiliate_id: string; campaign_id: string },
  referral: Referral | null,
) {
  const affiliate = await known(ctx, Affiliate, affiliate_id);
  const campaign = await known(ctx, Campaign, campaign_id);
  const changes = [affiliate.standing_changed_at, campaign.terms_changed_at, referral?.reactivated_at ?? null];
  const former = changes.some((at) => at !== null)
    ? await findHistory(ctx, affiliate_id, campaign_id, referral?.id ?? null)
    : { former_standings: null, former_terms: null, former_deactivations: null };
  return {
    affiliate_id,
    campaign_id,
    ...historyOf({
      state: affiliate.state,
      affiliate_archived: affiliate.archived_at !== null,
      campaign_archived: campaign.archived_at !== null,
      ...former,
    }),
    lastClick: campaign.attribution === 'last_click',
    daysToConvert: campaign.days_before_referrals_expire,
  } as const;
}

async function findHistory(
  { db, accountId }: WriteCtx,
  affiliateId: string,
  campaignId: string,
  referralId: string | null,
): Promise<HistoryRow> {
  const { rows } = await sql<HistoryRow>`
    select ${HISTORY} from affiliate join campaign on campaign.id = ${campaignId} left join referral on referral.id = ${referralId}
    where affiliate.id = ${affiliateId} and affiliate.account_id = ${accountId}`.execute(db);
  return rows[0]!;
}

async function prefersCodes(ctx: WriteCtx): Promise<boolean> {
  const account = await ctx.db
    .selectFrom('account')
    .select('code_before_link')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  return account.code_before_link;
}
