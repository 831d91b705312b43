import type { ProviderPromotionCode } from '../../port/capabilities.ts';
import type { IgnoreReason, SourceEvent } from '../../port/port.ts';
import type { PaymentWay } from '../../port/seen.ts';
import type { ShippingCost } from '../../port/without-shipping.ts';

/**
 * The provider's ids of a payment. An event contains only some of these ids, and two events may have none in common: a checkout has the
 * payment intent or the invoice, an invoice of a newer API version has the payment intent, and a dispute has the charge.
 */
export interface PaymentReference {
  chargeId: string | null;
  paymentIntentId: string | null;
  invoiceId: string | null;
}

/** The paying customer, as far as an event identifies them. */
export interface ProviderCustomer {
  customerId: string | null;
  /** The merchant's own id of the customer, from the metadata of the object. */
  externalId: string | null;
  email: string | null;
  name: string | null;
}

/**
 * The referral that the merchant wrote into the metadata of an object (`referral`), or null. It need not be the id of a referral, because
 * merchants may use this key for something else.
 */
export type NamedReferral = string | null;

/** True if the merchant's metadata say that nobody earns from the payment, e.g. if `affiliate` is `false`. */
export type IsExcluded = boolean;

/** A free period of a subscription before its first payment. */
export interface ProviderTrial {
  subscriptionId: string;
  /** Null if the subscription has no trial any more. */
  until: Date | null;
}

/** A promotion code that a customer redeemed without a checkout. */
export interface Redemption {
  promotionCodeId: string;
  redeemedAt: Date;
}

/** A sold item, as a line of an invoice or a checkout. */
export interface ProviderLine {
  /** Id of the line of an invoice, which credit notes name. */
  id?: string;
  product: string | null;
  price: string | null;
  /** Text of the line, which names the product for people. */
  name: string | null;
  /** How often the price is charged. Null if it is unknown. */
  interval: 'day' | 'week' | 'month' | 'year' | 'one_time' | null;
  quantity: number;
  /** Amount after the discounts of the line and without tax, in the currency's minor unit. Negative for unused time of a plan. */
  amount: number;
}

/** A completed checkout. It may bind the customer to a referral, and it reports the tax included in the payment. */
export interface CheckoutCompleted {
  kind: 'checkout_completed';
  way: Extract<PaymentWay, 'payment_link' | 'checkout'>;
  payment: PaymentReference;
  customer: ProviderCustomer;
  /** Reference that the merchant passed to the checkout: the id of a referral, or a link's token, if an affiliate sent the visitor. */
  clientReferenceId: string | null;
  /** Time at which the checkout was opened. Null stands for the time of the event. */
  openedAt: Date | null;
  namedReferral: NamedReferral;
  promotionCodeIds: string[];
  isExcluded: IsExcluded;
  currency: string | null;
  /** Tax within the paid amount, in the currency's minor unit. Null when the checkout does not contain it. */
  taxAmount: number | null;
  shipping: ShippingCost | null;
  sessionId: string | null;
  /** Empty if the event does not contain the lines, so that they have to be requested. */
  lines: ProviderLine[];
}

export interface CustomerChanged {
  kind: 'customer_changed';
  customer: ProviderCustomer & { customerId: string };
  /** The email address that the current one replaced. Null if the event does not report such a change. */
  formerEmail: string | null;
  namedReferral: NamedReferral;
  redemptions: Redemption[];
  isExcluded: IsExcluded;
  /** True if the event reports that the merchant changed `isExcluded`. */
  exclusionChanged: boolean;
}

/**
 * A subscription, a payment intent or an unpaid invoice that shows who referred the customer. It may come before the first payment, e.g. at
 * the start of a trial.
 */
export interface CustomerReferred {
  kind: 'customer_referred';
  payment: PaymentReference;
  customer: ProviderCustomer;
  namedReferral: NamedReferral;
  redemptions: Redemption[];
  /** The trial of the subscription; null if the event reports no trial and no end of a trial. */
  trial: ProviderTrial | null;
  /** Id of the subscription whose redemptions have to be requested, because the event contains only the ids of its discounts; otherwise null. */
  subscriptionId: string | null;
  /** Null stands for the time of the event. */
  referredAt: Date | null;
}

/** A successful charge, reported by an event about the charge itself (not about its invoice or checkout). */
export interface ChargeSucceeded {
  kind: 'charge_succeeded';
  payment: PaymentReference;
  /** False if the event does not say whether the charge paid an invoice, as in newer API versions. */
  invoiceKnown: boolean;
  customer: ProviderCustomer;
  /** The captured amount. */
  amount: number;
  released: ReleasedAmount;
  currency: string;
  description: string | null;
  namedReferral: NamedReferral;
  isExcluded: IsExcluded;
  /** Time at which the charge was made. The money may be taken later: the event says when it was captured, or when a bank debit succeeded. */
  createdAt: Date;
}

/**
 * The part of an authorized amount that was released because it was not captured, in the currency's minor unit. It was never paid, although
 * the provider counts it as refunded. Null if the event does not state the captured amount.
 */
export type ReleasedAmount = number | null;

/** A payment of an invoice. An invoice may have several payments. A payment without ids was made outside the provider. */
export interface InvoicePayment {
  chargeId: string | null;
  paymentIntentId: string | null;
  amount: number;
}

/** An invoice that was paid in full. */
export interface InvoicePaid {
  kind: 'invoice_paid';
  way: Extract<PaymentWay, 'subscription' | 'invoice'>;
  invoiceId: string;
  /**
   * Null if the event does not contain all payments, as with newer API versions. The payments then have to be requested. Empty if the event
   * states that the invoice was paid outside the provider.
   */
  payments: InvoicePayment[] | null;
  customer: ProviderCustomer;
  /** Amount paid, in the currency's minor unit. 0 for a trial or an invoice covered by credit. */
  amountPaid: number;
  /** Tax within the amount paid, in the currency's minor unit. */
  taxAmount: number;
  shipping: ShippingCost | null;
  currency: string;
  description: string | null;
  lines: ProviderLine[];
  /** False if the event lacks some lines, or how often they are charged. The lines then have to be requested. */
  linesKnown: boolean;
  promotionCodeIds: string[];
  /** False if the event only lists ids of discounts. The promotion codes then have to be requested. */
  promotionCodesKnown: boolean;
  namedReferral: NamedReferral;
  isExcluded: IsExcluded;
  paidAt: Date;
  /** Id of the subscription that begins with this invoice, perhaps by a checkout that has to be requested; otherwise null. */
  beginningId: string | null;
  /** The checkout by which the subscription of the invoice began. Null if it has not been requested, or if there was none. */
  checkout: CheckoutCompleted | null;
}

/** A refund of a charge, in its current state at the provider. */
export interface ProviderRefund {
  refundId: string;
  amount: number;
  /** False if the refund failed or was canceled, in which case the merchant has kept the money. */
  effective: boolean;
}

/** The merchant excluded a payment, or all payments of an invoice, after it was paid. */
export interface PaymentExcluded {
  kind: 'payment_excluded';
  payment: PaymentReference;
}

/** The total of all refunds of a charge, as the charge itself reports it. */
export interface ChargeRefunded {
  kind: 'charge_refunded';
  payment: PaymentReference;
  /** Sum of all refunds so far, including the released amount, in the currency's minor unit. */
  amountRefunded: number;
  released: ReleasedAmount;
  currency: string;
  /** The individual refunds, if the API version lists them. */
  refunds: ProviderRefund[];
}

export interface RefundUpdated {
  kind: 'refund_updated';
  payment: PaymentReference;
  refund: ProviderRefund;
  currency: string;
}

/**
 * A dispute in its current state at the provider. An open dispute holds the commission, a lost dispute counts as a refund of its amount, and a
 * won dispute releases the commission.
 */
export interface DisputeChanged {
  kind: 'dispute_changed';
  payment: PaymentReference;
  disputeId: string;
  amount: number;
  currency: string;
  /** `won` includes disputes that ended in any other way without taking money from the merchant. */
  outcome: 'open' | 'won' | 'lost';
}

/** A credit note: a document that says which amounts of an invoice were credited, with their tax. It moves no money itself. */
/** An amount that a credit note takes back from a line of an invoice, in the minor unit of the note’s currency. */
export interface CreditedLine {
  lineId: string;
  amount: number;
}

export interface CreditNoteChanged {
  kind: 'credit_note_changed';
  creditNoteId: string;
  invoiceId: string;
  /** Includes tax, and amounts that were credited without a refund. */
  total: number;
  /** Tax within the total, in the currency's minor unit. Null if the note does not contain it. */
  taxAmount: number | null;
  currency: string;
  /** Refunds that the note covers, each with the covered amount. A null amount (older API versions) stands for the whole refund. */
  refunds: { refundId: string; amount: number | null }[];
  /** Part of the total by which the note reduced the invoice before it was paid. Missing if there is none. */
  before?: number;
  /** Amount that the merchant paid back outside the provider, e.g. in cash. Missing if there is none. */
  outside?: number;
  /** Credited shipping, with its tax. Missing if there is none. */
  shipping?: number;
  /** Credited amounts of lines of the invoice, without tax and after discounts. Missing if the note does not state all its lines. */
  lines?: CreditedLine[];
  voided: boolean;
}

interface PromotionCodeUpdated {
  kind: 'promotion_code_updated';
  promotionCode: ProviderPromotionCode;
}

/** An event that this service does not use: of another type, an authorization that was not captured, or a payment of 0. */
export interface IgnoredEvent {
  kind: 'ignored';
}

/** An event of a handled type in which fields that this service reads are missing or invalid. */
interface UnreadableEvent {
  kind: 'unreadable';
  problem: IgnoreReason;
}

/** The content of an event in this service's terms: amounts in the currency's minor unit, currencies in upper case. */
export type ProviderFact =
  | CheckoutCompleted
  | CustomerChanged
  | CustomerReferred
  | ChargeSucceeded
  | InvoicePaid
  | PaymentExcluded
  | ChargeRefunded
  | RefundUpdated
  | DisputeChanged
  | CreditNoteChanged
  | PromotionCodeUpdated
  | IgnoredEvent
  | UnreadableEvent;

export interface ProviderEvent extends SourceEvent, Choices {
  fact: ProviderFact;
}

/** The merchant's choices for the connection at the time when the event was read. */
export interface Choices {
  countsShipping: boolean;
}
