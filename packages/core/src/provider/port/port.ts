import type { InvoicePayment, ProviderEvent } from './provider-event.ts';
import type { ProviderPromotionCode } from './provider-promotion-code.ts';

export type { ProviderPromotionCode };

/** The provider keeps its live and its test records apart; a key opens one of the two. */
export type ProviderMode = 'live' | 'test';

/** The merchant's account at the provider, as the connection's key sees it. */
export interface ProviderAccount {
  id: string;
  name: string | null;
  country: string | null;
  defaultCurrency: string | null;
}

/** A discount that promotion codes hand out. */
export interface ProviderCoupon {
  id: string;
  name: string | null;
  livemode: boolean;
  /** Whether it can still be redeemed. */
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
  /** Kept with the code at the provider; how an operation finds what it created. */
  metadata: Record<string, string>;
}

/**
 * The payment provider as this service needs it, opened with one connection's key.
 *
 * Every method rejects with a `PspError` and nothing else. Reads are repeated by the adapter as it sees fit; of the one write,
 * a rejection with `outcomeUnknown` leaves open whether it took effect.
 */
export interface PaymentProvider {
  /** Also the test whether the key is any good. */
  account(): Promise<ProviderAccount>;

  /** The promotion code with exactly this id; rejects with `not_found`. */
  promotionCode(id: string): Promise<ProviderPromotionCode>;

  /** Every promotion code with this code, active or not, whatever its case, newest first. */
  promotionCodesByCode(code: string): Promise<ProviderPromotionCode[]>;

  /**
   * Creates a promotion code. The same key and input again is the same creation: the provider answers with its first result.
   * Code and coupon must match the first request of the key exactly.
   */
  createPromotionCode(input: NewPromotionCode, idempotencyKey: string): Promise<ProviderPromotionCode>;

  /** Switches a promotion code on or off for new redemptions. Coming to the same when done twice, it may simply be repeated. */
  setPromotionCodeActive(id: string, active: boolean): Promise<ProviderPromotionCode>;

  /** The coupon with exactly this id; rejects with `not_found`. */
  coupon(id: string): Promise<ProviderCoupon>;

  /** The coupons that can be redeemed now, newest first. */
  validCoupons(): Promise<ProviderCoupon[]>;

  /** What paid an invoice; empty when it was paid outside the provider. */
  invoicePayments(invoiceId: string): Promise<InvoicePayment[]>;

  /** The invoice that a payment intent paid, or null when there is none. */
  invoiceOfPaymentIntent(paymentIntentId: string): Promise<string | null>;

  /** Events that this service handles and the provider could not deliver, newest first. It keeps events for 30 days. */
  undeliveredEvents(since: Date): AsyncIterable<ProviderEvent>;
}

/** The way to the provider, before any connection is known. */
export interface PaymentProviderGateway {
  /** What an endpoint at the provider has to subscribe to. */
  readonly handledEventTypes: readonly string[];

  /** The mode a secret key belongs to, or null when it is no secret key of this provider. */
  modeOf(secretKey: string): ProviderMode | null;

  open(secretKey: string): Promise<PaymentProvider>;

  /**
   * Verifies a delivery against the secrets in force and reads it; rejects with `InvalidPspEventError`, or `NoPspEventError`.
   *
   * @param rawBody the request body byte for byte: a signature covers bytes, not JSON
   */
  readEvent(
    rawBody: Uint8Array,
    signatureHeader: string | undefined,
    secrets: readonly string[],
    now: Date,
  ): Promise<ProviderEvent>;

  /** Reads an event that was verified and kept as text. */
  rereadEvent(payload: string): ProviderEvent;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    psp: PaymentProviderGateway;
  }
}
