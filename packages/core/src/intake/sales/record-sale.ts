import { type RawBuilder, sql } from 'kysely';
import { attributeNewSale, type CreatedUnder, customerOf } from '../../attribution/attribute.ts';
import { type Claimants, lockClaimants } from '../../attribution/gather/claimants.ts';
import { findAttributingCode, type RedeemedCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import { type PaidOutside, Sale, type SaleReport } from '../../ledger/sales/sale.entity.ts';
import { draftSale, draftLines } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Held, type Locked, advisoryLocks } from '../../platform/call/locks.ts';
import { get } from '../../platform/call/records.ts';
import type { Metadata } from '../../platform/db/columns.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { linesOfSale, type StatedLine } from '../../rewards/worth/sale-lines.ts';

/**
 * A paid charge, as the merchant's server or the payment provider reports it. `external_id` or an id of the provider identifies the charge.
 * If it has none of these ids, the caller makes sure that the charge is recorded only once.
 */
export interface Charge {
  external_id?: string;
  /** The merchant's report, if the merchant reported the charge. */
  report?: Omit<SaleReport, 'charged_at'>;
  psp_charge_id?: string;
  psp_invoice_id?: string;
  psp_payment_intent_id?: string;
  referral: Referral | null;
  /** Id of the customer of `referral` (see `findReferred`). */
  referredId: string | null;
  /** The result of `lockClaimants`, if the affiliates have been locked already. */
  claimants?: Claimants | null;
  /** True if the merchant named `referral` for this charge. The referral may then earn even if the charge came before the visit. */
  namedByMerchant: boolean;
  customer: KnownCustomer;
  promo_code?: string;
  psp_promotion_code_ids?: readonly string[];
  livemode?: boolean;
  /** True if a dispute of the charge is open. */
  disputed?: boolean;
  /** True if a tax of another currency was left out of `tax_amount_cents`. */
  tax_ignored?: boolean;
  charge_amount_cents: number;
  tax_amount_cents: number;
  currency: string;
  description?: string;
  /** The lines that were sold, if they are known. */
  lines?: readonly StatedLine[];
  /**
   * Default: the time at which the sale is recorded. This time is read after the locks are acquired, so that the times of concurrent sales
   * follow the order of their commits.
   */
  charged_at?: Instant;
  /** True if the merchant wants nobody to earn from the sale. */
  excluded?: boolean;
  metadata?: Metadata | undefined;
  /** The merchant's decision about a payment outside the provider. */
  paid_outside?: PaidOutside | null;
}

/**
 * Records a charge as a sale, attributes it and creates its commission, all in the caller's transaction. Does nothing for a known charge,
 * even if another transaction is still recording it.
 *
 * @returns the sale and, if this call created the sale, its commission
 */
export async function recordSale(
  ctx: WriteCtx,
  charge: Charge,
): Promise<{ sale: Sale } & ({ created: false } | { created: true; commission: Commission | null })> {
  await lockNames(ctx, charge);
  const known = await findSale(ctx, charge);
  return known ? { sale: known, created: false } : { created: true, ...(await recordNewSale(ctx, charge)) };
}

/** Records a charge like `recordSale`, after `idOfSale` has shown under `lockNames` that the charge has no sale yet. */
export async function recordNewSale(
  ctx: WriteCtx,
  charge: Charge,
): Promise<{ sale: Sale; commission: Locked<Commission> | null }> {
  const { customer, referral, referredId } = charge;
  const promo = await findAttributingCode(ctx.db, ctx.accountId, redeemedCode(charge), charge.charged_at ?? ctx.now);
  const known = await customerOf(ctx, { customer, referredId });
  const clues = { referrals: referral === null ? [] : [referral], promo };
  const under: CreatedUnder = known
    ? { customer: known }
    : { customer: null, claimants: charge.claimants ?? (await lockClaimants(ctx, clues)) };
  const chargedAt = charge.charged_at ?? ctx.now;
  const sale = draftSale(ctx, {
    customer_id: known?.id ?? null,
    external_id: charge.external_id ?? null,
    report: charge.report ? { ...charge.report, charged_at: chargedAt } : null,
    named_referral_id: charge.namedByMerchant ? (referral?.id ?? null) : null,
    psp_charge_id: charge.psp_charge_id ?? null,
    psp_invoice_id: charge.psp_invoice_id ?? null,
    psp_payment_intent_id: charge.psp_payment_intent_id ?? null,
    promo_code: promo?.code ?? charge.promo_code ?? null,
    psp_promotion_code_id: promo?.psp_promotion_code_id ?? charge.psp_promotion_code_ids?.[0] ?? null,
    livemode: charge.livemode ?? null,
    disputed: charge.disputed ?? false,
    tax_ignored: charge.tax_ignored ?? false,
    charge_amount_cents: charge.charge_amount_cents,
    tax_amount_cents: charge.tax_amount_cents,
    currency: charge.currency,
    description: charge.description ?? null,
    charged_at: chargedAt,
    excluded: charge.excluded ?? false,
    metadata: charge.metadata ?? {},
    paid_outside: charge.paid_outside ?? null,
    itemized: charge.lines !== undefined && charge.lines.length > 0,
  });
  if (sale.itemized) draftLines(sale, linesOfSale(charge.charge_amount_cents - charge.tax_amount_cents, charge.lines ?? []));
  return { sale, commission: await attributeNewSale(ctx, under, sale, clues) };
}

function redeemedCode({ promo_code, psp_promotion_code_ids, livemode }: Charge): RedeemedCode {
  return { code: promo_code, psp_promotion_code_ids, livemode };
}

/**
 * Takes a lock on the ids of a charge, so that concurrent reports of the same charge wait for each other, whichever ids they name. A report
 * with only the merchant's id needs no lock: of two concurrent reports, the unique index accepts one, and the transaction of the other is
 * repeated and finds the sale.
 */
export async function lockNames(ctx: WriteCtx, charge: NamesOfCharge): Promise<Held<'charge'> | null> {
  const { external_id, psp_charge_id, psp_payment_intent_id, psp_invoice_id } = charge;
  const ofProvider = [psp_charge_id, psp_payment_intent_id, psp_invoice_id].filter((name) => name !== undefined);
  if (ofProvider.length === 0) return null;
  const names = external_id === undefined ? ofProvider : [external_id, ...ofProvider];
  return advisoryLocks(ctx, 'charge', names);
}

async function findSale(ctx: WriteCtx, charge: NamesOfCharge): Promise<Sale | null> {
  const { external_id, psp_charge_id, psp_payment_intent_id, psp_invoice_id } = charge;
  if ((external_id ?? psp_charge_id ?? psp_payment_intent_id ?? psp_invoice_id) === undefined) return null;
  const names = { external_id, psp_charge_id, psp_payment_intent_id, psp_invoice_id };
  const [row] = await findIdOfSale(ctx.db, { accountId: ctx.accountId, ...names });
  return row ? get(ctx, Sale, row.id) : null;
}

const findIdOfSale = prepared((_db, names: NamesOfCharge & { accountId: string }) => sql<{ id: string }>`${idOfSale(names)}`);

/** The ids of a charge. At least one of them is given. */
export type NamesOfCharge = {
  [Name in 'external_id' | 'psp_charge_id' | 'psp_payment_intent_id' | 'psp_invoice_id']?: string | undefined;
};

/** SQL condition: the merchant reported the sale, with no other id of the provider than that of an invoice. */
export const NAMES_ONLY_INVOICE = sql<boolean>`(
  sale.external_id is not null and sale.psp_charge_id is null and sale.psp_payment_intent_id is null)`;

/**
 * Returns the query for the id of a charge's sale. If one sale has the merchant's id and another sale has the provider's charge id, the query returns
 * the sale with the merchant's id. The text of the query depends only on which ids are given.
 *
 * An invoice may have several payments, so its id counts in one case only: to match a merchant's report that names no other id of the
 * provider with a sale that the provider reported. The report and the provider's sale may arrive in either order. If the merchant has reported all
 * payments of the invoice before, the query returns one of them.
 */
export function idOfSale({
  accountId,
  external_id,
  psp_charge_id,
  psp_payment_intent_id,
  psp_invoice_id,
}: NamesOfCharge & { accountId: string }) {
  const matches: RawBuilder<unknown>[] = [];
  const best: RawBuilder<unknown>[] = [];
  if (external_id !== undefined) {
    matches.push(sql`external_id = ${external_id}`);
    best.push(sql`external_id = ${external_id} desc nulls last`);
  }
  if (psp_charge_id !== undefined) {
    matches.push(sql`psp_charge_id = ${psp_charge_id}`);
    best.push(sql`psp_charge_id = ${psp_charge_id} desc nulls last`);
  }
  if (psp_payment_intent_id !== undefined) {
    matches.push(sql`psp_payment_intent_id = ${psp_payment_intent_id}`);
    matches.push(sql`id = (
      select sale_id from psp_payment
      where account_id = ${accountId} and payment_intent_id = ${psp_payment_intent_id} and sale_id is not null limit 1)`);
  }
  if (psp_invoice_id !== undefined) {
    if (external_id === undefined)
      matches.push(sql`psp_invoice_id = ${psp_invoice_id} and ${NAMES_ONLY_INVOICE} and repeats_sale_id is null`);
    else if (psp_charge_id === undefined && psp_payment_intent_id === undefined) {
      // The provider knows the payments of the invoice. One that no report has named yet is the payment of this report.
      matches.push(sql`psp_invoice_id = ${psp_invoice_id} and livemode is not null`);
      best.push(sql`(external_id is null) desc`);
    }
  }
  return sql<string>`
    select id from sale where account_id = ${accountId} and (${sql.join(matches, sql` or `)})
    order by ${sql.join([...best, sql`id`])} limit 1`;
}
