import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import { earnCommission } from '../../earnings/commissions/earn.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { AttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { bindReferral, startReferral } from '../../program/referrals/referral.transitions.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { type KnownCustomer, findOrCreateCustomer } from '../../program/customers/customer.service.ts';
import type { Customer } from '../../program/customers/customer.entity.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { setSaleCustomer, setSalePromoCode } from '../../earnings/sales/sale.transitions.ts';

/** Facts of a charge that attribution uses. */
export interface AttributionClues {
  customer: Customer | null;
  /** The referral that the charge names, as the merchant's page or checkout passed it on. */
  referral: Referral | null;
  /** The affiliate's promotion code that the customer redeemed. */
  promo: AttributingCode | null;
  charged_at: Instant;
}

/**
 * Finds the referral that a charge belongs to (docs/domain-rules.md#attribution): the referral its customer is bound to; else the one the
 * charge names, to which the customer is then bound; else a new one of the affiliate whose promotion code was redeemed. If the named
 * referral already holds another customer, a new referral of the same affiliate is started.
 *
 * @returns the referral, locked after its affiliate; null when no affiliate claims the charge
 */
export async function attribute(ctx: WriteCtx, clues: AttributionClues): Promise<Referral | null> {
  const { customer, referral, promo, charged_at } = clues;
  const bound = customer && (await ctx.em.findOne(Referral, { customer_id: customer.id }));
  const named = referral?.isLive(charged_at) || !promo ? referral : null;
  const claimed = bound ?? named;
  if (!claimed) return promo && startPromoReferral(ctx, promo, customer, charged_at);
  await lockAffiliate(ctx, claimed.affiliate_id);
  const locked = await loadForUpdate(ctx, Referral, claimed.id);
  if (!customer || locked.customer_id === customer.id || !locked.isLive(charged_at)) return locked;
  if (locked.customer_id !== null) {
    const { affiliate_id, campaign_id, link_id } = locked;
    return startReferral(ctx, { affiliate_id, campaign_id, link_id, customer, arrived_at: charged_at });
  }
  bindReferral(locked, customer.id, ctx.now);
  await ctx.em.flush();
  await attributeWaitingSales(ctx, locked);
  return locked;
}

/** Starts the referral of a customer who came by a promotion code, as of the charge. */
async function startPromoReferral(
  ctx: WriteCtx,
  { affiliate_id, campaign_id }: AttributingCode,
  customer: Customer | null,
  arrived_at: Instant,
): Promise<Referral> {
  await lockAffiliate(ctx, affiliate_id);
  return startReferral(ctx, { affiliate_id, campaign_id, customer, arrived_at });
}

/**
 * Attributes the unclaimed sales of a newly bound customer that were charged since the visit, in the order of their charges. The caller
 * holds the locks of the affiliate and of the referral.
 */
export async function attributeWaitingSales(ctx: WriteCtx, referral: Referral): Promise<void> {
  const waiting = await ctx.db
    .selectFrom('sale')
    .select('id')
    .where('customer_id', '=', referral.customer_id)
    .where('referral_id', 'is', null)
    .where('charged_at', '>=', wholeSecond(referral.created_at))
    .orderBy('charged_at')
    .orderBy('id')
    .execute();
  for (const { id } of waiting) {
    const sale = await loadForUpdate(ctx, Sale, id);
    if (sale.referral_id === null) await earnCommission(ctx, sale, referral);
  }
}

/** Truncates to the second, because the payment provider's timestamps are whole seconds. */
function wholeSecond(at: Instant): Instant {
  return `${at.slice(0, 19)}.000Z`;
}

/** Facts about the customer and the referrer that arrived after the sale was recorded. */
export interface LateClues {
  customer: KnownCustomer;
  referral: Referral | null;
  promo: AttributingCode | null;
}

/** Attributes a recorded sale that no referral has claimed, if facts that arrived later name a referrer. Throws NOT_FOUND. */
export async function attributeRecordedSale(
  ctx: WriteCtx,
  saleId: string,
  { customer: known, referral, promo }: LateClues,
): Promise<void> {
  const sale = await ctx.em.findOneOrFail(Sale, { id: saleId, account_id: ctx.accountId });
  if (sale.referral_id !== null) return;
  const customer = known.email || known.psp_customer_id ? await findOrCreateCustomer(ctx, known) : null;
  const isNewCustomer = customer !== null && sale.customer_id === null;
  if (!isNewCustomer && !referral && !promo) return;
  const claimant = await attribute(ctx, { customer, referral, promo, charged_at: sale.charged_at });
  const locked = await loadForUpdate(ctx, Sale, saleId);
  setSaleCustomer(locked, customer?.id ?? null);
  if (!claimant || locked.referral_id !== null) return;
  if (promo) setSalePromoCode(locked, promo);
  await earnCommission(ctx, locked, claimant);
  await ctx.em.flush();
}
