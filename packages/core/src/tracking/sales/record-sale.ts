import { advisoryLock } from '../../platform/call/advisory-lock.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { findAttributingCode, type RedeemedCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { createSale } from '../../earnings/sales/sale.transitions.ts';
import { attributeSale, customerOf } from '../attribution/attribute-sale.ts';

/**
 * A paid charge, as the merchant's server or the payment provider reports it. `external_id` or `psp_charge_id` identifies it; without either,
 * the caller makes sure that it is recorded once.
 */
export interface Charge {
  external_id?: string;
  psp_charge_id?: string;
  psp_invoice_id?: string;
  referral: Referral | null;
  /** The merchant named `referral` for this charge, which may then earn even if it precedes the visit. */
  namedByMerchant: boolean;
  customer: KnownCustomer;
  promo_code?: string;
  psp_promotion_code_ids?: readonly string[];
  livemode?: boolean;
  charge_amount_cents: number;
  tax_amount_cents: number;
  currency: string;
  description?: string;
  charged_at: Instant;
}

/**
 * Records a charge as a sale, attributes it, and earns its commission: all in the caller's transaction. A charge that is known
 * already, also one that another transaction is recording right now, changes nothing.
 *
 * @returns the sale, and whether this call created it
 */
export async function recordSale(ctx: WriteCtx, charge: Charge): Promise<{ sale: Sale; created: boolean }> {
  await advisoryLock(ctx, `sale ${charge.psp_charge_id ?? charge.external_id}`);
  const known = await findSale(ctx, charge);
  if (known) return { sale: known, created: false };
  const { customer, referral } = charge;
  const promo = await findAttributingCode(ctx.db, ctx.accountId, redeemedCode(charge), charge.charged_at);
  const sale = createSale(ctx, {
    customer_id: await customerOf(ctx, { customer, referral, promo }),
    external_id: charge.external_id ?? null,
    named_referral_id: charge.namedByMerchant ? (referral?.id ?? null) : null,
    psp_charge_id: charge.psp_charge_id ?? null,
    psp_invoice_id: charge.psp_invoice_id ?? null,
    promo_code: promo?.code ?? charge.promo_code ?? null,
    psp_promotion_code_id: promo?.psp_promotion_code_id ?? charge.psp_promotion_code_ids?.[0] ?? null,
    livemode: charge.livemode ?? null,
    charge_amount_cents: charge.charge_amount_cents,
    tax_amount_cents: charge.tax_amount_cents,
    currency: charge.currency,
    description: charge.description ?? null,
    charged_at: charge.charged_at,
  });
  await ctx.em.flush();
  await attributeSale(ctx, sale, { referral, promo });
  return { sale, created: true };
}

function redeemedCode({ promo_code, psp_promotion_code_ids, livemode }: Charge): RedeemedCode {
  return { code: promo_code, psp_promotion_code_ids, livemode };
}

/** The sale of a charge, by the merchant's id or the provider's. */
async function findSale(
  ctx: WriteCtx,
  { external_id, psp_charge_id }: Pick<Charge, 'external_id' | 'psp_charge_id'>,
): Promise<Sale | null> {
  if (external_id === undefined && psp_charge_id === undefined) return null;
  const identities = [
    external_id === undefined ? [] : { external_id },
    psp_charge_id === undefined ? [] : { psp_charge_id },
  ].flat();
  return ctx.em.findOne(Sale, { account_id: ctx.accountId, $or: identities });
}
