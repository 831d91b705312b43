import { sql } from 'kysely';
import { attributeRecordedSale, attributeRefundedSale, lockCustomersOf } from '../../attribution/attribute.ts';
import { lockCustomer } from '../../attribution/claims/customers.ts';
import { findReferred } from '../../attribution/claims/referred.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { updateDisputeFlags } from '../../ledger/earning/dispute-flags.ts';
import { refundedAmount } from '../../ledger/sales/counted-refunds.ts';
import { Sale } from '../../ledger/sales/sale.entity.ts';
import { isRefunded, setRefundedLines, setSaleDisputed } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { get, save } from '../../platform/call/records.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import {
  creditedProducts,
  hasOpenDispute,
  creditNoteRefunds,
  refundedTotal,
  withCreditNotes,
} from '../provider-refunds/refund-ledger.ts';
import { amendRecordedSale } from '../sales/amend-sale.ts';
import { findRefundedLines, findReportedRefunds, lockSale, setRefunded } from '../sales/record-refund.ts';
import { lockNames, NAMES_ONLY_INVOICE, recordSale } from '../sales/record-sale.ts';
import { paymentsOfInvoice } from './find-payment.ts';
import { isOutside, paidOutside, PspPayment, taxOf } from './psp-payment.entity.ts';
import { type NamingSale, saleOfPayment } from './sale-of-payment.ts';

/**
 * Updates the sale of a payment to match all known facts: records the sale once the amount is known, attributes it once a referrer is
 * known, corrects its tax and ids, and records refunds. Reduces other sales that name the same payment to zero. Idempotent.
 */
export async function settlePayment(ctx: WriteCtx, payment: PspPayment): Promise<void> {
  // An event may be about several payments.
  ctx.locks.startRound();
  const ofInvoice = payment.invoice_id ? await paymentsOfInvoice(ctx, payment.livemode, payment.invoice_id) : [payment];
  // Each payment gets its own copy of the notes, because the placeholder row of the invoice is purged earlier than payments with a sale.
  save(ctx, PspPayment, payment, {
    refunds: ofInvoice.reduce((ledger, each) => withCreditNotes(ledger, each.refunds), payment.refunds),
  });
  const { amount_cents: amount, currency, charged_at: chargedAt } = payment;
  if (amount === null || currency === null || chargedAt === null) return;
  const { tax, isIgnored } = taxOf(payment);
  const taxes = { tax_amount_cents: tax, tax_ignored: isIgnored || creditNoteRefunds(payment.refunds, currency).isIgnored };
  const { referral, referredId, promotionCodeIds } = await referrerOf(ctx, ofInvoice);
  const customer: KnownCustomer = {
    source: 'provider',
    shown_at: chargedAt,
    psp_customer_id: payment.psp_customer_id,
    external_customer_id: payment.external_customer_id,
    email: payment.customer_email,
    name: payment.customer_name,
  };
  const names = {
    ...(payment.charge_id && { psp_charge_id: payment.charge_id }),
    ...(payment.invoice_id && { psp_invoice_id: payment.invoice_id }),
    ...(payment.payment_intent_id && { psp_payment_intent_id: payment.payment_intent_id }),
  };
  if (payment.sale_id === null) {
    const { sale, created } = await recordSale(ctx, {
      ...names,
      ...(payment.description && { description: payment.description }),
      referral,
      referredId,
      namedByMerchant: false,
      customer,
      psp_promotion_code_ids: promotionCodeIds,
      livemode: payment.livemode,
      disputed: hasOpenDispute(payment.refunds),
      charge_amount_cents: amount,
      ...taxes,
      currency,
      lines: payment.lines ?? [],
      charged_at: chargedAt,
      excluded: payment.excluded,
      paid_outside: paidOutside(payment),
    });
    save(ctx, PspPayment, payment, { sale_id: sale.id });
    if (created) return settleRefunds(ctx, payment, currency, sale.id);
  } else await lockNames(ctx, names);
  // Looked up even if the merchant reported the sale first, because the provider's data take precedence.
  const promo = await findAttributingCode(
    ctx.db,
    ctx.accountId,
    { psp_promotion_code_ids: promotionCodeIds, livemode: payment.livemode },
    chargedAt,
  );
  const clues = { customer, referral, referredId, promo, at: chargedAt };
  const naming = await salesNaming(ctx, payment, ofInvoice, amount);
  // For one sale, the locks are taken in the right order anyway. An event about several payments settles them one after the other, so a
  // later payment may lock its customer after the affiliates of an earlier payment. At worst this causes a deadlock, and `inTransaction`
  // repeats the whole event.
  if (naming.length > 1)
    await lockCustomersOf(
      ctx,
      naming.map(({ id }) => id),
      clues,
    );
  for (const { id, repeats_sale_id, ...ids } of naming) {
    const isRepeated = repeats_sale_id !== null;
    ctx.locks.startRound();
    // A repeated sale is reduced to zero first, so that it earns nothing for the claims that it now gets. Its customer is locked already.
    if (!isRepeated) await attributeRecordedSale(ctx, id, clues);
    const amendment = {
      ...ids,
      repeats_sale_id,
      psp_invoice_id: payment.invoice_id,
      livemode: payment.livemode,
      ...(isRepeated ? NOTHING : { charge_amount_cents: amount, ...taxes }),
      currency,
      charged_at: chargedAt,
      excluded: payment.excluded,
      paid_outside: paidOutside(payment),
    };
    const { isAmended, ...learned } = await amendRecordedSale(ctx, id, amendment, isRepeated ? [] : (payment.lines ?? []));
    // Who earns also depends on the amounts, currency, mode, time and ids of the sale. Amending them needs the locks that the first attribution
    // takes. An amended sale is therefore attributed a second time.
    ctx.locks.startRound();
    if (isRepeated || isAmended || learned.reopenedBy !== null) await attributeRecordedSale(ctx, id, clues, learned);
    await settleRefunds(ctx, payment, currency, id, { isRepeated, isNamedTwice: naming.length > 1 });
  }
}

/** The amounts of a sale whose payment has another sale. */
const NOTHING = { charge_amount_cents: 0, tax_amount_cents: 0, tax_ignored: false };

/**
 * Lists the sales that name a payment, and makes one of them the sale of the payment (`saleOfPayment`). There are several if the charge id, the
 * payment intent id and the invoice id were reported separately, before the provider reported that all identify one payment. The others repeat the
 * payment. They come first, so that the sale of the payment is decided when they are worth nothing any more.
 *
 * A report that names only the invoice names this payment if the invoice has no payment left that could be the sale's own (`ofInvoice`).
 *
 * Only one sale can store an id, so each sale is listed with the ids that it has already. The sale of the payment also gets the ids that no sale has.
 */
async function salesNaming(ctx: WriteCtx, payment: PspPayment, ofInvoice: readonly PspPayment[], amountCents: number) {
  const { charge_id, payment_intent_id } = payment;
  const isInvoiceSold = ofInvoice.every((each) => each.sale_id !== null || (isOutside(each) && each.amount_cents === null));
  const invoice_id = isInvoiceSold ? payment.invoice_id : null;
  const { rows } = await sql<NamingSale & { psp_charge_id: string | null; psp_payment_intent_id: string | null }>`
    select id, external_id, charge_amount_cents, repeats_sale_id, psp_charge_id, psp_payment_intent_id,
      (select json_build_object('state', state, 'voided_by_refund', voided_by_refund) from commission
        where sale_id = sale.id and kind = 'sale' and not superseded) as commission
    from sale
    where account_id = ${ctx.accountId}
      and (id = ${payment.sale_id} or psp_charge_id = ${charge_id} or psp_payment_intent_id = ${payment_intent_id}
        or (psp_invoice_id = ${invoice_id} and ${NAMES_ONLY_INVOICE}
          and (repeats_sale_id is null or repeats_sale_id = ${payment.sale_id})
          and not exists (select from psp_payment paid where paid.sale_id = sale.id)))`.execute(ctx.db);
  const { id: saleId } = saleOfPayment(rows as [(typeof rows)[0], ...typeof rows], amountCents);
  save(ctx, PspPayment, payment, { sale_id: saleId });
  const ofCharge = rows.find((sale) => charge_id !== null && sale.psp_charge_id === charge_id)?.id ?? saleId;
  const ofIntent =
    rows.find((sale) => payment_intent_id !== null && sale.psp_payment_intent_id === payment_intent_id)?.id ?? saleId;
  return rows
    .map(({ id }) => ({
      id,
      repeats_sale_id: id === saleId ? null : saleId,
      psp_charge_id: id === ofCharge ? charge_id : null,
      psp_payment_intent_id: id === ofIntent ? payment_intent_id : null,
    }))
    .toSorted((one, other) => Number(one.id === saleId) - Number(other.id === saleId) || (one.id < other.id ? -1 : 1));
}

/**
 * Applies the refunds and disputes of a payment to a sale. A repeated sale has none, because the sale of the payment has them.
 *
 * @param isNamedTwice true if another sale names the payment, so that the merchant may have reported refunds for a sale of the provider, too
 */
async function settleRefunds(
  ctx: WriteCtx,
  payment: PspPayment,
  currency: string,
  saleId: string,
  { isRepeated, isNamedTwice } = { isRepeated: false, isNamedTwice: false },
): Promise<void> {
  const { creditNote, creditNoteTax } = creditNoteRefunds(payment.refunds, currency);
  const sale = await get(ctx, Sale, saleId);
  const reported = sale.external_id === null && !isNamedTwice ? [] : await findReportedRefunds(ctx, sale.id);
  const refunds = { ...refundedAmount(sale, refundedTotal(payment.refunds), reported), creditNote, creditNoteTax };
  const disputed = !isRepeated && hasOpenDispute(payment.refunds);
  const credited = creditedProducts(payment.lines, payment.refunds, currency);
  const byLine = await findRefundedLines(ctx, sale, reported, credited);
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
 * Finds who referred the customer, from the data of the payment and of all payments of its invoice, including the checkout that started the
 * invoice.
 */
async function referrerOf(
  ctx: WriteCtx,
  reported: readonly PspPayment[],
): Promise<{ referral: Referral | null; referredId: string | null; promotionCodeIds: string[] }> {
  return {
    ...(await findReferral(
      ctx,
      reported.map((each) => each.client_reference_id),
    )),
    promotionCodeIds: [...new Set(reported.flatMap((each) => each.psp_promotion_code_ids))],
  };
}

/**
 * Finds the referral that events name. The merchant chooses the references, so references that are not the id of a referral are ignored. If
 * they name several referrals, the one with the smallest id counts, in whatever order the events arrive.
 */
export async function findReferral(
  ctx: WriteCtx,
  references: readonly (string | null)[],
): Promise<{ referral: Referral | null; referredId: string | null }> {
  const ids = new Set(references.filter((reference) => reference !== null));
  for (const id of [...ids].toSorted()) {
    const found = await findReferred(ctx, id);
    if (found !== null) return found;
  }
  return { referral: null, referredId: null };
}
