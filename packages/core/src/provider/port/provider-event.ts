import type { ProviderPromotionCode } from './provider-promotion-code.ts';

/**
 * The provider's ids of a payment. An event has some of them, and two events need not have one in common: a checkout has the payment intent
 * or the invoice, an invoice of a newer API version the payment intent, a dispute the charge.
 */
export interface PaymentReference {
  chargeId: string | null;
  paymentIntentId: string | null;
  invoiceId: string | null;
}

/** The paying customer, as far as an event identifies them. */
export interface ProviderCustomer {
  customerId: string | null;
  email: string | null;
  name: string | null;
}

/** A completed checkout. It may bind the customer to a referral, and has the tax of its payment. */
export interface CheckoutCompleted {
  kind: 'checkout_completed';
  payment: PaymentReference;
  customer: ProviderCustomer;
  /** Reference that the merchant passed to the checkout: the referral's id, when an affiliate sent the visitor. */
  clientReferenceId: string | null;
  promotionCodeIds: string[];
  currency: string | null;
  /** Tax within the paid amount, in the currency's minor unit. Null when the checkout does not contain it. */
  taxAmount: number | null;
}

export interface CustomerChanged {
  kind: 'customer_changed';
  customer: ProviderCustomer & { customerId: string };
  /** The e-mail address that the one in `customer` replaced. Null when the event reports no such change. */
  formerEmail: string | null;
}

/** A successful charge, as reported by the charge itself. */
export interface ChargeSucceeded {
  kind: 'charge_succeeded';
  payment: PaymentReference;
  /** False when the event does not say whether the charge paid an invoice, as in newer API versions. */
  invoiceKnown: boolean;
  customer: ProviderCustomer;
  amount: number;
  currency: string;
  description: string | null;
  chargedAt: Date;
}

/** One of possibly several payments of an invoice. */
export interface InvoicePayment {
  chargeId: string | null;
  paymentIntentId: string | null;
  amount: number;
}

/** An invoice that was paid in full. */
export interface InvoicePaid {
  kind: 'invoice_paid';
  invoiceId: string;
  /** Null when the event does not contain the payments: newer API versions require a request for them. */
  payments: InvoicePayment[] | null;
  customer: ProviderCustomer;
  /** Amount paid, in the currency's minor unit. 0 for a trial or an invoice covered by credit. */
  amountPaid: number;
  /** Tax within the amount paid, in the currency's minor unit. */
  taxAmount: number;
  currency: string;
  description: string | null;
  promotionCodeIds: string[];
  paidAt: Date;
}

/** A refund of a charge, in its current state at the provider. */
export interface ProviderRefund {
  refundId: string;
  amount: number;
  /** False when it failed or was canceled: the merchant kept the money. */
  effective: boolean;
}

/** The charge's own report of the refunded amount, over all of its refunds. */
export interface ChargeRefunded {
  kind: 'charge_refunded';
  payment: PaymentReference;
  /** Cumulative, in the currency's minor unit. */
  amountRefunded: number;
  currency: string;
  /** The individual refunds, where the API version lists them. */
  refunds: ProviderRefund[];
}

export interface RefundUpdated {
  kind: 'refund_updated';
  payment: PaymentReference;
  refund: ProviderRefund;
  currency: string;
}

/** A dispute that ended. A lost one takes its amount away as a refund does. */
export interface DisputeClosed {
  kind: 'dispute_closed';
  payment: PaymentReference;
  disputeId: string;
  amount: number;
  currency: string;
  lost: boolean;
}

/** A document that says what a part of an invoice was credited for, with its tax. It moves no money itself. */
export interface CreditNoteChanged {
  kind: 'credit_note_changed';
  creditNoteId: string;
  invoiceId: string;
  /** Including tax, and what was credited otherwise than by refunds. */
  total: number;
  /** Tax within the total, in the currency's minor unit. Null when the note does not tell it. */
  taxAmount: number | null;
  currency: string;
  /** Refunds that the note covers, each with the covered amount. Null for what the refund returned, in older API versions. */
  refunds: { refundId: string; amount: number | null }[];
  voided: boolean;
}

export interface PromotionCodeUpdated {
  kind: 'promotion_code_updated';
  promotionCode: ProviderPromotionCode;
}

/** An event that this service ignores: another type, an authorization that was not captured, a payment of 0. */
export interface IgnoredEvent {
  kind: 'ignored';
}

/** An event of a handled type that lacks fields that this service reads. */
export interface UnreadableEvent {
  kind: 'unreadable';
  problem: string;
}

/** The content of an event in this service's terms: amounts in the currency's minor unit, currencies in upper case. */
export type ProviderFact =
  | CheckoutCompleted
  | CustomerChanged
  | ChargeSucceeded
  | InvoicePaid
  | ChargeRefunded
  | RefundUpdated
  | DisputeClosed
  | CreditNoteChanged
  | PromotionCodeUpdated
  | IgnoredEvent
  | UnreadableEvent;

/** An event of the provider. Its id is the same in every delivery. */
export interface ProviderEvent {
  id: string;
  type: string;
  occurredAt: Date;
  livemode: boolean;
  fact: ProviderFact;
  /** The event exactly as the provider wrote it, for storage. */
  payload: Record<string, unknown>;
}
