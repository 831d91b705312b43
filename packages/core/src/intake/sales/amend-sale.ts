import { redateClaims } from '../../attribution/claims/claims.ts';
import type { Reopening } from '../../attribution/decide/facts.ts';
import { hasOpenTerms } from '../../ledger/earning/earn.ts';
import { updateDisputeFlags } from '../../ledger/earning/flag-commission.ts';
import { settleCommission } from '../../ledger/earning/settle.ts';
import { type Sale, saleAmountCents } from '../../ledger/sales/sale.entity.ts';
import {
  amendSale,
  apportionSaleLines,
  findSaleLines,
  itemizeSale,
  moveRefunds,
  type SaleAmendment,
  setReportedTax,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { Line } from '../../rewards/worth/evaluate.ts';
import { linesOfSale, type StatedLine } from '../../rewards/worth/sale-lines.ts';
import { type LockedSale, lockSale } from './record-refund.ts';

/**
 * Applies facts that became known after a sale was recorded: its amendment, its refunds and its lines. Settles the commission if the sale's amount
 * changed.
 *
 * @param lines what the source says was sold. They replace the lines of a report, and those that the source has told before. No effect if a commission that
 * rules decided is paid or claimed
 * @param refund applies refunds and disputes. Returns true if they have changed
 * @returns the reason to decide about an unpaid commission of the sale again, or null
 * @throws NOT_FOUND
 */
export async function amendRecordedSale(
  ctx: WriteCtx,
  saleId: string,
  {
    amendment,
    lines,
    refund,
  }: { amendment: SaleAmendment; lines: readonly StatedLine[]; refund: (locked: LockedSale) => Promise<boolean> },
): Promise<Reopening | null> {
  const locked = await lockSale(ctx, saleId);
  const { sale, affiliate } = locked;
  const { charged_at: chargedAt, currency } = sale;
  const before = saleAmountCents(sale);
  const isAmended = amendSale(ctx, sale, amendment);
  if (sale.charged_at !== chargedAt) await redateClaims(ctx, sale, chargedAt);
  if (amendment.repeats_sale_id !== null) await moveRefunds(ctx, sale, amendment.repeats_sale_id);
  if (isAmended) await apportionSaleLines(ctx, sale);
  const isRefunded = await refund(locked);
  // A sale without an affiliate has no commission.
  if (affiliate && (isRefunded || saleAmountCents(sale) !== before)) await settleCommission(ctx, affiliate, sale);
  if (affiliate && isRefunded) await updateDisputeFlags(ctx, affiliate, sale);
  // After the amount is settled, because the terms of the commission are those of the lines that were known.
  if (await learnLines(ctx, sale, lines, { replacesOthers: true })) {
    await refund(locked);
    return 'lines';
  }
  // Lines, codes and tiers may have become known while nothing of the sale was left. What a failed refund gives back is earned by them.
  const isGivenBack = isRefunded && saleAmountCents(sale) > before;
  return sale.currency === currency && !isGivenBack ? null : 'rewards';
}

/**
 * Records the lines of a sale, unless a commission that rules decided is paid or claimed.
 *
 * @param replacesOthers true if other lines than these may be known, which they replace
 * @returns whether the lines of the sale have changed
 */
async function learnLines(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  stated: readonly StatedLine[],
  { replacesOthers }: { replacesOthers: boolean },
): Promise<boolean> {
  if (stated.length === 0 || (sale.itemized && !replacesOthers)) return false;
  const lines = linesOfSale(sale.charge_amount_cents - sale.tax_amount_cents, stated);
  if (sale.itemized && areSame(lines, await findSaleLines(ctx, sale))) return false;
  if (!(await hasOpenTerms(ctx, sale.id))) return false;
  itemizeSale(ctx, sale, lines);
  return true;
}

function areSame(lines: readonly Line[], known: Awaited<ReturnType<typeof findSaleLines>>): boolean {
  const textOf = ({ product, price, interval, quantity, net_cents }: (typeof known)[number] | Line) =>
    JSON.stringify([product, price, interval, quantity, net_cents]);
  return lines.map(textOf).join() === known.map(textOf).join();
}

/**
 * Adds what a merchant reports about a sale that the payment provider reported first: its lines, its tax if the provider tells none, its shipping if the
 * provider's amount includes it, and facts on which reward rules depend.
 *
 * @param of.isAboutRewards true if the report has metadata, or a code that belongs to no affiliate
 * @param of.statesTax true if the report states a tax
 * @param of.leaveOut leaves out the shipping that the report states. Returns true if the amounts of the sale have changed
 * @returns the reason to decide about an unpaid commission of the sale again, or null
 */
export async function learnFromReport(
  ctx: WriteCtx,
  saleId: string,
  lines: readonly StatedLine[],
  {
    isAboutRewards,
    statesTax,
    leaveOut,
  }: { isAboutRewards: boolean; statesTax: boolean; leaveOut: ((locked: LockedSale) => Promise<boolean>) | null },
): Promise<Reopening | null> {
  if (lines.length === 0 && !isAboutRewards && !statesTax && leaveOut === null) return null;
  const locked = await lockSale(ctx, saleId);
  const { sale, affiliate } = locked;
  const isReduced = (await leaveOut?.(locked)) ?? false;
  const isCorrected = (statesTax && setReportedTax(ctx, sale)) || isReduced;
  if (isCorrected) {
    await apportionSaleLines(ctx, sale);
    if (affiliate) await settleCommission(ctx, affiliate, sale);
  }
  if (await learnLines(ctx, sale, lines, { replacesOthers: false })) return 'lines';
  return isAboutRewards || isCorrected ? 'rewards' : null;
}
