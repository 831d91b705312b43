import type { WriteCtx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type {
  ChargeSucceeded,
  CheckoutCompleted,
  CreditNoteChanged,
  InvoicePaid,
  PaymentReference,
  ProviderEvent,
  PromotionCodeUpdated,
} from '../../provider/port/provider-event.ts';
import { PromoCode } from '../../codes/promo-codes/promo-code.entity.ts';
import { bindCustomer, learnCustomer } from './customer-of-event.ts';
import { findOrCreatePayment, paymentsOfInvoice } from './find-payment.ts';
import { splitTax } from './split-tax.ts';
import { enterCreditNote, enterRefund } from './refund-ledger.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Applies an event of the payment provider (docs/domain-rules.md#provider-events). Events may come in any order and more than once; the
 * result is the same. The caller holds the account's lock on provider events.
 */
export async function applyEvent(ctx: WriteCtx, { fact, livemode, occurredAt }: ProviderEvent): Promise<void> {
  const at = toInstant(occurredAt);
  switch (fact.kind) {
    case 'checkout_completed':
      return applyCheckout(ctx, livemode, fact, at);
    case 'customer_changed':
      return learnCustomer(ctx, fact);
    case 'charge_succeeded':
      return applyCharge(ctx, livemode, fact);
    case 'invoice_paid':
      return applyInvoice(ctx, livemode, fact);
    case 'charge_refunded':
    case 'refund_updated':
    case 'dispute_closed': {
      const payment = await findOrCreatePayment(ctx, livemode, fact.payment);
      payment.refunds = enterRefund(payment.refunds, fact, at);
      return settlePayment(ctx, payment);
    }
    case 'credit_note_changed':
      return applyCreditNote(ctx, livemode, fact, at);
    case 'promotion_code_updated':
      return applyPromotionCode(ctx, fact, at);
    case 'ignored':
    case 'unreadable':
      return undefined;
  }
}

async function applyCheckout(ctx: WriteCtx, livemode: boolean, fact: CheckoutCompleted, at: string): Promise<void> {
  await bindCustomer(ctx, livemode, fact, at);
  if (!namesPayment(fact.payment)) return;
  const payment = await findOrCreatePayment(ctx, livemode, fact.payment);
  payment.learnCustomer(fact.customer);
  payment.learnReferrer(fact.clientReferenceId, fact.promotionCodeIds);
  // The tax of an invoice comes from the invoice itself: a checkout reports only the tax of the first payment.
  if (payment.invoice_id === null) payment.tax_amount_cents ??= fact.taxAmount;
  await ctx.em.flush();
  const concerned = payment.invoice_id ? await paymentsOfInvoice(ctx, livemode, payment.invoice_id) : [payment];
  for (const each of concerned) await settlePayment(ctx, each);
}

/**
 * Records a charge as a sale, unless the charge pays an invoice. The sale of an invoice is recorded when the event of the invoice arrives,
 * because that event contains the tax.
 */
async function applyCharge(ctx: WriteCtx, livemode: boolean, fact: ChargeSucceeded): Promise<void> {
  const payment = await findOrCreatePayment(ctx, livemode, fact.payment);
  payment.learnCustomer(fact.customer);
  if (payment.invoice_id === null) {
    const { amount, currency, description, chargedAt } = fact;
    payment.learnAmount({ amount, tax: null, currency, description, chargedAt: toInstant(chargedAt) });
  }
  await settlePayment(ctx, payment);
}

async function applyInvoice(ctx: WriteCtx, livemode: boolean, fact: InvoicePaid): Promise<void> {
  const { invoiceId, currency, description, amountPaid } = fact;
  // An invoice without payments was paid outside the provider, or in a way that the provider does not report. The invoice then counts as
  // one payment.
  const told = fact.payments?.length ? fact.payments : [{ chargeId: null, paymentIntentId: null, amount: amountPaid }];
  const taxes = splitTax(
    fact.taxAmount,
    told.map(({ amount }) => amount),
  );
  for (const [index, { chargeId, paymentIntentId, amount }] of told.entries()) {
    const payment = await findOrCreatePayment(ctx, livemode, { chargeId, paymentIntentId, invoiceId });
    payment.learnCustomer(fact.customer);
    payment.learnReferrer(null, fact.promotionCodeIds);
    payment.learnAmount({ amount, tax: taxes[index] ?? 0, currency, description, chargedAt: toInstant(fact.paidAt) });
    await ctx.em.flush();
    await settlePayment(ctx, payment);
  }
}

/**
 * Stores a credit note with its invoice. The payments whose refunds the note covers may still be unknown. Each payment copies the note when
 * it becomes known.
 */
async function applyCreditNote(ctx: WriteCtx, livemode: boolean, fact: CreditNoteChanged, at: string): Promise<void> {
  const { invoiceId } = fact;
  const placeholder = await findOrCreatePayment(ctx, livemode, { chargeId: null, paymentIntentId: null, invoiceId });
  placeholder.refunds = enterCreditNote(placeholder.refunds, fact, at);
  await ctx.em.flush();
  for (const each of await paymentsOfInvoice(ctx, livemode, invoiceId)) await settlePayment(ctx, each);
}

async function applyPromotionCode(ctx: WriteCtx, { promotionCode }: PromotionCodeUpdated, at: string): Promise<void> {
  const { id, livemode } = promotionCode;
  const code = await ctx.em.findOne(PromoCode, { account_id: ctx.accountId, livemode, psp_promotion_code_id: id });
  code?.observe(promotionCode, at);
}

function namesPayment({ chargeId, paymentIntentId, invoiceId }: PaymentReference): boolean {
  return chargeId !== null || paymentIntentId !== null || invoiceId !== null;
}
