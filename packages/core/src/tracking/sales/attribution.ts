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

/** What a charge says about who sent the customer. */
export interface AttributionClues {
  customer: Customer | null;
  /** A referral of this account, as the merchant's page or checkout passed it on. */
  referral: Referral | null;
  /** The affiliate's promotion code that the customer paid with. */
  promo: AttributingCode | null;
  charged_at: Instant;
}

/**
 * The referral that a charge belongs to (docs/domain-rules.md#attribution): the one its customer is bound to; else the one it
 * names, to which the customer is then bound; else a new one of the affiliate whose promotion code was used. A bound customer
 * never moves, so a referral named for a second customer is continued by a new one of the same affiliate.
 *
 * @returns the referral, locked with its affiliate; null when nobody claims the charge
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

/** A promotion code is a way to arrive: its first charge makes the referral, to which the customer is bound from then on. */
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
 * Gives a newly bound referral the sales of its customer that nobody claimed: those charged since the visitor came, in the order
 * of their charges. Older ones were no affiliate's doing. The caller holds the referral's and its affiliate's locks.
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

/** The payment provider's timestamps are in whole seconds. */
function wholeSecond(at: Instant): Instant {
  return `${at.slice(0, 19)}.000Z`;
}

/** What became known of a sale after it was recorded. */
export interface LateClues {
  customer: KnownCustomer;
  referral: Referral | null;
  promo: AttributingCode | null;
}

/** Attributes a sale that nobody has claimed so far, if what became known of it says who may. Throws NOT_FOUND. */
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
