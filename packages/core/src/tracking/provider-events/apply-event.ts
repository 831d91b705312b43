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
import { lockAll, save } from '../../platform/call/records.ts';
import { PromoCode, withObservation } from '../../codes/promo-codes/promo-code.entity.ts';
import { bindCustomer, learnCustomer } from './customer-of-event.ts';
import { findOrCreatePayment, type HeldEvents, paymentsOfInvoice } from './find-payment.ts';
import { PspPayment, withAmount, withCustomer, withReferrer, withTax } from './psp-payment.entity.ts';
import { splitTax } from './split-tax.ts';
import { enterCreditNote, enterRefund } from './refund-ledger.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Applies an event of the payment provider (docs/domain-rules.md#provider-events). Events may come in any order and more than once; the
 * result is the same.
 */
export async function applyEvent(
  ctx: WriteCtx,
  events: HeldEvents,
  { fact, livemode, occurredAt }: ProviderEvent,
): Promise<void> {
  const at = toInstant(occurredAt);
  switch (fact.kind) {
    case 'checkout_completed':
      return applyCheckout(ctx, events, livemode, fact, at);
    case 'customer_changed':
      return learnCustomer(ctx, fact);
    case 'charge_succeeded':
      return applyCharge(ctx, events, livemode, fact);
    case 'invoice_paid':
      return applyInvoice(ctx, events, livemode, fact);
    case 'charge_refunded':
    case 'refund_updated':
    case 'dispute_changed': {
      const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
      save(ctx, PspPayment, payment, { refunds: enterRefund(payment.refunds, fact, at) });
      return settlePayment(ctx, payment);
    }
    case 'credit_note_changed':
      return applyCreditNote(ctx, events, livemode, fact, at);
    case 'promotion_code_updated':
      return applyPromotionCode(ctx, fact, at);
    case 'ignored':
    case 'unreadable':
      return undefined;
  }
}

async function applyCheckout(
  ctx: WriteCtx,
  events: HeldEvents,
  livemode: boolean,
  fact: CheckoutCompleted,
  at: string,
): Promise<void> {
  await bindCustomer(ctx, livemode, fact, at);
  if (!namesPayment(fact.payment)) return;
  const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
  save(ctx, PspPayment, payment, {
    ...withCustomer(payment, fact.customer),
    ...withReferrer(payment, fact.clientReferenceId, fact.promotionCodeIds),
    // The tax of an invoice comes from the invoice itself: a checkout reports only the tax of the first payment.
    ...(payment.invoice_id === null && withTax(payment, fact.taxAmount, fact.currency)),
  });
  const concerned = payment.invoice_id ? await paymentsOfInvoice(ctx, livemode, payment.invoice_id) : [payment];
  for (const each of concerned) await settlePayment(ctx, each);
}

/**
 * Records a charge as a sale, unless the charge pays an invoice. The sale of an invoice is recorded when the event of the invoice arrives,
 * because that event contains the tax.
 */
async function applyCharge(ctx: WriteCtx, events: HeldEvents, livemode: boolean, fact: ChargeSucceeded): Promise<void> {
  const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
  const { amount, currency, description } = fact;
  const paid = { amount, tax: null, currency, description, chargedAt: toInstant(fact.chargedAt) };
  save(ctx, PspPayment, payment, {
    ...withCustomer(payment, fact.customer),
    ...(payment.invoice_id === null && withAmount(payment, paid)),
  });
  await settlePayment(ctx, payment);
}

async function applyInvoice(ctx: WriteCtx, events: HeldEvents, livemode: boolean, fact: InvoicePaid): Promise<void> {
  const { invoiceId, currency, description, amountPaid } = fact;
  // An invoice without payments was paid outside the provider, or in a way that the provider does not report. The invoice then counts as
  // one payment.
  const told = fact.payments?.length ? fact.payments : [{ chargeId: null, paymentIntentId: null, amount: amountPaid }];
  const taxes = splitTax(
    fact.taxAmount,
    told.map(({ amount }) => amount),
  );
  for (const [index, { chargeId, paymentIntentId, amount }] of told.entries()) {
    const payment = await findOrCreatePayment(ctx, events, livemode, { chargeId, paymentIntentId, invoiceId });
    const paid = { amount, tax: taxes[index] ?? 0, currency, description, chargedAt: toInstant(fact.paidAt) };
    save(ctx, PspPayment, payment, {
      ...withCustomer(payment, fact.customer),
      ...withReferrer(payment, null, fact.promotionCodeIds),
      ...withAmount(payment, paid),
    });
    await settlePayment(ctx, payment);
  }
}

/**
 * Stores a credit note with its invoice. The payments whose refunds the note covers may still be unknown. Each payment copies the note when
 * it becomes known.
 */
async function applyCreditNote(
  ctx: WriteCtx,
  events: HeldEvents,
  livemode: boolean,
  fact: CreditNoteChanged,
  at: string,
): Promise<void> {
  const { invoiceId } = fact;
  const placeholder = await findOrCreatePayment(ctx, events, livemode, { chargeId: null, paymentIntentId: null, invoiceId });
  save(ctx, PspPayment, placeholder, { refunds: enterCreditNote(placeholder.refunds, fact, at) });
  for (const each of await paymentsOfInvoice(ctx, livemode, invoiceId)) await settlePayment(ctx, each);
}

async function applyPromotionCode(ctx: WriteCtx, { promotionCode }: PromotionCodeUpdated, at: string): Promise<void> {
  const { id, livemode } = promotionCode;
  const codes = ctx.db
    .selectFrom('promo_code')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('livemode', '=', livemode)
    .where('psp_promotion_code_id', '=', id);
  const [code] = await lockAll(ctx, PromoCode, codes);
  if (code) save(ctx, PromoCode, code, withObservation(code, promotionCode, at));
}

function namesPayment({ chargeId, paymentIntentId, invoiceId }: PaymentReference): boolean {
  return chargeId !== null || paymentIntentId !== null || invoiceId !== null;
}
