import type { InvoicePayment, ProviderEvent } from './provider-event.ts';
import type { ProviderPromotionCode } from './provider-promotion-code.ts';

export type { ProviderPromotionCode };

/** Mode of a key. The provider keeps live and test records apart. */
export type ProviderMode = 'live' | 'test';

/** The merchant's account at the provider, as seen with the connection's key. */
export interface ProviderAccount {
  id: string;
  name: string | null;
  country: string | null;
  defaultCurrency: string | null;
}

/** A discount that promotion codes apply. */
export interface ProviderCoupon {
  id: string;
  name: string | null;
  livemode: boolean;
  /** True while the coupon can be redeemed. */
  valid: boolean;
  percentOff: number | null;
  /** In the minor unit of `currency`. */
  amountOff: number | null;
  currency: string | null;
  duration: string;
  durationInMonths: number | null;
  redeemBy: Date | null;
  maxRedemptions: number | null;
  timesRedeemed: number;
}

export interface NewPromotionCode {
  code: string;
  couponId: string;
  /** Stored with the code at the provider. An operation finds the code that it created by this. */
  metadata: Record<string, string>;
}

/**
 * The payment provider's operations, with the key of one connection.
 *
 * Every method rejects with a `PspError` and nothing else. The adapter repeats reads as it sees fit. For writes, a rejection with
 * `outcomeUnknown` leaves open whether they took effect.
 */
export interface PaymentProvider {
  /** The merchant's account. Also verifies the key. */
  account(): Promise<ProviderAccount>;

  /** The promotion code with exactly this id. Rejects with `not_found`. */
  promotionCode(id: string): Promise<ProviderPromotionCode>;

  /** All promotion codes with this text, active or not, without regard to case, newest first. */
  promotionCodesByCode(code: string): Promise<ProviderPromotionCode[]>;

  /**
   * Creates a promotion code. Repeating a key with the same input returns the first result. Code and coupon must match the first request of
   * the key exactly.
   */
  createPromotionCode(input: NewPromotionCode, idempotencyKey: string): Promise<ProviderPromotionCode>;

  /** Allows or stops new redemptions of a promotion code. It is idempotent, so it may be repeated. */
  setPromotionCodeActive(id: string, active: boolean): Promise<ProviderPromotionCode>;

  /** The coupon with exactly this id. Rejects with `not_found`. */
  coupon(id: string): Promise<ProviderCoupon>;

  /** The coupons that can be redeemed now, newest first. */
  validCoupons(): Promise<ProviderCoupon[]>;

  /** The payments of an invoice. Empty when it was paid outside the provider. */
  invoicePayments(invoiceId: string): Promise<InvoicePayment[]>;

  /** The invoice that a payment intent paid. Null when there is none. */
  invoiceOfPaymentIntent(paymentIntentId: string): Promise<string | null>;

  /** Handled events that the provider could not deliver, newest first. It keeps events for 30 days. */
  undeliveredEvents(since: Date): AsyncIterable<ProviderEvent>;
}

/** Access to the provider that needs no connection. */
export interface PaymentProviderGateway {
  /** Event types that an endpoint at the provider has to subscribe to. */
  readonly handledEventTypes: readonly string[];

  /** The mode of a secret key. Null when the text is not a secret key of this provider. */
  modeOf(secretKey: string): ProviderMode | null;

  open(secretKey: string): Promise<PaymentProvider>;

  /**
   * Verifies a delivery with the valid secrets and parses it. Rejects with `InvalidPspEventError` or `MalformedPspEventError`.
   *
   * @param rawBody the request body byte for byte: the signature covers bytes, not JSON
   */
  readEvent(
    rawBody: Uint8Array,
    signatureHeader: string | undefined,
    secrets: readonly string[],
    now: Date,
  ): Promise<ProviderEvent>;

  /** Parses an event that was verified before and stored as text. */
  rereadEvent(payload: string): ProviderEvent;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    psp: PaymentProviderGateway;
  }
}
