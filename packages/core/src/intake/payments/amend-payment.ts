/** Makes the sales of a payment agree with a source that tells the payment again. */
import type { SaleNews } from '../../attribution/attribute.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { refundedAmount } from '../../ledger/sales/counted-refunds.ts';
import type { PaidOutside } from '../../ledger/sales/sale.entity.ts';
import {
  amendedSale,
  isRefunded,
  markSaleRefunded,
  setImportedRefunds,
  setRefundedLines,
  setSaleDisputed,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { amendRecordedSale } from '../sales/amend-sale.ts';
import {
  type ChargedPayment,
  codeOfPayment,
  customerOfPayer,
  factsOf,
  isDisputed,
  refundedProducts,
  returnedTotal,
  returnedUntil,
  taxedRefunds,
} from '../sales/facts-of-payment.ts';
import { findRefundedLines, findReportedRefunds, type LockedSale } from '../sales/record-refund.ts';
import { withoutReportedShipping } from '../sales/report.ts';
import { type FoundPayment, keepPayment, type KnownSale, salesOfPayment } from './known-payment.ts';

/** The amounts of a sale whose payment has another sale. */
const NOTHING = { charge_amount_cents: 0, tax_amount_cents: 0, tax_ignored: false };

/**
 * Keeps what the source tells of a payment, and returns the news about the sales that name it. A repeated sale is reduced to zero and has no refunds,
 * because the sale of the payment has them.
 */
export async function amend(
  ctx: WriteCtx,
  told: ChargedPayment,
  { sales: known, referral, referredId }: FoundPayment,
  paid_outside: PaidOutside | null,
): Promise<SaleNews[]> {
  const seen = withoutReportedShipping(told, known.find(({ report }) => report !== null)?.report ?? null);
  const { at, amount } = seen.charged;
  const facts = factsOf(ctx.accountId, seen, paid_outside);
  // Looked up even if the merchant reported the sale first, because the source's data take precedence.
  const promo = await findAttributingCode(ctx.db, ctx.accountId, codeOfPayment(ctx.accountId, seen), at);
  const clues = { customer: customerOfPayer(seen, at), referral, referredId, promo, at };
  const sales = salesOfPayment(known, seen.names, amount.amount);
  const ids = sales.map(({ id }) => id);
  keepPayment(ctx, ids.at(-1)!, seen, { referral, formerIds: ids.slice(0, -1) });
  return sales.map(({ id: saleId, ...named }) => {
    const isRepeated = named.repeats_sale_id !== null;
    const amendment = { ...facts, ...(isRepeated && NOTHING), ...named };
    const lines = isRepeated ? [] : seen.lines;
    const refund = (locked: LockedSale) => applyRefunds(ctx, seen, locked, { isRepeated, isNamedTwice: sales.length > 1 });
    return {
      saleId,
      clues,
      foresee: (sale) => amendedSale(sale, amendment),
      learn: () => amendRecordedSale(ctx, saleId, { amendment, lines, refund }),
    };
  });
}

/** Returns what the merchant has decided about a payment outside the provider when it became known; null for other payments. */
export function paidOutside(
  seen: PaymentSeen,
  known: readonly Pick<KnownSale, 'paid_outside'>[],
  outside: OutsidePayments,
): PaidOutside | null {
  if (!seen.paidOutside) return null;
  const decided = known.find(({ paid_outside }) => paid_outside !== null)?.paid_outside;
  return decided ?? (outside === 'exclude' ? 'excluded' : 'counted');
}

/**
 * Applies the refunds and disputes of a payment to a sale. Returns true if they have changed.
 *
 * @param of.isNamedTwice true if another sale names the payment, so that the merchant may have reported refunds for a sale of the source, too
 */
export async function applyRefunds(
  ctx: WriteCtx,
  seen: Pick<PaymentSeen, 'refunds' | 'disputes'>,
  { sale }: LockedSale,
  { isRepeated, isNamedTwice }: { isRepeated: boolean; isNamedTwice: boolean },
): Promise<boolean> {
  const { creditNote, creditNoteTax } = taxedRefunds(seen.refunds, sale.currency);
  const reported = sale.external_id === null && !isNamedTwice ? [] : await findReportedRefunds(ctx, sale.id);
  const refunds = { ...refundedAmount(sale, returnedTotal(seen), reported), creditNote, creditNoteTax };
  const byLine = await findRefundedLines(ctx, sale, reported, refundedProducts(seen.refunds));
  if (byLine !== null) setRefundedLines(ctx, sale, byLine);
  // The tool from which the sale was imported has taken earlier refunds into account.
  if (sale.imported_at !== null)
    setImportedRefunds(ctx, sale, { before: returnedUntil(seen, sale.imported_at), total: refunds.total });
  const isKnown = isRefunded(sale, refunds);
  if (!isKnown) markSaleRefunded(ctx, sale, refunds);
  const disputed = !isRepeated && isDisputed(seen);
  const isSame = isKnown && byLine === null && sale.disputed === disputed;
  setSaleDisputed(ctx, sale, disputed);
  return !isSame;
}
