import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns, loadForUpdate } from '../../platform/call/records.ts';
import { settleCommission } from '../../earnings/commissions/settle.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { Refund } from '../../earnings/sales/refund.entity.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';

/**
 * Records one refund of a sale, and settles the sale's commission. A refund that is known already changes nothing.
 *
 * @returns whether this call recorded it
 * @throws VALIDATION_ERROR when all refunds together would exceed the charge
 */
export async function recordRefund(
  ctx: WriteCtx,
  saleId: string,
  refund: { external_id: string; amount_cents: number },
): Promise<boolean> {
  const sale = await lockSale(ctx, saleId);
  const known = await ctx.em.findOne(Refund, { account_id: ctx.accountId, external_id: refund.external_id });
  if (known) {
    if (known.sale_id !== sale.id) throw invalid('refund_id', 'This refund belongs to another sale', 'taken');
    return false;
  }
  const total = sale.refund_amount_cents + refund.amount_cents;
  if (total > sale.charge_amount_cents) throw invalid('amount_cents', 'All refunds together exceed the charge', 'too_big');
  ctx.em.create(Refund, {
    ...newRecordColumns(ctx, newId('refund', ctx.clock.now())),
    sale_id: sale.id,
    external_id: refund.external_id,
    amount_cents: refund.amount_cents,
  });
  await setRefunded(ctx, sale, total);
  return true;
}

/** Sets what has been refunded of a sale in all, as the payment provider knows it, and settles the commission. The sale is locked by `lockSale`. */
export async function setRefunded(ctx: WriteCtx, sale: Sale, totalCents: number): Promise<void> {
  sale.refund_amount_cents = Math.min(totalCents, sale.charge_amount_cents);
  sale.updated_at = ctx.now;
  await ctx.em.flush();
  await settleCommission(ctx, sale);
}

/** Locks a sale, after its affiliate: the order of all money changes. Throws NOT_FOUND. */
export async function lockSale(ctx: WriteCtx, saleId: string): Promise<Sale> {
  const row = await ctx.db
    .selectFrom('sale')
    .select('affiliate_id')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (row?.affiliate_id) await lockAffiliate(ctx, row.affiliate_id);
  return loadForUpdate(ctx, Sale, saleId);
}
