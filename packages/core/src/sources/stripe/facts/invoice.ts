import { z } from 'zod';
import { proportionOf } from '../../../platform/money/money.ts';
import type { ShippingCost } from '../../port/without-shipping.ts';
import { toMinorUnit } from '../values/minor-unit.ts';
import type {
  CustomerReferred,
  IgnoredEvent,
  InvoicePaid,
  InvoicePayment,
  IsExcluded,
  NamedReferral,
  PaymentExcluded,
} from '../values/provider-event.ts';
import {
  amount,
  currency,
  optionalAmount,
  optionalTimestamp,
  reference,
  text,
  signedAmount,
  timestamp,
  nullableReference,
  email,
  name,
  paymentReference,
  shippingCost,
} from '../values/provider-object.ts';
import { areKnown, invoiceLines } from './lines.ts';
import { changedMetadata, excludes, merchantMetadata } from './merchant-metadata.ts';
import { discountAmounts, type Discounts, discounts, readDiscounts, singleDiscount } from './promotion-codes-of.ts';

/** A reference to a payment intent, with its charge where the provider expanded it. The latest charge of a paid one is the one that paid. */
const paymentIntent = z
  .union([
    name.transform((id) => ({ id, charge: null })),
    z.object({ id: name, latest_charge: reference }).transform(({ id, latest_charge: charge }) => ({ id, charge })),
  ])
  .nullish();

/**
 * An entry of `payments`. It names a charge only if the payment has no payment intent, and neither if the payment was made outside the
 * provider and the merchant recorded it (`payment_record`).
 */
export const invoicePaymentObject = z.object({
  amount_paid: optionalAmount,
  currency,
  status: z.string().default('paid'),
  payment: z.object({ charge: reference, payment_intent: paymentIntent }),
});

const taxes = z.array(z.object({ amount: signedAmount })).nullish();

const discountFields = z.object({
  discounts,
  discount: singleDiscount,
  total_discount_amounts: discountAmounts,
  lines: z.object({ data: z.array(z.object({ description: text, discounts })) }).nullish(),
});

/** The promotion codes of a requested invoice, whose discounts were expanded. */
export const promotionCodesOfInvoice = discountFields.transform((invoice) => discountsOf(invoice).promotionCodeIds);

/** The metadata that the subscription had when the invoice was made. Since API version 2025-03-31 it is in `parent`. */
const subscriptionDetails = z
  .object({ metadata: merchantMetadata, subscription: reference.catch(null) })
  .nullish()
  .catch(null);

/**
 * Before API version 2025-03-31 an invoice had `charge`, `payment_intent` and the sum `tax`. Since then it has `payments`, which events do
 * not include, and `total_taxes`.
 */
const invoiceObject = z.preprocess(
  withSold,
  z.object({
    id: name,
    amount_paid: amount,
    total: signedAmount.default(0),
    currency,
    billing_reason: text,
    created: timestamp,
    status_transitions: z.object({ paid_at: optionalTimestamp }).nullish(),
    customer: reference,
    customer_email: email,
    customer_name: text,
    description: text,
    charge: nullableReference,
    payment_intent: nullableReference,
    paid_out_of_band: z.boolean().nullish(),
    payments: z.object({ data: z.array(invoicePaymentObject), has_more: z.boolean().default(false) }).nullish(),
    total_taxes: taxes,
    total_tax_amounts: taxes,
    tax: signedAmount.nullish(),
    shipping_cost: shippingCost,
    ...discountFields.shape,
    sold: invoiceLines,
    metadata: merchantMetadata,
    subscription_details: subscriptionDetails,
    subscription: reference.catch(null),
    parent: z.object({ subscription_details: subscriptionDetails }).nullish().catch(null),
  }),
);

/** Reads `lines` a second time: for what was sold, of which a mistake must not make the event unreadable. */
function withSold(invoice: unknown): unknown {
  return typeof invoice === 'object' && invoice !== null && 'lines' in invoice ? { ...invoice, sold: invoice.lines } : invoice;
}

type InvoiceObject = z.output<typeof invoiceObject>;

/** `invoice.updated`. An invoice that is paid has an event of its own, so only an exclusion matters here. */
export const invoiceUpdatedFact = z
  .object({ id: name, ...changedMetadata })
  .transform((invoice): PaymentExcluded | IgnoredEvent =>
    excludes(invoice) ? { kind: 'payment_excluded', payment: paymentReference({ invoiceId: invoice.id }) } : { kind: 'ignored' },
  );

/** `invoice.paid` */
export const invoiceFact = invoiceObject.transform((invoice): InvoicePaid | CustomerReferred | IgnoredEvent => {
  const customer = {
    customerId: invoice.customer,
    externalId: invoice.metadata.externalId ?? subscriptionMetadataOf(invoice)?.externalId ?? null,
    email: invoice.customer_email,
    name: invoice.customer_name,
  };
  const namedReferral = namedReferralOf(invoice);
  const paidAt = invoice.status_transitions?.paid_at ?? invoice.created;
  if (invoice.amount_paid <= 0) {
    if (namedReferral === null) return { kind: 'ignored' };
    const payment = paymentReference({});
    return {
      kind: 'customer_referred',
      payment,
      customer,
      namedReferral,
      redemptions: [],
      trial: null,
      subscriptionId: null,
      referredAt: paidAt,
    };
  }
  const { promotionCodeIds, known } = discountsOf(invoice);
  return {
    kind: 'invoice_paid',
    way: subscriptionMetadataOf(invoice) !== undefined || invoice.subscription !== null ? 'subscription' : 'invoice',
    invoiceId: invoice.id,
    payments: paymentsIn(invoice),
    customer,
    amountPaid: toMinorUnit(invoice.amount_paid, invoice.currency),
    taxAmount: toMinorUnit(taxWithin(invoice), invoice.currency),
    shipping: shippingWithin(invoice),
    currency: invoice.currency,
    description: invoice.description ?? invoice.lines?.data[0]?.description ?? null,
    lines: invoice.sold?.data ?? [],
    linesKnown: areKnown(invoice.sold),
    promotionCodeIds,
    promotionCodesKnown: known,
    namedReferral,
    isExcluded: isExcluded(invoice),
    paidAt,
    beginningId: invoice.billing_reason === 'subscription_create' ? subscriptionOf(invoice) : null,
    checkout: null,
  };
});

export function normalizeInvoicePayments(list: z.output<typeof invoicePaymentObject>[]): InvoicePayment[] {
  return list
    .filter((entry) => entry.status === 'paid' && entry.amount_paid)
    .map((entry) => ({
      chargeId: entry.payment.charge ?? entry.payment.payment_intent?.charge ?? null,
      paymentIntentId: entry.payment.payment_intent?.id ?? null,
      amount: toMinorUnit(entry.amount_paid ?? 0, entry.currency),
    }));
}

function paymentsIn(invoice: InvoiceObject): InvoicePayment[] | null {
  // The payment intent of such an invoice was canceled.
  if (invoice.paid_out_of_band) return [];
  if (invoice.charge || invoice.payment_intent) {
    return [
      {
        chargeId: invoice.charge ?? null,
        paymentIntentId: invoice.payment_intent ?? null,
        amount: toMinorUnit(invoice.amount_paid, invoice.currency),
      },
    ];
  }
  if (invoice.payments && !invoice.payments.has_more) {
    const listed = normalizeInvoicePayments(invoice.payments.data);
    // The event may be older than the provider's list of the payments.
    if (unlistedAmount(toMinorUnit(invoice.amount_paid, invoice.currency), listed) === 0) return listed;
  }
  // An event without `paid_out_of_band` that has an empty `charge` comes from a relay that keeps only some fields.
  return invoice.charge === null && invoice.paid_out_of_band === undefined ? [] : null;
}

function namedReferralOf(invoice: InvoiceObject): NamedReferral {
  return invoice.metadata.referral ?? subscriptionMetadataOf(invoice)?.referral ?? null;
}

function isExcluded(invoice: InvoiceObject): IsExcluded {
  return invoice.metadata.isExcluded || subscriptionMetadataOf(invoice)?.isExcluded === true;
}

/** Returns the id of an invoice's subscription. Since API version 2025-03-31 it is in `parent`. */
function subscriptionOf({ parent, subscription }: InvoiceObject): string | null {
  return parent?.subscription_details?.subscription ?? subscription;
}

function subscriptionMetadataOf({ parent, subscription_details }: InvoiceObject) {
  return (parent?.subscription_details ?? subscription_details)?.metadata;
}

function discountsOf({
  discounts: own,
  discount,
  total_discount_amounts: applied,
  lines,
}: z.output<typeof discountFields>): Discounts {
  return readDiscounts([...own, ...discount, ...applied, ...(lines?.data ?? []).flatMap((line) => line.discounts)]);
}

/** Computes the tax within the amount paid. */
function taxWithin(invoice: InvoiceObject): number {
  const itemized = invoice.total_taxes ?? invoice.total_tax_amounts;
  return paidPart(invoice, itemized ? itemized.reduce((sum, item) => sum + item.amount, 0) : (invoice.tax ?? 0));
}

/** Computes the shipping within the amount paid, and its tax. */
function shippingWithin(invoice: InvoiceObject): ShippingCost | null {
  const { amount_total: total, amount_tax: tax } = invoice.shipping_cost ?? { amount_total: null, amount_tax: null };
  if (!total) return null;
  const within = (cents: number) => toMinorUnit(paidPart(invoice, cents), invoice.currency);
  return { amount: within(total), tax: within(tax ?? 0) };
}

/** Returns the paid part of a part of the invoice's total. If credit covered some of the total, every part is reduced in proportion. */
function paidPart({ amount_paid, total }: InvoiceObject, part: number): number {
  return amount_paid < total ? proportionOf(part, amount_paid, total) : part;
}

/** Returns the part of an invoice's paid amount that the listed payments do not make up. */
export function unlistedAmount(amountPaid: number, listed: readonly InvoicePayment[]): number {
  return Math.max(0, amountPaid - listed.reduce((sum, { amount }) => sum + amount, 0));
}

/**
 * Returns the payments of an invoice of which `amountPaid` was paid. Payments outside the provider have no id, so they count as one payment,
 * together with the amount that the provider does not list.
 */
export function paymentsOf(amountPaid: number, listed: readonly InvoicePayment[]): InvoicePayment[] {
  const isOutside = ({ chargeId, paymentIntentId }: InvoicePayment) => chargeId === null && paymentIntentId === null;
  const inside = listed.filter((payment) => !isOutside(payment));
  const outside = unlistedAmount(amountPaid, listed) + listed.filter(isOutside).reduce((sum, { amount }) => sum + amount, 0);
  return outside === 0 ? inside : [...inside, { chargeId: null, paymentIntentId: null, amount: outside }];
}
