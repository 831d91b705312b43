import { settleCommission } from '../../earnings/commissions/settle.ts';
import { amendSale, type SaleAmendment } from '../../earnings/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockSale } from './record-refund.ts';

/**
 * Applies facts that became known after a sale was recorded, and settles its commission if the sale's amount changed.
 *
 * @returns whether anything changed
 * @throws NOT_FOUND
 */
export async function amendRecordedSale(ctx: WriteCtx, saleId: string, amendment: SaleAmendment): Promise<boolean> {
  const sale = await lockSale(ctx, saleId);
  const before = sale.amountCents();
  if (!amendSale(sale, amendment, ctx.now)) return false;
  await ctx.em.flush();
  if (sale.amountCents() !== before) await settleCommission(ctx, sale);
  return true;
}
