import { attributeRecordedSale, lockCustomersOf } from '../../attribution/attribute.ts';
import type { News } from '../../attribution/gather/gather.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { refundedAmount } from '../../ledger/sales/counted-refunds.ts';
import type { PaidOutside } from '../../ledger/sales/sale.entity.ts';
import {
  amendedSale,
  isRefunded,
  markSaleRefunded,
  type SaleAmendment,
  setRefundedLines,
  setSaleDisputed,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { amendRecordedSale } from '../sales/amend-sale.ts';
import { isDisputed, refundedProducts, returnedTotal, taxedRefunds } from '../sales/money-back.ts';
import { findRefundedLines, findReportedRefunds, type LockedSale } from '../sales/record-refund.ts';
import { lockNames, recordNewSale } from '../sales/record-sale.ts';
import { customerOfPayer } from './customer-of-payer.ts';
import { findKnownSales, keepPayment, type KnownSale, salesOfPayment } from './known-payment.ts';
import { type Referrer, referrerOf } from './referral-of-reference.ts';

/**
 * Updates the sale of a payment to match a snapshot of it: records the sale once something was charged, attributes it once a referrer is known,
 * corrects its amounts and names, and applies its refunds and disputes. Reduces other sales that name the payment to zero. Idempotent. A snapshot that
 * is older than the one before changes nothing.
 *
 * @param outside what a payment outside the provider earns
 */
export async function settle(ctx: WriteCtx, seen: PaymentSeen, outside: OutsidePayments): Promise<void> {
  const { charged, names } = seen;
  if (charged === null) return;
  await lockNames(ctx, { names, group: seen.group?.name ?? null });
  const known = await findKnownSales(ctx, seen);
  if (known.some(({ version }) => version !== null && version > seen.version)) return;
  const referrer = await referrerOf(ctx, seen, known.flatMap(referralsOf));
  const facts = factsOf(seen, charged, paidOutside(seen, known, outside));
  if (!isAny(known)) return recordPayment(ctx, seen, facts, referrer, outside);
  // Looked up even if the merchant reported the sale first, because the source's data take precedence.
  const promo = await findAttributingCode(ctx.db, ctx.accountId, codesOf(seen), charged.at);
  const clues = { customer: customerOfPayer(seen.payer, charged.at), ...referrer, promo, at: charged.at };
  const sales = salesOfPayment(known, names, charged.amount.amount);
  const ids = sales.map(({ id }) => id);
  keepPayment(ctx, ids.at(-1)!, seen, { referral: referrer.referral, formerIds: ids.slice(0, -1) });
  // For one sale, the locks are taken in the right order anyway.
  if (sales.length > 1) await lockCustomersOf(ctx, ids, clues);
  for (const { id, ...named } of sales) {
    const isRepeated = named.repeats_sale_id !== null;
    const amendment = { ...facts, ...(isRepeated && NOTHING), ...named };
    const news = newsOf(ctx, id, seen, amendment, { isRepeated, isNamedTwice: sales.length > 1 });
    await ctx.locks.subject('sale of a payment', () => attributeRecordedSale(ctx, id, clues, news));
  }
}

type Charged = NonNullable<PaymentSeen['charged']>;

/** Returns what a snapshot says about the sale of the payment. */
function factsOf(
  { connectionId, mode, group, refunds, excluded }: PaymentSeen,
  charged: Charged,
  paid_outside: PaidOutside | null,
) {
  const { amount, tax, at } = charged;
  // A tax in another currency is left out, because nothing is converted between currencies.
  const isOther = tax !== null && tax.currency !== amount.currency;
  return {
    connection_id: connectionId,
    livemode: mode === 'live',
    name_of_group: group?.name ?? null,
    charge_amount_cents: amount.amount,
    tax_amount_cents: tax === null || isOther ? 0 : Math.min(tax.amount, amount.amount),
    tax_ignored: (isOther && tax.amount !== 0) || taxedRefunds(refunds, amount.currency).isIgnored,
    currency: amount.currency,
    charged_at: at,
    excluded,
    paid_outside,
  };
}

function codesOf({ codes, mode }: PaymentSeen) {
  return { psp_promotion_code_ids: codes.map(({ id }) => id), livemode: mode === 'live' };
}

/** Records the sale of a payment. */
async function recordPayment(
  ctx: WriteCtx,
  seen: PaymentSeen,
  facts: ReturnType<typeof factsOf>,
  referrer: Referrer,
  outside: OutsidePayments,
): Promise<void> {
  // If nothing is left of what was paid outside the provider, other payments have it.
  if (seen.paidOutside && facts.charge_amount_cents === 0) return;
  const { names, description, lines, payer } = seen;
  const evidence = { ...referrer, namedByMerchant: false, customer: customerOfPayer(payer, facts.charged_at), ...codesOf(seen) };
  const { sale } = await recordNewSale(ctx, { ...facts, names, description, lines, disputed: isDisputed(seen), ...evidence });
  keepPayment(ctx, sale.id, seen, { referral: referrer.referral, formerIds: [] });
  // The commission is earned first, so that a refund reduces it in every order of the facts.
  if (returnedTotal(seen) > 0) await settle(ctx, seen, outside);
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

/** Returns what the merchant has decided about a payment outside the provider when it became known; null for other payments. */
function paidOutside(seen: PaymentSeen, known: readonly KnownSale[], outside: OutsidePayments): PaidOutside | null {
  if (!seen.paidOutside) return null;
  const decided = known.find(({ paid_outside }) => paid_outside !== null)?.paid_outside;
  return decided ?? (outside === 'exclude' ? 'excluded' : 'counted');
}

/**
 * Returns the news about a sale of a payment. A repeated sale is reduced to zero and has no refunds, because the sale of the payment has them.
 *
 * @param of.isNamedTwice true if another sale names the payment, so that the merchant may have reported refunds for a sale of the source, too
 */
function newsOf(
  ctx: WriteCtx,
  saleId: string,
  seen: PaymentSeen,
  amendment: SaleAmendment,
  of: { isRepeated: boolean; isNamedTwice: boolean },
): News {
  const lines = of.isRepeated ? [] : seen.lines;
  const refund = (locked: LockedSale) => applyRefunds(ctx, seen, locked, of);
  return {
    foresee: (sale) => amendedSale(sale, amendment),
    learn: () => amendRecordedSale(ctx, saleId, { amendment, lines, refund }),
  };
}

/** Applies the refunds and disputes of a payment to a sale. Returns true if they have changed. */
async function applyRefunds(
  ctx: WriteCtx,
  seen: PaymentSeen,
  { sale }: LockedSale,
  { isRepeated, isNamedTwice }: { isRepeated: boolean; isNamedTwice: boolean },
): Promise<boolean> {
  const { creditNote, creditNoteTax } = taxedRefunds(seen.refunds, sale.currency);
  const reported = sale.external_id === null && !isNamedTwice ? [] : await findReportedRefunds(ctx, sale.id);
  const refunds = { ...refundedAmount(sale, returnedTotal(seen), reported), creditNote, creditNoteTax };
  const byLine = await findRefundedLines(ctx, sale, reported, refundedProducts(seen.refunds));
  if (byLine !== null) setRefundedLines(ctx, sale, byLine);
  const isKnown = isRefunded(sale, refunds);
  if (!isKnown) markSaleRefunded(ctx, sale, refunds);
  const disputed = !isRepeated && isDisputed(seen);
  const isSame = isKnown && byLine === null && sale.disputed === disputed;
  setSaleDisputed(ctx, sale, disputed);
  return !isSame;
}
