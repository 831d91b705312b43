import { attribute, type CreatedUnder, customerOf } from '../../attribution/attribute.ts';
import { type Claimants, lockClaimants } from '../../attribution/gather/claimants.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import type { PaidOutside } from '../../ledger/sales/sale.entity.ts';
import { draftSale } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Held, type Locked, advisoryLocks } from '../../platform/call/locks.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { linesOfSale } from '../../rewards/worth/sale-lines.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { type ChargedPayment, codeOfPayment, customerOfPayer, factsOf, isDisputed } from './facts-of-payment.ts';
import { type Report, storedReport } from './report.ts';

/** The referral that a payment names, and the id of its customer (see `findReferred`). */
export interface Referrer {
  referral: Referral | null;
  referredId: string | null;
  /** The affiliate of the referral, locked and loaded as by `lockClaimants`. Missing or null if the affiliate is not locked yet. */
  claimants?: Claimants | null;
}

export interface RecordedSale {
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
): Promise<RecordedSale> {
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
