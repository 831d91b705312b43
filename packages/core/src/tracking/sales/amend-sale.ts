import { settleCommission } from '../../earnings/commissions/settle.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockSale } from './record-refund.ts';

/** What the payment provider may come to know of a sale after it was recorded. */
export interface Amendment {
  psp_charge_id: string | null;
  psp_invoice_id: string | null;
  charge_amount_cents: number;
  tax_amount_cents: number;
}

/** Corrects a sale by what became known of it later, and settles its commission when the amount is another now. Throws NOT_FOUND. */
export async function amendSale(ctx: WriteCtx, saleId: string, known: Amendment): Promise<void> {
  const sale = await lockSale(ctx, saleId);
  const before = sale.amountCents();
  const changed =
    sale.charge_amount_cents !== known.charge_amount_cents ||
    sale.tax_amount_cents !== known.tax_amount_cents ||
    (sale.psp_charge_id === null && known.psp_charge_id !== null) ||
    (sale.psp_invoice_id === null && known.psp_invoice_id !== null);
  if (!changed) return;
  sale.psp_charge_id ??= known.psp_charge_id;
  sale.psp_invoice_id ??= known.psp_invoice_id;
  sale.charge_amount_cents = known.charge_amount_cents;
  sale.tax_amount_cents = known.tax_amount_cents;
  sale.refund_amount_cents = Math.min(sale.refund_amount_cents, known.charge_amount_cents);
  sale.updated_at = ctx.now;
  await ctx.em.flush();
  if (sale.amountCents() !== before) await settleCommission(ctx, sale);
}
