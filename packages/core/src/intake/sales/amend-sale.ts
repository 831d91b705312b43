import { settleCommission } from '../../ledger/earning/settle.ts';
import { saleAmountCents } from '../../ledger/sales/sale-amount.ts';
import { amendSale, type SaleAmendment } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockSale } from './record-refund.ts';

/**
 * Applies facts that became known after a sale was recorded, and settles its commission if the sale's amount changed.
 *
 * @returns whether anything changed
 * @throws NOT_FOUND
 */
export async function amendRecordedSale(ctx: WriteCtx, saleId: string, amendment: SaleAmendment): Promise<boolean> {
  const { sale, affiliate } = await lockSale(ctx, saleId);
  const before = saleAmountCents(sale);
  if (!amendSale(ctx, sale, amendment)) return false;
  // A sale without an affiliate has no commission.
  if (affiliate && saleAmountCents(sale) !== before) await settleCommission(ctx, affiliate, sale);
  return true;
}
