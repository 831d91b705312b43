import { sql } from 'kysely';
import { advisoryLocks } from '../../platform/call/advisory-lock.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type AttributingCode, findAttributingCode, type RedeemedCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { createSale } from '../../earnings/sales/sale.transitions.ts';
import { attributeSale, customerOf } from '../attribution/attribute-sale.ts';
import { type Claimant, lockClaimants } from '../attribution/lock-claimants.ts';

/**
 * A paid charge, as the merchant's server or the payment provider reports it. `external_id` or one of the provider's ids identifies it; without
 * any, the caller makes sure that it is recorded once.
 */
export interface Charge {
  external_id?: string;
  psp_charge_id?: string;
  psp_invoice_id?: string;
  psp_payment_intent_id?: string;
  referral: Referral | null;
  /** The customer whom that referral has. */
  referredId: string | null;
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
  /** When missing, the time at which the sale is recorded: taken after its locks, so that concurrent sales are charged in the order of their commits. */
  charged_at?: Instant;
}

/**
 * Records a charge as a sale, attributes it, and earns its commission: all in the caller's transaction. A charge that is known
 * already, also one that another transaction is recording right now, changes nothing.
 *
 * @returns the sale; of one that this call created, its commission as well
 */
export async function recordSale(
  ctx: WriteCtx,
  charge: Charge,
): Promise<{ sale: Sale } & ({ created: false } | { created: true; commission: Commission | null })> {
  await lockNames(ctx, charge);
  const known = await findSale(ctx, charge);
  if (known) return { sale: known, created: false };
  const { customer, referral, referredId } = charge;
  const promo = await findAttributingCode(ctx.db, ctx.accountId, redeemedCode(charge), charge.charged_at ?? ctx.now);
  const customerId = await customerOf(ctx, { customer, referredId });
  if (customerId === null) await lockClaimants(ctx, claimantsOf(referral, promo));
  const sale = createSale(ctx, {
    customer_id: customerId,
    external_id: charge.external_id ?? null,
    named_referral_id: charge.namedByMerchant ? (referral?.id ?? null) : null,
    psp_charge_id: charge.psp_charge_id ?? null,
    psp_invoice_id: charge.psp_invoice_id ?? null,
    psp_payment_intent_id: charge.psp_payment_intent_id ?? null,
    promo_code: promo?.code ?? charge.promo_code ?? null,
    psp_promotion_code_id: promo?.psp_promotion_code_id ?? charge.psp_promotion_code_ids?.[0] ?? null,
    livemode: charge.livemode ?? null,
    charge_amount_cents: charge.charge_amount_cents,
    tax_amount_cents: charge.tax_amount_cents,
    currency: charge.currency,
    description: charge.description ?? null,
    charged_at: charge.charged_at ?? ctx.now,
  });
  return { sale, created: true, commission: await attributeSale(ctx, sale, { referral, promo }, true) };
}

function claimantsOf(referral: Referral | null, promo: AttributingCode | null): Claimant[] {
  return [
    ...(referral ? [{ referral_id: referral.id, affiliate_id: referral.affiliate_id, campaign_id: referral.campaign_id }] : []),
    ...(promo ? [{ referral_id: null, affiliate_id: promo.affiliate_id, campaign_id: promo.campaign_id }] : []),
  ];
}

function redeemedCode({ promo_code, psp_promotion_code_ids, livemode }: Charge): RedeemedCode {
  return { code: promo_code, psp_promotion_code_ids, livemode };
}

/**
 * Reports of one charge take turns, whichever of its ids they name. A report with nothing but the merchant's id needs no lock: the unique index
 * lets one of two concurrent reports through, and the other runs again and finds the sale.
 */
async function lockNames(ctx: WriteCtx, charge: Charge): Promise<void> {
  const { external_id, psp_charge_id, psp_payment_intent_id, psp_invoice_id } = charge;
  const ofProvider = [psp_charge_id, psp_payment_intent_id, psp_invoice_id].filter((name) => name !== undefined);
  if (ofProvider.length === 0) return;
  const names = external_id === undefined ? ofProvider : [external_id, ...ofProvider];
  await advisoryLocks(
    ctx,
    names.map((name) => `sale ${name}`),
  );
}

/**
 * The sale of a charge, by the merchant's id, else by the provider's. An invoice may have several payments, so its id counts only between a
 * report and the provider, when one of the two does not know the charge.
 */
async function findSale(ctx: WriteCtx, charge: Charge): Promise<Sale | null> {
  const { external_id = null, psp_charge_id = null, psp_payment_intent_id = null, psp_invoice_id = null } = charge;
  if ((external_id ?? psp_charge_id ?? psp_payment_intent_id) === null && psp_invoice_id === null) return null;
  const names = { external_id, psp_charge_id, psp_payment_intent_id, psp_invoice_id };
  const [row] = await findIdOfSale(ctx.db, { accountId: ctx.accountId, ...names }, { isReport: external_id !== null });
  return row ? ctx.em.findOne(Sale, { id: row.id }) : null;
}

type NamesOfCharge = Record<'external_id' | 'psp_charge_id' | 'psp_payment_intent_id' | 'psp_invoice_id', string | null>;

const findIdOfSale = builtOnce(
  (
    _db,
    { accountId, external_id, psp_charge_id, psp_payment_intent_id, psp_invoice_id }: NamesOfCharge & { accountId: string },
    { isReport }: { isReport: boolean },
  ) => sql<{ id: string }>`
    select id from sale
    where account_id = ${accountId} and (
      external_id = ${external_id} or psp_charge_id = ${psp_charge_id} or psp_payment_intent_id = ${psp_payment_intent_id}
      or id = (
        select sale_id from psp_payment
        where account_id = ${accountId} and payment_intent_id = ${psp_payment_intent_id} and sale_id is not null limit 1)
      or psp_invoice_id = ${psp_invoice_id} and ${
        isReport
          ? sql`external_id is null and ${psp_charge_id}::text is null and ${psp_payment_intent_id}::text is null`
          : sql`external_id is not null and psp_charge_id is null and psp_payment_intent_id is null`
      })
    order by external_id = ${external_id} desc nulls last, psp_charge_id = ${psp_charge_id} desc nulls last, id limit 1`,
);
