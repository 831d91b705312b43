import type { ProviderPromotionCode } from './provider-promotion-code.ts';

/**
 * What the provider calls one payment. An event names what it knows of it, and no two events need to name the same:
 * a checkout knows the payment intent or the invoice, an invoice of a newer API version the payment intent, a dispute the charge.
 */
export interface PaymentReference {
  chargeId: string | null;
  paymentIntentId: string | null;
  invoiceId: string | null;
}

/** Who paid, as far as an event tells. */
export interface ProviderCustomer {
  customerId: string | null;
  email: string | null;
  name: string | null;
}

/** A checkout was completed: it may bind the customer to a referral, and knows the tax of its payment. */
export interface CheckoutCompleted {
  kind: 'checkout_completed';
  payment: PaymentReference;
  customer: ProviderCustomer;
  /** What the merchant passed to the checkout: the referral's id, when the visitor came through an affiliate. */
  clientReferenceId: string | null;
  promotionCodeIds: string[];
  currency: string | null;
  /** Tax within the paid amount, in the currency's minor unit; null when the checkout does not tell. */
  taxAmount: number | null;
}

export interface CustomerChanged {
  kind: 'customer_changed';
  customer: ProviderCustomer & { customerId: string };
  /** The address that the one in `customer` has replaced; null when the event does not tell of such a change. */
  formerEmail: string | null;
}

/** One successful charge, told by the charge itself. */
export interface ChargeSucceeded {
  kind: 'charge_succeeded';
  payment: PaymentReference;
  /** Whether the event told if an invoice stands behind the charge. Newer API versions leave it out. */
  invoiceKnown: boolean;
  customer: ProviderCustomer;
  amount: number;
  currency: string;
  description: string | null;
  chargedAt: Date;
}

/** One payment of an invoice: an invoice can be paid in several. */
export interface InvoicePayment {
  chargeId: string | null;
  paymentIntentId: string | null;
  amount: number;
}

/** An invoice was paid in full. */
export interface InvoicePaid {
  kind: 'invoice_paid';
  invoiceId: string;
  /** Null when the event does not tell what paid it: newer API versions want that asked for. */
  payments: InvoicePayment[] | null;
  customer: ProviderCustomer;
  /** What was paid, in the currency's minor unit; 0 for a trial or an invoice covered by credit. */
  amountPaid: number;
  /** Tax within the amount paid, in the currency's minor unit. */
  taxAmount: number;
  currency: string;
  description: string | null;
  promotionCodeIds: string[];
  paidAt: Date;
}

/** One refund of a charge, as the provider sees it now. */
export interface ProviderRefund {
  refundId: string;
  amount: number;
  /** False once it failed or was canceled: the money stayed with the merchant. */
  effective: boolean;
}

/** The charge's own account of how much of it went back, over all of its refunds. */
export interface ChargeRefunded {
  kind: 'charge_refunded';
  payment: PaymentReference;
  /** Cumulative, in the currency's minor unit. */
  amountRefunded: number;
  currency: string;
  /** The single refunds, where the API version lists them. */
  refunds: ProviderRefund[];
}

export interface RefundUpdated {
  kind: 'refund_updated';
  payment: PaymentReference;
  refund: ProviderRefund;
  currency: string;
}

/** A dispute ended. A lost one takes its amount away as a refund does. */
export interface DisputeClosed {
  kind: 'dispute_closed';
  payment: PaymentReference;
  disputeId: string;
  amount: number;
  currency: string;
  lost: boolean;
}

export interface PromotionCodeUpdated {
  kind: 'promotion_code_updated';
  promotionCode: ProviderPromotionCode;
}

/** An event this service has no use for: another type, an authorization that was not captured, a payment of nothing. */
export interface IgnoredEvent {
  kind: 'ignored';
}

/** An event of a handled type whose object lacks what this service reads from it. */
export interface UnreadableEvent {
  kind: 'unreadable';
  problem: string;
}

/** What an inbound event tells, in this service's own terms: amounts in the currency's minor unit, currencies in upper case. */
export type ProviderFact =
  | CheckoutCompleted
  | CustomerChanged
  | ChargeSucceeded
  | InvoicePaid
  | ChargeRefunded
  | RefundUpdated
  | DisputeClosed
  | PromotionCodeUpdated
  | IgnoredEvent
  | UnreadableEvent;

/** One event of the provider. Its id is the same on every delivery. */
export interface ProviderEvent {
  id: string;
  type: string;
  occurredAt: Date;
  livemode: boolean;
  fact: ProviderFact;
  /** The event exactly as the provider wrote it, for the record. */
  payload: Record<string, unknown>;
}
