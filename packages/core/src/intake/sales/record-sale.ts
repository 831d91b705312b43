import { attribute, codeOf, type CreatedUnder, customerOf } from '../../attribution/attribute.ts';
import { type Claimants, lockClaimants } from '../../attribution/gather/claimants.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import { findCommissionOfSale, findPayoutIdOf, plainCommission } from '../../ledger/commissions/commission.queries.ts';
import { isPayable } from '../../ledger/commissions/commission.transitions.ts';
import type { PaidOutside, Sale } from '../../ledger/sales/sale.entity.ts';
import { getSale, type PartiesOfSale, saleRecord } from '../../ledger/sales/sale.queries.ts';
import { draftSale } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLocks, type Held, type Locked } from '../../platform/call/locks.ts';
import { known } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { linesOfSale } from '../../rewards/worth/sale-lines.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import {
  type ChargedPayment,
  codeOfPayment,
  customerOfPayer,
  factsOf,
  isDisputed,
  type Report,
  storedReport,
} from './facts-of-payment.ts';
import type { RecordedSale } from './tracking.schema.ts';

/** The referral that a payment names, and the id of its customer (see `findReferred`). */
export interface Referrer {
  referral: Referral | null;
  referredId: string | null;
  /** The affiliate of the referral, locked and loaded as by `lockClaimants`. Missing or null if the affiliate is not locked yet. */
  claimants?: Claimants | null;
}

export interface NewSale {
  saleId: string;
  commission: Locked<Commission> | null;
}

/**
 * Records the sale of a payment that has none yet, as a look-up under `lockNames` has shown. Attributes the sale and creates its commission, all in the
 * caller's transaction.
 *
 * @param found.report the report, if the merchant reported the payment. The referral may then earn even if the charge came before the visit
 * @param paid_outside the merchant's decision about a payment outside the provider
 */
export async function recordSale(
  ctx: WriteCtx,
  seen: ChargedPayment,
  found: Referrer & { report: Report | null },
  paid_outside: PaidOutside | null,
): Promise<NewSale> {
  const { referral, referredId, claimants, report } = found;
  const redeemed = codeOfPayment(ctx.accountId, seen);
  const promo = await findAttributingCode(ctx.db, ctx.accountId, redeemed, seen.charged.at);
  const payer = customerOfPayer(seen, seen.charged.at);
  const customer = await customerOf(ctx, { customer: payer, referredId });
  const clues = { referrals: referral === null ? [] : [referral], promo };
  const under: CreatedUnder = customer
    ? { customer }
    : { customer: null, claimants: claimants ?? (await lockClaimants(ctx, clues)) };
  // Read after the locks, so that the times of concurrent sales follow the order of their commits.
  const charged_at = report?.isNow ? ctx.now : seen.charged.at;
  const facts = { ...factsOf(ctx.accountId, seen, paid_outside), charged_at };
  const net = facts.charge_amount_cents - facts.tax_amount_cents;
  const sale = draftSale(
    ctx,
    {
      ...facts,
      customer_id: customer?.id ?? null,
      external_id: report?.external_id ?? null,
      report: report && storedReport(seen, report, charged_at),
      named_referral_id: report && (referral?.id ?? null),
      promo_code: promo?.code ?? redeemed.code ?? null,
      psp_promotion_code_id: promo?.psp_promotion_code_id ?? redeemed.psp_promotion_code_ids?.[0] ?? null,
      disputed: isDisputed(seen),
      description: seen.description,
      metadata: newMerchantColumns({ metadata: report?.metadata }).metadata,
    },
    seen.lines.length === 0 ? [] : linesOfSale(net, seen.lines),
  );
  const commissions = await attribute(ctx, { of: 'new sale', sale, under, clues });
  return { saleId: sale.id, commission: commissions.get(sale.id) ?? null };
}

/**
 * Takes a lock on the names of a payment, so that concurrent reports of it wait for each other, whichever names they have. A report with only the
 * merchant's id needs no lock: of two concurrent reports, the unique index accepts one, and the transaction of the other is repeated and finds the sale.
 */
export async function lockNames(
  ctx: WriteCtx,
  { names, group }: Pick<PaymentSeen, 'names' | 'group'>,
  externalId: string | null,
): Promise<Held<'charge'> | null> {
  const told = group === null ? names : [...names, group.name];
  if (told.length === 0) return null;
  return advisoryLocks(ctx, 'charge', externalId === null ? told : [externalId, ...told]);
}

/** Builds the response for a sale that this transaction created, from the records in memory instead of reading them again. */
export async function newRecordedSale(ctx: WriteCtx, sale: Sale, earned: Commission | null): Promise<RecordedSale> {
  const payoutId = earned !== null && isPayable(earned) ? await findPayoutIdOf(ctx, earned.id) : null;
  return {
    sale: saleRecord(sale, await partiesOf(ctx, sale)),
    commission: earned && plainCommission(earned, payoutId),
    reason: earned ? null : sale.no_commission_reason,
    warnings: await warningsAbout(ctx, sale),
  };
}

/** A code that nobody has may be mistyped, or not assigned yet. */
async function warningsAbout(ctx: WriteCtx, sale: Sale): Promise<RecordedSale['warnings']> {
  if (sale.external_id === null || sale.promo_code === null || (await codeOf(ctx, sale)) !== null) return [];
  const message = String(INTAKE_REASONS.no_affiliate_has_code({ code: sale.promo_code }));
  return [{ code: 'unknown_promo_code', message }];
}

/** Returns the records that a new sale shows. Attribution has loaded them. */
async function partiesOf(ctx: WriteCtx, { referral_id, affiliate_id }: Sale): Promise<PartiesOfSale> {
  const referral = referral_id === null ? null : await known(ctx, Referral, referral_id);
  const affiliate = affiliate_id === null ? null : await known(ctx, Affiliate, affiliate_id);
  const customer = referral?.customer_id ? await known(ctx, Customer, referral.customer_id) : null;
  return { referral, affiliate, customer };
}

/** Reads the response for a sale that was recorded before, or has changed. */
export async function recordedSale(ctx: WriteCtx, row: Sale): Promise<RecordedSale> {
  const { id, no_commission_reason: reason } = row;
  const warnings = await warningsAbout(ctx, row);
  const earned = await findCommissionOfSale(ctx, id);
  if (!earned?.sale) return { sale: await getSale(ctx, id), commission: null, reason, warnings };
  const { sale, ...commission } = earned;
  return { sale, commission, reason: null, warnings };
}
