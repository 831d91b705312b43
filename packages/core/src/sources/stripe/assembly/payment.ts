import { proportionOf } from '../../../platform/money/money.ts';
import { earlierOf, type Instant } from '../../../platform/time/instant.ts';
import { PAYMENT_WAYS, type PaymentWay, type Reference } from '../../port/seen.ts';
import type { ShippingCost } from '../../port/without-shipping.ts';
import type { ProviderCustomer, ProviderLine } from '../values/provider-event.ts';
import { NOTHING_REFUNDED, type RefundLedger } from './refund-ledger.ts';

/** A payment while it is put together from its pieces. Amounts are in the currency's minor unit. */
export interface Payment {
  /** Names of the payment itself. Empty for what is known of an invoice alone, such as the part that was paid outside the provider. */
  names: Set<string>;
  invoiceId: string | null;
  customer: ProviderCustomer;
  amount: number | null;
  tax: number | null;
  taxCurrency: string | null;
  /** Within the amount, from which nobody earns. Null if none is known. */
  shipping: (ShippingCost & { currency: string }) | null;
  currency: string | null;
  description: string | null;
  chargedAt: Instant | null;
  references: Reference[];
  codeIds: Set<string>;
  way: PaymentWay | null;
  refunds: RefundLedger;
  /** The lines that were sold, with the ids that credit notes name. Null if they are not known. */
  lines: readonly ProviderLine[] | null;
  excluded: boolean;
}

export function newPayment(): Payment {
  return {
    names: new Set(),
    invoiceId: null,
    customer: { customerId: null, externalId: null, email: null, name: null },
    amount: null,
    tax: null,
    taxCurrency: null,
    shipping: null,
    currency: null,
    description: null,
    chargedAt: null,
    references: [],
    codeIds: new Set(),
    way: null,
    refunds: NOTHING_REFUNDED,
    lines: null,
    excluded: false,
  };
}

/** True for the part of an invoice that was paid outside the provider, and while only the invoice is known. */
export function isOutside({ names }: Payment): boolean {
  return names.size === 0;
}

/** The amount of a payment, with the other data that comes with it. */
export interface PaidAmount {
  amount: number;
  /** Null if the piece does not contain the tax. */
  tax: number | null;
  currency: string;
  description: string | null;
  chargedAt: Instant;
}

/** Replaces the amount, because a later piece may have better data, e.g. the invoice of a charge. A known tax is never removed. */
export function setAmount(payment: Payment, { amount, tax, currency, description, chargedAt }: PaidAmount): void {
  payment.amount = amount;
  if (tax !== null) [payment.tax, payment.taxCurrency] = [tax, currency];
  payment.currency = currency;
  payment.description = description ?? payment.description;
  setTakenAt(payment, chargedAt);
}

/** Sets the time at which the money was taken: the earliest that the provider has told (docs/rules/intake.md#time-of-a-charge). */
export function setTakenAt(payment: Payment, at: Instant): void {
  payment.chargedAt = payment.chargedAt === null ? at : earlierOf(payment.chargedAt, at);
}

/** Fills in the tax of a checkout. A tax that is known already stays, unless only the new one is in the payment's currency. */
export function fillInTax(payment: Payment, tax: number | null, currency: string | null): void {
  if (tax === null) return;
  const isBetter = payment.taxCurrency !== payment.currency && currency === payment.currency;
  if (payment.tax === null || isBetter) [payment.tax, payment.taxCurrency] = [tax, currency];
}

/** Fills in missing facts about the customer. */
export function fillInCustomer({ customer }: Payment, { customerId, externalId, email, name }: ProviderCustomer): void {
  customer.customerId ??= customerId;
  customer.externalId ??= externalId;
  customer.email ??= email;
  customer.name ??= name;
}

/** Adds a way of paying. The word that says the most stays. */
export function addWay(payment: Payment, way: PaymentWay | null): void {
  payment.way = PAYMENT_WAYS.find((each) => each === way || each === payment.way) ?? null;
}

/** Adds what was sold. No lines keep those that are known. */
export function addLines(payment: Payment, lines: readonly ProviderLine[]): void {
  if (lines.length > 0) payment.lines = lines;
}

/**
 * Returns the tax within the captured amount of a payment, and its currency. At least 0, and at most the amount if the currency is that of the
 * payment. A checkout states the tax of the whole authorized amount, so the part of the tax in the amount that was not captured is left out. Invoices
 * are always captured in full.
 */
export function taxOf({ amount, tax, taxCurrency, currency, refunds: { released = 0 } }: Payment) {
  if (tax === null || amount === null || currency === null) return null;
  if (taxCurrency !== null && taxCurrency !== currency) return { amount: Math.max(0, tax), currency: taxCurrency };
  const captured = tax < 0 || released === 0 ? tax : proportionOf(tax, amount, amount + released);
  return { amount: Math.max(0, Math.min(captured, amount)), currency };
}

/**
 * Returns the shipping within the captured amount of a payment, or null if there is none. A checkout states the shipping of the whole authorized amount,
 * of which the captured part counts, as of the tax. Shipping in another currency than the payment is ignored.
 */
export function shippingOf({ amount, shipping, currency, refunds: { released = 0 } }: Payment): ShippingCost | null {
  if (shipping === null || amount === null || shipping.currency !== currency) return null;
  const captured = (part: number) => (released === 0 ? part : proportionOf(part, amount, amount + released));
  const cost = Math.min(captured(shipping.amount), amount);
  return cost > 0 ? { amount: cost, tax: Math.min(captured(shipping.tax), cost) } : null;
}
