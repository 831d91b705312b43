import type { Learned } from '../../attribution/attribute.ts';
import { redateClaims } from '../../attribution/claims/claims.ts';
import type { Reopening } from '../../attribution/decide/facts.ts';
import { hasOpenTerms } from '../../ledger/earning/earn.ts';
import { settleCommission } from '../../ledger/earning/settle.ts';
import { saleAmountCents } from '../../ledger/sales/sale-amount.ts';
import type { Sale } from '../../ledger/sales/sale.entity.ts';
import {
  amendSale,
  apportionSaleLines,
  itemizeSale,
  moveRefunds,
  type SaleAmendment,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { linesOfSale, type StatedLine } from '../../rewards/worth/sale-lines.ts';
import { lockSale } from './record-refund.ts';

/**
 * Applies facts that became known after a sale was recorded, and settles its commission if the sale's amount changed.
 *
 * @param lines what was sold. Has no effect on a sale with known lines, or with a commission that rules decided and that is paid or claimed
 * @returns whether anything changed, and what has become known about the sale. The caller then decides about the sale again
 * @throws NOT_FOUND
 */
export async function amendRecordedSale(
  ctx: WriteCtx,
  saleId: string,
  amendment: SaleAmendment,
  lines: readonly StatedLine[],
): Promise<{ isAmended: boolean } & Learned> {
  const { sale, affiliate } = await lockSale(ctx, saleId);
  const { charged_at: chargedAt, currency } = sale;
  const before = saleAmountCents(sale);
  const isAmended = amendSale(ctx, sale, amendment);
  const isRedated = sale.charged_at !== chargedAt;
  if (isRedated) await redateClaims(ctx, sale, chargedAt);
  if (amendment.repeats_sale_id !== null) await moveRefunds(ctx, sale, amendment.repeats_sale_id);
  if (isAmended) await apportionSaleLines(ctx, sale);
  // A sale without an affiliate has no commission.
  if (affiliate && saleAmountCents(sale) !== before) await settleCommission(ctx, affiliate, sale);
  // After the amount is settled, because the terms of the commission are those of the lines that were known.
  const isItemized = await learnLines(ctx, sale, lines);
  const reopenedBy = isItemized ? 'lines' : sale.currency === currency ? null : 'rewards';
  return { isAmended, reopenedBy, redatedFrom: isRedated ? chargedAt : null };
}

/** Records the lines of a sale unless lines are known, or a commission that rules decided is paid or claimed. Returns true if it recorded them. */
async function learnLines(ctx: WriteCtx, sale: Locked<Sale>, lines: readonly StatedLine[]): Promise<boolean> {
  if (sale.itemized || lines.length === 0 || !(await hasOpenTerms(ctx, sale.id))) return false;
  itemizeSale(ctx, sale, linesOfSale(sale.charge_amount_cents - sale.tax_amount_cents, lines));
  return true;
}

/**
 * Adds what a merchant reports about a sale that the payment provider reported first to the facts on which reward rules depend.
 *
 * @param reported.code a code that belongs to no affiliate, or null
 * @returns the reason to decide about an unpaid commission of the sale again, or null
 */
export async function learnFromReport(
  ctx: WriteCtx,
  saleId: string,
  { lines, metadata, code }: { lines: readonly StatedLine[]; metadata: Readonly<Record<string, unknown>>; code: string | null },
): Promise<Reopening | null> {
  const isAboutSale = code !== null || Object.keys(metadata).length > 0;
  if (lines.length === 0 && !isAboutSale) return null;
  const { sale } = await lockSale(ctx, saleId);
  if (await learnLines(ctx, sale, lines)) return 'lines';
  return isAboutSale ? 'rewards' : null;
}
