import { sql } from 'kysely';
import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import { settleCommission } from '../../earnings/commissions/settle.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { Refund } from '../../earnings/sales/refund.entity.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { createRefund, markSaleRefunded, type SaleRefunds } from '../../earnings/sales/sale.transitions.ts';

/**
 * Records one refund of a sale, and settles the sale's commission. Does nothing if the refund was recorded before.
 *
 * @returns whether this call recorded the refund
 * @throws VALIDATION_ERROR when all refunds together would exceed the charge, or the refund belongs to another sale
 */
export async function recordRefund(
  ctx: WriteCtx,
  saleId: string,
  refund: { external_id: string; amount_cents: number },
): Promise<boolean> {
  const sale = await lockSale(ctx, saleId);
  const known = await ctx.em.findOne(Refund, { account_id: ctx.accountId, external_id: refund.external_id });
  if (known) {
    if (known.sale_id !== sale.id) throw invalid('refund_id', 'This refund belongs to another sale.', 'taken');
    return false;
  }
  const reported = (await reportedRefunds(ctx, sale.id)) + refund.amount_cents;
  // The payment provider may have reported the same refunds, so the larger total counts.
  const total = Math.max(reported, sale.refund_amount_cents);
  if (total > sale.charge_amount_cents)
    throw invalid('amount_cents', 'All refunds of this sale together would exceed its charge.', 'too_big');
  createRefund(ctx, sale, refund);
  await setRefunded(ctx, sale, { total, noted: sale.noted_refund_cents, notedTax: sale.noted_tax_cents });
  return true;
}

/** Returns the sum of the refunds that the merchant reported for a sale. */
export async function reportedRefunds(ctx: WriteCtx, saleId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0) as cents from refund where sale_id = ${saleId}`.execute(ctx.db);
  return rows[0]!.cents;
}

/** Sets the refunded amount of a sale, and settles its commission. The caller has locked the sale with `lockSale`. */
export async function setRefunded(ctx: WriteCtx, sale: Sale, refunds: SaleRefunds): Promise<void> {
  markSaleRefunded(sale, refunds, ctx.now);
  await ctx.em.flush();
  await settleCommission(ctx, sale);
}

/**
 * Locks the affiliate of a sale, if it has one, and then the sale. Every change of money takes its locks in this order.
 *
 * @throws NOT_FOUND; LostRace when another transaction attributed the sale to another affiliate before the sale was locked. The repeated
 * transaction locks that affiliate
 */
export async function lockSale(ctx: WriteCtx, saleId: string): Promise<Sale> {
  const row = await ctx.db
    .selectFrom('sale')
    .select('affiliate_id')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (row?.affiliate_id) await lockAffiliate(ctx, row.affiliate_id);
  const sale = await loadForUpdate(ctx, Sale, saleId);
  if (sale.affiliate_id !== null && sale.affiliate_id !== row?.affiliate_id) throw new LostRace();
  return sale;
}
