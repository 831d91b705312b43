import { type HeldAffiliates, lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { settleCommission } from '../../ledger/earning/settle.ts';
import {
  centsOf,
  countedRefunds,
  type MerchantRefund,
  type Refund,
  refundedAmount,
  type RefundedProduct,
  refundsOfReport,
} from '../../ledger/sales/refund.ts';
import { Sale } from '../../ledger/sales/sale.entity.ts';
import {
  createRefund,
  findSaleLines,
  type KnownRefunds,
  markSaleRefunded,
  setRefundedLines,
  shareRefund,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { apportion } from '../../platform/money/money.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { refundedProducts, returnedTotal } from './facts-of-payment.ts';

/**
 * Records one refund of a sale, and settles the sale's commission. Does nothing if the same report named the refund before. If another report of
 * the payment named it, both mean the same refund.
 *
 * @param refund.reported_sale_id the sale that the report names: this sale, or one that repeats its payment
 * @param refund.lines the products that were refunded. Without them, the refund reduces all lines of the sale in proportion
 * @returns the locked sale, whether this call recorded the refund, and whether it changed anything
 * @throws VALIDATION_ERROR when all refunds of the report together would exceed the charge, or the refund belongs to another sale, or its lines do
 * not fit; LostRace when the sale has turned out to repeat the payment of another sale
 */
export async function recordRefund(
  ctx: WriteCtx,
  saleId: string,
  refund: NewRefund,
): Promise<{ sale: Locked<Sale>; created: boolean; changed: boolean }> {
  const locked = await lockSale(ctx, saleId);
  const { sale } = locked;
  if (sale.repeats_sale_id !== null) throw new LostRace();
  const known = await ctx.db
    .selectFrom('refund')
    .select(['sale_id', 'reported_sale_id', 'amount_cents'])
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', refund.external_id)
    .executeTakeFirst();
  if (known && known.sale_id !== sale.id) throw invalid('refund_id', INTAKE_REASONS.refund_of_other_sale, 'taken');
  const isNamed = known && (known.reported_sale_id === null || known.reported_sale_id === refund.reported_sale_id);
  // The caller refuses a report with another amount.
  if (isNamed || (known && known.amount_cents !== refund.amount_cents)) return { sale, created: false, changed: false };
  const before = await findReportedRefunds(ctx, sale.id);
  if (centsOf(refundsOfReport(refund.reported_sale_id, before)) + refund.amount_cents > sale.charge_amount_cents)
    throw invalid('amount_cents', INTAKE_REASONS.refunds_exceed_charge, 'too_big');
  if (known) await shareRefund(ctx, sale, refund.external_id);
  else createRefund(ctx, sale, refund);
  const refunds = await findReportedRefunds(ctx, sale.id);
  if (centsOf(refund.lines) > refund.amount_cents) throw invalid('lines', INTAKE_REASONS.lines_exceed_amount, 'too_big');
  const byProvider = await refundedByProvider(ctx, sale);
  const refundedLines = await findRefundedLines(ctx, sale, refunds, byProvider.credited);
  if (refundedLines !== null) setRefundedLines(ctx, sale, refundedLines);
  else if (isStatedOnce(sale, refunds) && refund.lines.length > 0) await refundLines(ctx, sale, refund.lines);
  const { credit_note_refund_cents: creditNote, credit_note_tax_cents: creditNoteTax } = sale;
  await setRefunded(ctx, locked, {
    ...refundedAmount(sale, byProvider.total, refunds),
    creditNote,
    creditNoteTax,
  });
  return { sale, created: !known, changed: true };
}

type NewRefund = { [P in 'external_id' | 'amount_cents']: Refund[P] } & { reported_sale_id: string; lines: RefundedProduct[] };

/** True if another report of the payment of a sale names refunds. */
function isOfSeveralReports({ id }: Pick<Sale, 'id'>, refunds: readonly MerchantRefund[]): boolean {
  return refunds.some(({ reported_sale_id }) => reported_sale_id !== id);
}

/**
 * Returns the sum of the refunds that name each line of a sale. Null if nothing changes, and for a sale that only one report of the merchant states,
 * whose refunds are added one by one (`refundLines`). The credit notes of the provider and the counted refunds of the merchant (`countedRefunds`)
 * may state the same refund, so the larger amount counts for each product. It reduces the lines with this product, by at most what they are worth.
 * Whatever has no such line reduces all lines in proportion.
 *
 * @param credited the amounts that credit notes take back, by product. Null if no credit note names a line
 */
export async function findRefundedLines(
  ctx: WriteCtx,
  sale: Sale,
  refunds: readonly (MerchantRefund & Pick<Refund, 'lines'>)[],
  credited: ReadonlyMap<string | null, number> | null,
): Promise<number[] | null> {
  if (!sale.itemized || isStatedOnce(sale, refunds)) return null;
  const reported = countedRefunds(sale.id, refunds).flatMap(({ lines }) => lines);
  if (credited === null && refunds.every(({ lines }) => lines.length === 0)) return null;
  const byProduct = new Map(credited);
  for (const [product, lines] of Map.groupBy(reported, (line) => line.product))
    byProduct.set(product, Math.max(byProduct.get(product) ?? 0, centsOf(lines)));
  const known = await findSaleLines(ctx, sale);
  const refunded = known.map(() => 0);
  for (const [product, cents] of byProduct) {
    const places = known.map((_, i) => i).filter((i) => known[i]!.product === product);
    const nets = places.map((i) => known[i]!.net_cents);
    const most = nets.reduce((sum, net) => sum + net, 0);
    if (most === 0) continue;
    for (const [place, part] of apportion(Math.min(cents, most), nets).entries()) refunded[places[place]!] = part;
  }
  return refunded.every((cents, i) => cents === known[i]!.refunded_cents) ? null : refunded;
}

/** True for a sale that the provider has not reported, and whose payment no other report of the merchant names. */
function isStatedOnce(sale: Sale, refunds: readonly MerchantRefund[]): boolean {
  return sale.livemode === null && !isOfSeveralReports(sale, refunds);
}

/**
 * Adds a refund to the lines that it names. If several lines have a product, all refunds of the product are divided among them in proportion.
 * Throws VALIDATION_ERROR.
 */
async function refundLines(ctx: WriteCtx, sale: Locked<Sale>, named: readonly RefundedProduct[]): Promise<void> {
  if (!sale.itemized) {
    // The lines of a payment that the provider will report may become known later.
    if (sale.names.length > 0 || sale.name_of_group !== null) return;
    throw invalid('lines', INTAKE_REASONS.lines_unknown);
  }
  const lines = await findSaleLines(ctx, sale);
  const refunded = lines.map(({ refunded_cents }) => refunded_cents);
  for (const [at, { product, amount_cents }] of named.entries()) {
    const places = lines.map((_, i) => i).filter((i) => lines[i]!.product === product);
    if (places.length === 0) throw invalid(`lines.${at}.product`, INTAKE_REASONS.no_line_of_product, 'not_found');
    const nets = places.map((i) => lines[i]!.net_cents);
    // Divided as a sum, so that the order of the refunds has no effect on the rounding.
    const total = places.reduce((sum, i) => sum + refunded[i]!, amount_cents);
    if (total > nets.reduce((sum, net) => sum + net, 0))
      throw invalid(`lines.${at}.amount_cents`, INTAKE_REASONS.refunds_exceed_lines, 'too_big');
    for (const [place, cents] of apportion(total, nets).entries()) refunded[places[place]!] = cents;
  }
  setRefundedLines(ctx, sale, refunded);
}

/** Returns the refunds that the merchant reported for a sale, also by other reports of its payment, in a fixed order. */
export function findReportedRefunds({ db }: Pick<WriteCtx, 'db'>, saleId: string) {
  return db
    .selectFrom('refund')
    .select(['external_id', 'reported_sale_id', 'amount_cents', 'lines', 'repeated'])
    .where('sale_id', '=', saleId)
    .orderBy('external_id')
    .execute();
}

/**
 * Returns the sum of the refunds and lost disputes that the payment provider reported for a sale, and the amounts that its credit notes take back by
 * product.
 */
async function refundedByProvider(
  { db, accountId }: WriteCtx,
  { id, livemode }: Sale,
): Promise<{ total: number; credited: Map<string | null, number> | null }> {
  // A sale without a mode is known from a report of the merchant only.
  if (livemode === null) return { total: 0, credited: null };
  const told = await db
    .selectFrom('payment')
    .select(['refunds', 'disputes'])
    .where('account_id', '=', accountId)
    .where('sale_id', '=', id)
    .executeTakeFirst();
  return told === undefined
    ? { total: 0, credited: null }
    : { total: returnedTotal(told), credited: refundedProducts(told.refunds) };
}

/** Sets the refunded amount of a sale, and settles its commission. */
async function setRefunded(ctx: WriteCtx, { sale, affiliate }: LockedSale, refunds: KnownRefunds): Promise<void> {
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
