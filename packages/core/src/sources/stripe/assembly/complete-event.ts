import type { Db } from '../../../platform/db/database.ts';
import type { CompletionScope } from '../../port/port.ts';
import { onReason, PspError } from '../../port/psp-error.ts';
import { SOURCE_REASONS } from '../../port/reasons.ts';
import { paymentsOf, unlistedAmount } from '../facts/invoice.ts';
import { NAMES } from '../values/names.ts';
import type {
  ChargeSucceeded,
  CheckoutCompleted,
  CustomerReferred,
  InvoicePaid,
  InvoicePayment,
  ProviderEvent,
  ProviderLine,
  Redemption,
} from '../values/provider-event.ts';
import { findNames, isCheckoutKnown, type PiecesOf } from './keep-pieces.ts';

/** The calls to Stripe that complete an event. */
export interface ProviderReads {
  /**
   * Returns the payments of an invoice, with their charges if the key may read payment intents. None if the invoice was paid outside the provider, and
   * for a short time after it was paid: the provider lists a payment later than it reports the invoice.
   */
  invoicePayments(invoiceId: string): Promise<InvoicePayment[]>;

  /** Returns the ids of the promotion codes that reduced an invoice. Rejects with `not_found`. */
  promotionCodesOfInvoice(invoiceId: string): Promise<string[]>;

  /** Returns the lines of an invoice, with the billing intervals of their prices. Rejects with `not_found`. */
  linesOfInvoice(invoiceId: string): Promise<ProviderLine[]>;

  /** Returns the lines of a checkout. Rejects with `not_found`. */
  linesOfCheckout(sessionId: string): Promise<ProviderLine[]>;

  /** Returns the promotion codes that were redeemed for a subscription. Rejects with `not_found`. */
  redemptionsOfSubscription(subscriptionId: string): Promise<Redemption[]>;

  /** Returns the id of the invoice that a payment intent paid, or null if it paid none. */
  invoiceOfPaymentIntent(paymentIntentId: string): Promise<string | null>;

  /** Returns the completed checkout by which a subscription began, or null if there was none. */
  checkoutOfSubscription(subscriptionId: string): Promise<CheckoutCompleted | null>;
}

/**
 * Asks the provider for data that an event lacks. Since API version 2025-03-31 the event of an invoice does not contain its payments, and
 * the event of a charge does not contain its invoice, so that one payment could be recorded as two sales. The event of an invoice contains
 * only the ids of its discounts, not the promotion codes. Must be called outside a transaction.
 *
 * @param hasWaited true if the event was received so long ago that the provider's answer is final
 * @throws PspError when the provider cannot be reached or refuses the request; with reason `incomplete` while the answer is not final
 */
export async function completeEvent(
  { db, accountId, connectionId }: CompletionScope,
  provider: ProviderReads,
  event: ProviderEvent,
  hasWaited: boolean,
): Promise<ProviderEvent> {
  const { fact, mode } = event;
  const of = { connectionId, mode };
  if (fact.kind === 'invoice_paid') {
    const completed = await completeInvoice(provider, fact, hasWaited);
    const lines = await linesOfInvoice(db, accountId, provider, fact);
    const checkout = await checkoutOfInvoice(db, of, provider, fact);
    return { ...event, fact: { ...completed, lines, checkout } };
  }
  if (fact.kind === 'checkout_completed') return { ...event, fact: await completeCheckout(db, accountId, provider, fact) };
  if (fact.kind === 'customer_referred') return { ...event, fact: await completeReferrer(provider, fact, hasWaited) };
  if (fact.kind !== 'charge_succeeded' || !mayHaveInvoice(fact)) return event;
  const { paymentIntentId } = fact.payment;
  if (paymentIntentId === null) return event;
  const known = await findNames(db, of, NAMES.paymentIntent(paymentIntentId));
  const invoiceId =
    known.filter((name) => name.startsWith(NAMES.invoice(''))).map((name) => name.slice(NAMES.invoice('').length))[0] ??
    (await nullIfNotFound(provider.invoiceOfPaymentIntent(paymentIntentId)));
  return { ...event, fact: { ...fact, payment: { ...fact.payment, invoiceId } } satisfies ChargeSucceeded };
}

/** Adds the payments and the promotion codes of an invoice. Sends at most one request for each of the two. */
async function completeInvoice(provider: ProviderReads, fact: InvoicePaid, hasWaited: boolean): Promise<InvoicePaid> {
  const payments = await completePayments(provider, fact, hasWaited);
  if (fact.promotionCodesKnown) return { ...fact, payments };
  const requested = await nullIfNotFound(provider.promotionCodesOfInvoice(fact.invoiceId));
  if (requested === null && !hasWaited)
    throw incomplete(`The payment provider does not show the discounts of the invoice ${fact.invoiceId} yet.`);
  return { ...fact, payments, promotionCodeIds: [...new Set([...fact.promotionCodeIds, ...(requested ?? [])])] };
}

/**
 * Returns the payments of an invoice. An amount that the provider does not list was paid outside the provider, but only if it is still not
 * listed after a while: the provider may send the event of the invoice before it lists the payments.
 */
async function completePayments(
  provider: ProviderReads,
  { payments, invoiceId, amountPaid }: InvoicePaid,
  hasWaited: boolean,
): Promise<InvoicePayment[]> {
  if (payments !== null) return paymentsOf(amountPaid, await withCharges(provider, invoiceId, payments));
  const listed = await nullIfNotFound(provider.invoicePayments(invoiceId));
  // The payments of an invoice that the provider does not know may be known as charges without an invoice, and would then count twice.
  if (listed === null) throw incomplete(`The payment provider does not know the invoice ${invoiceId}.`);
  if (!hasWaited && unlistedAmount(amountPaid, listed) > 0)
    throw incomplete(`The payment provider does not list all payments of the invoice ${invoiceId} yet.`);
  return paymentsOf(amountPaid, listed);
}

/**
 * Adds the charges of the payments of an invoice that names only payment intents, because the merchant may have reported a payment by its charge
 * (docs/rules/intake.md#the-same-sale-twice). Sends at most one request.
 */
async function withCharges(
  provider: ProviderReads,
  invoiceId: string,
  payments: readonly InvoicePayment[],
): Promise<readonly InvoicePayment[]> {
  const isIncomplete = ({ chargeId, paymentIntentId }: InvoicePayment) => chargeId === null && paymentIntentId !== null;
  if (!payments.some(isIncomplete)) return payments;
  const listed = await nullIfRefused(provider.invoicePayments(invoiceId));
  const chargeOf = new Map(listed?.map(({ paymentIntentId, chargeId }) => [paymentIntentId, chargeId]));
  return payments.map((payment) =>
    isIncomplete(payment) ? { ...payment, chargeId: chargeOf.get(payment.paymentIntentId) ?? null } : payment,
  );
}

/**
 * Returns the lines of an invoice. Newer API versions leave the billing interval of a price out of the event, and long invoices some lines. The
 * provider is asked for them only if a campaign has reward rules, which are the only use of lines.
 */
async function linesOfInvoice(
  db: Db,
  accountId: string,
  provider: ProviderReads,
  { lines, linesKnown, invoiceId }: InvoicePaid,
): Promise<ProviderLine[]> {
  if (linesKnown || !(await hasRewardRules(db, accountId))) return lines;
  return (await nullIfRefused(provider.linesOfInvoice(invoiceId))) ?? lines;
}

/**
 * Returns the checkout by which the subscription of a first invoice began, unless its event has arrived already. Otherwise the invoice might earn for
 * somebody else for the moment until that event arrives. The codes of the checkout are left out, because the invoice has them, and because the time of
 * their redemption is that of the event.
 */
async function checkoutOfInvoice(
  db: Db,
  of: PiecesOf,
  provider: ProviderReads,
  { beginningId, invoiceId }: InvoicePaid,
): Promise<CheckoutCompleted | null> {
  if (beginningId === null || (await isCheckoutKnown(db, of, NAMES.invoice(invoiceId)))) return null;
  const checkout = await nullIfRefused(provider.checkoutOfSubscription(beginningId));
  return checkout && { ...checkout, promotionCodeIds: [] };
}

/** Adds the lines of a checkout that has no invoice, if a campaign has reward rules. Sends at most one request. */
async function completeCheckout(
  db: Db,
  accountId: string,
  provider: ProviderReads,
  fact: CheckoutCompleted,
): Promise<CheckoutCompleted> {
  const { payment, lines, sessionId } = fact;
  const isPaidAlone = payment.paymentIntentId !== null && payment.invoiceId === null;
  if (sessionId === null || !isPaidAlone || lines.length > 0 || !(await hasRewardRules(db, accountId))) return fact;
  return { ...fact, lines: (await nullIfRefused(provider.linesOfCheckout(sessionId))) ?? [] };
}

async function hasRewardRules(db: Db, accountId: string): Promise<boolean> {
  return exists(
    db.selectFrom('campaign').select('id').where('account_id', '=', accountId).where('rewarded_since', 'is not', null),
  );
}

/** Adds the promotion codes that were redeemed for a subscription. Sends at most one request. */
async function completeReferrer(provider: ProviderReads, fact: CustomerReferred, hasWaited: boolean): Promise<CustomerReferred> {
  const { subscriptionId } = fact;
  if (subscriptionId === null) return fact;
  const requested = await nullIfNotFound(provider.redemptionsOfSubscription(subscriptionId));
  if (requested === null && !hasWaited)
    throw incomplete(`The payment provider does not show the discounts of the subscription ${subscriptionId} yet.`);
  return { ...fact, redemptions: [...fact.redemptions, ...(requested ?? [])] };
}

function incomplete(message: string): PspError {
  return new PspError({ reason: 'incomplete', said: SOURCE_REASONS.event_incomplete({ words: message }) });
}

/**
 * True if the charge may pay an invoice that its event does not name. A charge without a customer cannot, because every invoice has a
 * customer.
 */
function mayHaveInvoice({ invoiceKnown, customer }: ChargeSucceeded): boolean {
  return !invoiceKnown && customer.customerId !== null;
}

/** True if a query finds any row. */
async function exists(query: { executeTakeFirst(): Promise<object | undefined> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** Like `nullIfNotFound`, and returns null if the key lacks the permission: without its lines, the payment is still a sale. */
function nullIfRefused<T>(requested: Promise<T>): Promise<T | null> {
  return nullIfNotFound(requested).catch(onReason(['permission'], () => null));
}

/** Returns null instead of throwing if the provider has no such record or rejects the request. */
function nullIfNotFound<T>(requested: Promise<T>): Promise<T | null> {
  return requested.catch(onReason(['not_found', 'rejected'], () => null));
}
