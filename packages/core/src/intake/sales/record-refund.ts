import { sql } from 'kysely';
import { type HeldAffiliates, lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { settleCommission } from '../../ledger/earning/settle.ts';
import { Sale } from '../../ledger/sales/sale.entity.ts';
import {
  createRefund,
  findSaleLines,
  markSaleRefunded,
  type SaleRefunds,
  setRefundedLines,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { apportion } from '../../platform/money/money.ts';

/**
 * Records one refund of a sale, and settles the sale's commission. Does nothing if the refund was recorded before.
 *
 * @param refund.lines the products that were refunded. Without them, the refund reduces all lines of the sale in proportion
 * @param refund.repeated the products by the lines of another report of the sale (`refundMatchingLines`)
 * @returns the locked sale, and whether this call recorded the refund
 * @throws VALIDATION_ERROR when all refunds together would exceed the charge, or the refund belongs to another sale, or its lines do not fit;
 * LostRace when the sale has turned out to repeat the payment of another sale
 */
export async function recordRefund(
  ctx: WriteCtx,
  saleId: string,
  { lines = [], repeated = [], ...refund }: NewRefund,
): Promise<{ sale: Locked<Sale>; created: boolean }> {
  const locked = await lockSale(ctx, saleId);
  const { sale } = locked;
  if (sale.repeats_sale_id !== null) throw new LostRace();
  const known = await ctx.db
    .selectFrom('refund')
    .select('sale_id')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', refund.external_id)
    .executeTakeFirst();
  if (known) {
    if (known.sale_id !== sale.id) throw invalid('refund_id', 'This refund belongs to another sale.', 'taken');
    return { sale, created: false };
  }
  const reported = (await reportedRefunds(ctx, sale.id)) + refund.amount_cents;
  // The payment provider may have reported the same refunds, so the larger total counts.
  const total = Math.max(reported, sale.refund_amount_cents);
  if (total > sale.charge_amount_cents)
    throw invalid('amount_cents', 'All refunds of this sale together would exceed its charge.', 'too_big');
  createRefund(ctx, sale, refund);
  if (lines.length > 0) await refundLines(ctx, sale, refund.amount_cents, lines);
  await refundMatchingLines(ctx, sale, repeated);
  await setRefunded(ctx, locked, { total, creditNote: sale.credit_note_refund_cents, creditNoteTax: sale.credit_note_tax_cents });
  return { sale, created: true };
}

interface NewRefund {
  external_id: string;
  amount_cents: number;
  lines?: readonly RefundedProduct[];
  repeated?: readonly RefundedProduct[];
}

/** A refunded amount of the lines with a product, without tax. */
export interface RefundedProduct {
  product: string;
  amount_cents: number;
}

/**
 * Adds the refunds of another report of a sale to the lines of the sale with the same products, by at most what is left of these lines, so that the
 * order of the refunds has no effect. Whatever has no such line reduces all lines in proportion. Does nothing for lines that the payment provider
 * reported, because its credit notes name them.
 */
export async function refundMatchingLines(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  repeated: readonly RefundedProduct[],
): Promise<void> {
  if (repeated.length === 0 || !sale.itemized || sale.external_id === null) return;
  const lines = await findSaleLines(ctx, sale);
  const refunded = lines.map(({ refunded_cents }) => refunded_cents);
  for (const { product, amount_cents } of repeated) {
    const places = lines.map((_, i) => i).filter((i) => lines[i]!.product === product);
    const left = places.map((i) => Math.max(0, lines[i]!.net_cents - refunded[i]!));
    const most = left.reduce((sum, cents) => sum + cents, 0);
    if (most === 0) continue;
    for (const [place, cents] of apportion(Math.min(amount_cents, most), left).entries()) refunded[places[place]!]! += cents;
  }
  setRefundedLines(ctx, sale, refunded);
}

/**
 * Adds a refund to the lines that it names. If several lines have a product, divides the amount among them in proportion to what is left of them.
 * Throws VALIDATION_ERROR.
 */
async function refundLines(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  amountCents: number,
  named: readonly RefundedProduct[],
): Promise<void> {
  if (!sale.itemized) throw invalid('lines', 'The lines of this sale are not known. Report the refund without lines.');
  if (named.reduce((sum, { amount_cents }) => sum + amount_cents, 0) > amountCents)
    throw invalid('lines', 'The lines must not add up to more than amount_cents.', 'too_big');
  const lines = await findSaleLines(ctx, sale);
  const refunded = lines.map(({ refunded_cents }) => refunded_cents);
  for (const [at, { product, amount_cents }] of named.entries()) {
    const places = lines.map((_, i) => i).filter((i) => lines[i]!.product === product);
    if (places.length === 0) throw invalid(`lines.${at}.product`, 'The sale has no line with this product.', 'not_found');
    const left = places.map((i) => lines[i]!.net_cents - refunded[i]!);
    if (amount_cents > left.reduce((sum, cents) => sum + cents, 0))
      throw invalid(`lines.${at}.amount_cents`, 'The refunds of this product would exceed its lines.', 'too_big');
    for (const [place, cents] of apportion(amount_cents, left).entries()) refunded[places[place]!]! += cents;
  }
  setRefundedLines(ctx, sale, refunded);
}

/** Returns the sum of the refunds that the merchant reported for a sale. */
export async function reportedRefunds(ctx: WriteCtx, saleId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0) as cents from refund where sale_id = ${saleId}`.execute(ctx.db);
  return rows[0]!.cents;
}

/** Sets the refunded amount of a sale, and settles its commission. */
export async function setRefunded(ctx: WriteCtx, { sale, affiliate }: LockedSale, refunds: SaleRefunds): Promise<void> {
  markSaleRefunded(ctx, sale, refunds);
  // A sale without an affiliate has no commission.
  if (affiliate) await settleCommission(ctx, affiliate, sale);
}

/** A locked sale, and the lock on its affiliate, if it has one. */
export interface LockedSale {
  sale: Locked<Sale>;
  affiliate: HeldAffiliates | null;
}

/**
 * Locks the affiliate of a sale, if it has one, and then the sale. Every change of money takes its locks in this order.
 *
 * @throws NOT_FOUND; LostRace when another transaction attributed the sale to another affiliate before the sale was locked. The repeated
 * transaction locks that affiliate
 */
export async function lockSale(ctx: WriteCtx, saleId: string): Promise<LockedSale> {
  const row = await ctx.db
    .selectFrom('sale')
    .select('affiliate_id')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', saleId)
    .executeTakeFirst();
  const affiliate = row?.affiliate_id ? await lockAffiliate(ctx, row.affiliate_id) : null;
  const sale = await lock(ctx, Sale, saleId);
  if (sale.affiliate_id !== null && sale.affiliate_id !== row?.affiliate_id) throw new LostRace();
  return { sale, affiliate };
}
