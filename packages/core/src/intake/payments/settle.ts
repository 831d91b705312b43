import { attributeRecordedSale, attributeRefundedSale, lockCustomersOf } from '../../attribution/attribute.ts';
import { lockCustomer } from '../../attribution/claims/customers.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { updateDisputeFlags } from '../../ledger/earning/dispute-flags.ts';
import { refundedAmount } from '../../ledger/sales/counted-refunds.ts';
import { type PaidOutside, Sale } from '../../ledger/sales/sale.entity.ts';
import { findSaleLines, isRefunded, setRefundedLines, setSaleDisputed } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { get } from '../../platform/call/records.ts';
import { apportion } from '../../platform/money/money.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { amendRecordedSale } from '../sales/amend-sale.ts';
import { findRefundedLines, findReportedRefunds, lockSale, setRefunded } from '../sales/record-refund.ts';
import { lockNames, recordNewSale } from '../sales/record-sale.ts';
import { findKnownSales, keepPayment, type KnownSale, salesOfPayment } from './known-payment.ts';
import { customerOfPayer } from './learn-payer.ts';
import { isDisputed, refundedProducts, returnedTotal, taxedRefunds } from './money-back.ts';
import { referrerOf } from './referral-of-reference.ts';

/**
 * Updates the sale of a payment to match a snapshot of it: records the sale once something was charged, attributes it once a referrer is known,
 * corrects its amounts and names, and applies its refunds and disputes. Reduces other sales that name the payment to zero. Idempotent. A snapshot that
 * is older than the one before changes nothing.
 *
 * @param outside what a payment outside the provider earns
 */
export async function settle(ctx: WriteCtx, seen: PaymentSeen, outside: OutsidePayments): Promise<void> {
  const { charged, names, group, connectionId } = seen;
  if (charged === null) return;
  await lockNames(ctx, { names, group: group?.name ?? null });
  const known = await findKnownSales(ctx, seen);
  if (known.some(({ version }) => version !== null && version > seen.version)) return;
  const { referral, referredId } = await referrerOf(ctx, seen, known.flatMap(referralsOf));
  const livemode = seen.mode === 'live';
  const customer = customerOfPayer(seen.payer);
  const codes = { psp_promotion_code_ids: seen.codes.map(({ id }) => id), livemode };
  const { amount: cents, currency } = charged.amount;
  const amounts = { charge_amount_cents: cents, ...taxesOf(seen, charged) };
  const facts = { connection_id: connectionId, livemode, name_of_group: group?.name ?? null, currency, charged_at: charged.at };
  const kinds = { excluded: seen.excluded, paid_outside: paidOutside(seen, known, outside) };
  if (!isAny(known)) {
    // If nothing is left of what was paid outside the provider, other payments have it.
    if (seen.paidOutside && cents === 0) return;
    const evidence = { referral, referredId, namedByMerchant: false, customer, ...codes };
    const told = { names, description: seen.description, disputed: isDisputed(seen), lines: seen.lines };
    const { sale } = await recordNewSale(ctx, { ...facts, ...amounts, ...kinds, ...told, ...evidence });
    keepPayment(ctx, sale.id, seen, { referral, formerIds: [] });
    return settleRefunds(ctx, seen, sale.id);
  }
  // Looked up even if the merchant reported the sale first, because the source's data take precedence.
  const promo = await findAttributingCode(ctx.db, ctx.accountId, codes, charged.at);
  const clues = { customer, referral, referredId, promo, at: charged.at };
  const sales = salesOfPayment(known, names, cents);
  keepPayment(ctx, sales.at(-1)!.id, seen, { referral, formerIds: sales.slice(0, -1).map(({ id }) => id) });
  // For one sale, the locks are taken in the right order anyway.
  if (sales.length > 1)
    await lockCustomersOf(
      ctx,
      sales.map(({ id }) => id),
      clues,
    );
  for (const { id, ...named } of sales) {
    const isRepeated = named.repeats_sale_id !== null;
    ctx.locks.startRound();
    // A repeated sale is reduced to zero first, so that it earns nothing for the claims that it now gets. Its customer is locked already.
    if (!isRepeated) await attributeRecordedSale(ctx, id, clues);
    const amendment = { ...facts, ...(isRepeated ? NOTHING : amounts), ...kinds, ...named };
    const { isAmended, ...learned } = await amendRecordedSale(ctx, id, amendment, isRepeated ? [] : seen.lines);
    // Who earns also depends on the amounts, currency, mode, time and names of the sale. Amending them needs the locks that the first attribution
    // takes. An amended sale is therefore attributed a second time.
    ctx.locks.startRound();
    if (isRepeated || isAmended || learned.reopenedBy !== null) await attributeRecordedSale(ctx, id, clues, learned);
    await settleRefunds(ctx, seen, id, { isRepeated, isNamedTwice: sales.length > 1 });
  }
}

/** The amounts of a sale whose payment has another sale. */
const NOTHING = { charge_amount_cents: 0, tax_amount_cents: 0, tax_ignored: false };

function isAny(known: readonly KnownSale[]): known is [KnownSale, ...KnownSale[]] {
  return known.length > 0;
}

/** Returns the referrals that a known sale, or what was told of its payment before, names. */
function referralsOf({ referral_id, payer }: KnownSale): string[] {
  return [...(referral_id === null ? [] : [referral_id]), ...(payer?.references ?? [])];
}

/** Returns the tax of a sale. A tax in another currency is left out, because nothing is converted between currencies. */
function taxesOf({ refunds }: PaymentSeen, { amount, tax }: NonNullable<PaymentSeen['charged']>) {
  const isOther = tax !== null && tax.currency !== amount.currency;
  return {
    tax_amount_cents: tax === null || isOther ? 0 : Math.min(tax.amount, amount.amount),
    tax_ignored: (isOther && tax.amount !== 0) || taxedRefunds(refunds, amount.currency).isIgnored,
  };
}

/** Returns what the merchant has decided about a payment outside the provider when it became known; null for other payments. */
function paidOutside(seen: PaymentSeen, known: readonly KnownSale[], outside: OutsidePayments): PaidOutside | null {
  if (!seen.paidOutside) return null;
  const decided = known.find(({ paid_outside }) => paid_outside !== null)?.paid_outside;
  return decided ?? (outside === 'exclude' ? 'excluded' : 'counted');
}

/**
 * Applies the refunds and disputes of a payment to a sale. A repeated sale has none, because the sale of the payment has them.
 *
 * @param isNamedTwice true if another sale names the payment, so that the merchant may have reported refunds for a sale of the provider, too
 */
async function settleRefunds(
  ctx: WriteCtx,
  seen: PaymentSeen,
  saleId: string,
  { isRepeated, isNamedTwice } = { isRepeated: false, isNamedTwice: false },
): Promise<void> {
  const sale = await get(ctx, Sale, saleId);
  const { creditNote, creditNoteTax } = taxedRefunds(seen.refunds, sale.currency);
  const reported = sale.external_id === null && !isNamedTwice ? [] : await findReportedRefunds(ctx, sale.id);
  const refunds = { ...refundedAmount(sale, returnedTotal(seen), reported), creditNote, creditNoteTax };
  const disputed = !isRepeated && isDisputed(seen);
  const byLine = (await refundedByLine(ctx, sale, seen)) ?? (await findRefundedLines(ctx, sale, reported));
  // This check needs no lock: if another transaction changes the refunds, that transaction settles the sale itself.
  const isKnown = byLine === null && isRefunded(sale, refunds);
  if (isKnown && sale.disputed === disputed) return;
  // This transaction took the lock when it attributed the sale, so it does not wait here.
  const customer = sale.customer_id === null ? null : await lockCustomer(ctx, sale.customer_id);
  const locked = await lockSale(ctx, saleId);
  setSaleDisputed(ctx, locked.sale, disputed);
  if (byLine !== null) setRefundedLines(ctx, locked.sale, byLine);
  if (!isKnown) await setRefunded(ctx, locked, refunds);
  if (locked.affiliate) await updateDisputeFlags(ctx, locked.affiliate, locked.sale);
  await attributeRefundedSale(ctx, customer, locked.sale);
}

/**
 * Returns the sums of the refunds of each line of a sale, by the products that refunds name (docs/rules/rewards.md#amounts). Null if they are known
 * already, or if no refund names a product. Lines that the merchant reports have the refunds that the merchant reports.
 */
async function refundedByLine(ctx: WriteCtx, sale: Sale, { refunds }: PaymentSeen): Promise<number[] | null> {
  if (!sale.itemized || sale.external_id !== null) return null;
  const byProduct = refundedProducts(refunds);
  if (byProduct === null) return null;
  const known = await findSaleLines(ctx, sale);
  const refunded = known.map(() => 0);
  for (const product of new Set(known.map((line) => line.product))) {
    const places = known.map((_, i) => i).filter((i) => known[i]!.product === product);
    const nets = places.map((i) => known[i]!.net_cents);
    const most = nets.reduce((sum, cents) => sum + cents, 0);
    if (most === 0) continue;
    const shares = apportion(Math.min(byProduct.get(product) ?? 0, most), nets);
    for (const [place, cents] of shares.entries()) refunded[places[place]!] = cents;
  }
  return refunded.every((cents, i) => cents === known[i]!.refunded_cents) ? null : refunded;
}
