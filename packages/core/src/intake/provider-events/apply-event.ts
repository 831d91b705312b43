import { PromoCode, withObservation } from '../../codes/promo-codes/promo-code.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAll, save } from '../../platform/call/records.ts';
import { type Instant, laterOf, toInstant } from '../../platform/time/instant.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import type {
  ChargeSucceeded,
  CheckoutCompleted,
  CreditNoteChanged,
  CustomerReferred,
  InvoicePaid,
  PaymentReference,
  ProviderCustomer,
  ProviderEvent,
  PromotionCodeUpdated,
} from '../../sources/port/provider-event.ts';
import { enterCreditNote, enterRefund, enterRelease } from '../provider-refunds/refund-ledger.ts';
import { splitTax } from '../provider-refunds/split-tax.ts';
import { bindCustomer, bindNamed, isIdentified, learnCustomer, learnReferrer } from './customer-of-event.ts';
import { findOrCreatePayment, type HeldEvents, paymentsOfInvoice } from './find-payment.ts';
import {
  capturedSoFar,
  isOutside,
  PspPayment,
  takenAt,
  withAmount,
  withCustomer,
  withLines,
  withNaming,
  withReferrer,
  withTax,
} from './psp-payment.entity.ts';
import { findReferral, settlePayment } from './settle-payment.ts';
import { splitOutside } from './split-outside.ts';

/** The event that reports a fact. */
interface Origin {
  events: HeldEvents;
  livemode: boolean;
  /** Time at which the fact happened. */
  at: Instant;
}

/**
 * Applies an event of the payment provider (docs/rules/intake.md#provider-events). Events may come in any order and more than once; the
 * result is the same.
 *
 * @param outside what a payment outside the provider earns
 */
export async function applyEvent(
  ctx: WriteCtx,
  events: HeldEvents,
  { fact, livemode, occurredAt }: ProviderEvent,
  outside: OutsidePayments,
): Promise<void> {
  const origin: Origin = { events, livemode, at: toInstant(occurredAt) };
  const { at } = origin;
  switch (fact.kind) {
    case 'checkout_completed':
      return applyCheckout(ctx, origin, fact);
    case 'customer_changed':
      return learnCustomer(ctx, livemode, fact, at);
    case 'customer_referred':
      return applyReferrer(ctx, origin, fact);
    case 'charge_succeeded':
      return applyCharge(ctx, origin, fact);
    case 'invoice_paid':
      return applyInvoice(ctx, origin, fact, outside);
    case 'charge_refunded':
    case 'refund_updated':
    case 'dispute_changed': {
      const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
      save(ctx, PspPayment, payment, { refunds: enterRefund(payment.refunds, fact, at) });
      return settlePayment(ctx, payment);
    }
    case 'credit_note_changed':
      return applyCreditNote(ctx, origin, fact);
    case 'promotion_code_updated':
      return applyPromotionCode(ctx, fact, at);
    case 'ignored':
    case 'unreadable':
      return undefined;
  }
}

async function applyCheckout(ctx: WriteCtx, { events, livemode, at }: Origin, fact: CheckoutCompleted): Promise<void> {
  const referral = await bindCustomer(ctx, livemode, fact, at);
  if (!namesPayment(fact.payment)) return;
  const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
  save(ctx, PspPayment, payment, {
    ...withCustomer(payment, fact.customer),
    ...withReferrer(payment, await referenceOf(ctx, payment, referral?.id ?? fact.clientReferenceId), fact.promotionCodeIds),
    ...withNaming(payment, { way: fact.way, strayReference: referral === null ? fact.namedReferral : null }),
    excluded: payment.excluded || fact.isExcluded,
    // The tax of an invoice comes from the invoice itself: a checkout reports only the tax of the first payment.
    ...(payment.invoice_id === null && { ...withTax(payment, fact.taxAmount, fact.currency), ...withLines(fact.lines) }),
  });
  await settleWithInvoice(ctx, payment);
}

/**
 * Returns the reference that is stored with a payment: the referral among the references that events name, or any reference if none of them
 * is a referral so far.
 */
async function referenceOf(ctx: WriteCtx, payment: PspPayment, ...reported: (string | null)[]): Promise<string | null> {
  const references = [payment.client_reference_id, ...reported].filter((reference) => reference !== null);
  if (new Set(references).size < 2) return references[0] ?? null;
  return (await findReferral(ctx, references)).referral?.id ?? references[0]!;
}

async function applyReferrer(ctx: WriteCtx, { events, livemode, at }: Origin, fact: CustomerReferred): Promise<void> {
  const strayReference = await learnReferrer(ctx, livemode, fact, at);
  if (!namesPayment(fact.payment)) return;
  const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
  save(ctx, PspPayment, payment, {
    ...withCustomer(payment, fact.customer),
    ...withReferrer(payment, await referenceOfUnknown(ctx, payment, fact), []),
    ...withNaming(payment, { way: null, strayReference }),
  });
  await settleWithInvoice(ctx, payment);
}

/**
 * Returns the reference that is stored with a payment whose metadata names a referral. If the event identifies the customer, the referral is
 * a claim on the customer instead (`bindNamed`).
 */
function referenceOfUnknown(
  ctx: WriteCtx,
  payment: PspPayment,
  { customer, namedReferral }: { customer: ProviderCustomer; namedReferral: string | null },
): Promise<string | null> {
  return referenceOf(ctx, payment, isIdentified(customer) ? null : namedReferral);
}

/** Settles a payment and the other payments of its invoice. */
async function settleWithInvoice(ctx: WriteCtx, payment: PspPayment): Promise<void> {
  const concerned = payment.invoice_id ? await paymentsOfInvoice(ctx, payment.livemode, payment.invoice_id) : [payment];
  for (const each of concerned) await settlePayment(ctx, each);
}

/**
 * Records a charge as a sale, unless the charge pays an invoice. The money was taken at the time of the event: when the charge was captured, or when a
 * bank debit succeeded. The sale of an invoice is recorded when the event of the invoice arrives,
 * because that event contains the tax.
 */
async function applyCharge(ctx: WriteCtx, { events, livemode, at }: Origin, fact: ChargeSucceeded): Promise<void> {
  const createdAt = toInstant(fact.createdAt);
  const chargedAt = laterOf(at, createdAt);
  const strayReference = await bindNamed(ctx, livemode, { ...fact, redemptions: [] }, createdAt);
  const payment = await findOrCreatePayment(ctx, events, livemode, fact.payment);
  const { currency, description } = fact;
  const amount = capturedSoFar(payment, fact.amount);
  const paid = { amount, tax: null, currency, description, chargedAt };
  save(ctx, PspPayment, payment, {
    ...withCustomer(payment, fact.customer),
    ...withReferrer(payment, await referenceOfUnknown(ctx, payment, fact), []),
    ...withNaming(payment, { way: null, strayReference }),
    refunds: enterRelease(payment.refunds, fact.released),
    excluded: payment.excluded || fact.isExcluded,
    charged_at: takenAt(payment, chargedAt),
    ...(payment.invoice_id === null && withAmount(payment, paid)),
  });
  await settleWithInvoice(ctx, payment);
}

async function applyInvoice(ctx: WriteCtx, origin: Origin, fact: InvoicePaid, outside: OutsidePayments): Promise<void> {
  const { events, livemode } = origin;
  const { invoiceId, amountPaid, checkout } = fact;
  if (checkout !== null) await applyCheckout(ctx, { ...origin, at: toInstant(fact.paidAt) }, checkout);
  const strayReference = await bindNamed(ctx, livemode, { ...fact, redemptions: [] }, toInstant(fact.paidAt));
  const reported = fact.payments?.length ? fact.payments : [{ chargeId: null, paymentIntentId: null, amount: amountPaid }];
  const taxes = splitTax(
    fact.taxAmount,
    reported.map(({ amount }) => amount),
  );
  const listed = new Set<number>();
  for (const [index, { chargeId, paymentIntentId, amount }] of reported.entries()) {
    if (chargeId === null && paymentIntentId === null) continue;
    const payment = await findOrCreatePayment(ctx, events, livemode, { chargeId, paymentIntentId, invoiceId });
    listed.add(payment.id);
    savePaid(ctx, payment, { ...fact, strayReference }, { amount, tax: taxes[index]! });
  }
  const outsideAt = reported.findIndex(({ chargeId, paymentIntentId }) => chargeId === null && paymentIntentId === null);
  if (outsideAt >= 0) {
    const known = await paymentsOfInvoice(ctx, livemode, invoiceId);
    const unlisted = known.filter((payment) => !isOutside(payment) && !listed.has(payment.id));
    await applyOutsidePayment(ctx, origin, {
      fact: { ...fact, strayReference },
      unlisted,
      outside,
      paid: { amount: reported[outsideAt]!.amount, tax: taxes[outsideAt]! },
    });
  }
  for (const payment of await paymentsOfInvoice(ctx, livemode, invoiceId)) await settlePayment(ctx, payment);
}

/**
 * Records the part of an invoice that was paid outside the provider. Events may have reported payments of the invoice that the provider does
 * not list (`unlisted`). They are this part, so that nothing counts twice.
 */
async function applyOutsidePayment(
  ctx: WriteCtx,
  { events, livemode }: Origin,
  {
    fact,
    unlisted,
    outside,
    paid,
  }: {
    fact: NamingInvoice;
    unlisted: readonly PspPayment[];
    outside: OutsidePayments;
    paid: { amount: number; tax: number };
  },
): Promise<void> {
  const counted = unlisted.filter((payment) => payment.amount_cents !== null);
  const { rest, inside } = splitOutside(
    paid,
    counted.map(({ amount_cents }) => amount_cents!),
  );
  for (const [index, payment] of counted.entries())
    savePaid(ctx, payment, fact, { amount: payment.amount_cents!, tax: inside[index]! });
  if (rest.amount === 0) return;
  const uncounted = unlisted.find((payment) => payment.amount_cents === null);
  const reference = { chargeId: null, paymentIntentId: null, invoiceId: fact.invoiceId };
  const payment = uncounted ?? (await findOrCreatePayment(ctx, events, livemode, reference));
  savePaid(ctx, payment, fact, rest);
  save(ctx, PspPayment, payment, { outside: payment.outside ?? outside });
}

/** A paid invoice, with the value of its metadata `referral` if that is not the id of a referral. */
type NamingInvoice = InvoicePaid & { strayReference: string | null };

/** Saves what an invoice says about one of its payments. */
function savePaid(
  ctx: WriteCtx,
  payment: PspPayment,
  fact: NamingInvoice,
  { amount, tax }: { amount: number; tax: number },
): void {
  const { customer, promotionCodeIds, currency, description, paidAt } = fact;
  save(ctx, PspPayment, payment, {
    excluded: payment.excluded || fact.isExcluded,
    ...withCustomer(payment, customer),
    ...withReferrer(payment, null, promotionCodeIds),
    ...withNaming(payment, fact),
    ...withLines(fact.lines),
    ...withAmount(payment, { amount, tax, currency, description, chargedAt: toInstant(paidAt) }),
  });
}

/**
 * Stores a credit note with its invoice. The payments whose refunds the note covers may still be unknown. Each payment copies the note when
 * it becomes known.
 */
async function applyCreditNote(ctx: WriteCtx, { events, livemode, at }: Origin, fact: CreditNoteChanged): Promise<void> {
  const { invoiceId } = fact;
  const placeholder = await findOrCreatePayment(ctx, events, livemode, { chargeId: null, paymentIntentId: null, invoiceId });
  save(ctx, PspPayment, placeholder, { refunds: enterCreditNote(placeholder.refunds, fact, at) });
  for (const each of await paymentsOfInvoice(ctx, livemode, invoiceId)) await settlePayment(ctx, each);
}

async function applyPromotionCode(ctx: WriteCtx, { promotionCode }: PromotionCodeUpdated, at: Instant): Promise<void> {
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
