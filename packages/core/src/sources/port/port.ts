import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Held } from '../../platform/call/locks.ts';
import type {
  CheckoutCompleted,
  IgnoreReason,
  InvoicePayment,
  ProviderEvent,
  ProviderLine,
  Redemption,
} from './provider-event.ts';
import type { ProviderPromotionCode } from './provider-promotion-code.ts';
import type { Seen } from './seen.ts';

export type { ProviderPromotionCode };

/** Settings of a connection that only its source understands. */
export type ConnectionSettings = Readonly<Record<string, string | null>>;

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
  /** Stored with the code at the provider, so that an operation can find the code that it created. */
  metadata: Record<string, string>;
}

/** An endpoint at the provider that receives events. */
export interface ProviderEndpoint {
  id: string;
  url: string;
  /** The account of this service for which this service created the endpoint. Null for an endpoint that somebody else created. */
  createdFor: string | null;
  /** False if the provider sends no events, e.g. because deliveries failed for several days. */
  isEnabled: boolean;
  /** `*` stands for all types. */
  eventTypes: string[];
  /** Version of the events; null for the default version of the merchant's account. */
  apiVersion: string | null;
}

/** The purpose of a permission of a restricted key. */
export const PERMISSION_PURPOSES = ['endpoint', 'events', 'lines', 'codes', 'write_back'] as const;
export type PermissionPurpose = (typeof PERMISSION_PURPOSES)[number];

/** A permission of a restricted key, in the words of the provider's dashboard. */
export interface ProviderPermission {
  resource: string;
  access: 'read' | 'write';
  purpose: PermissionPurpose;
}

/** A checkout of a one-off payment. */
export interface NewCheckout {
  /** The `client_reference_id` of the checkout. */
  reference: string;
  customerEmail: string;
  /** In the minor unit of `currency`. */
  amount: number;
  currency: string;
  /** Address to which the customer returns. */
  successUrl: string;
}

/** A record of the provider whose metadata this service may write. */
export interface MetadataOwner {
  kind: 'customer' | 'invoice';
  id: string;
}

/** A price at the provider, with the product that it is for. */
export interface ProviderPrice {
  id: string;
  /** Name of the price, if the merchant gave it one. */
  name: string | null;
  product: string;
  /** Null if the key may not read products. */
  productName: string | null;
  /** How often the price is charged. */
  interval: 'day' | 'week' | 'month' | 'year' | 'one_time';
  /** Amount of a unit in the minor unit of `currency`. Null if the amount depends on the quantity or the customer. */
  unitCents: number | null;
  currency: string;
  isActive: boolean;
}

/**
 * Calls to the payment provider with the key of one connection.
 *
 * Every method rejects with a `PspError` and nothing else. The adapter may repeat reads. If a write is rejected with `outcomeUnknown`, the
 * write may or may not have taken effect.
 */
export interface PaymentProvider {
  /** Returns the merchant's account. Rejects if the key is not valid. */
  account(): Promise<ProviderAccount>;

  /** Returns the permissions for these purposes that the key lacks. Changes nothing at the provider. */
  missingPermissions(purposes: readonly PermissionPurpose[]): Promise<ProviderPermission[]>;

  /** Returns all endpoints of the account. */
  endpoints(): Promise<ProviderEndpoint[]>;

  /**
   * Creates an endpoint for the handled event types, in the version that this service knows. A further call with the same key returns the
   * result of the first call, for at least 24 hours. Only this call returns the signing secret.
   */
  createEndpoint(endpoint: { url: string; createdFor: string }, idempotencyKey: string): Promise<{ id: string; secret: string }>;

  /** Enables an endpoint, and adds the handled event types. Idempotent. Rejects with `not_found`. */
  repairEndpoint(endpoint: Pick<ProviderEndpoint, 'id' | 'eventTypes'>): Promise<void>;

  /** Deletes an endpoint. Rejects with `not_found`. */
  deleteEndpoint(id: string): Promise<void>;

  /** Returns the promotion code with exactly this id. Rejects with `not_found`. */
  promotionCode(id: string): Promise<ProviderPromotionCode>;

  /** Returns all promotion codes with this text, active or not, ignoring case, newest first. */
  promotionCodesByCode(code: string): Promise<ProviderPromotionCode[]>;

  /**
   * Creates a promotion code. A further call with the same key returns the result of the first call. Code and coupon must then be exactly
   * those of the first call.
   */
  createPromotionCode(input: NewPromotionCode, idempotencyKey: string): Promise<ProviderPromotionCode>;

  /** Allows or stops new redemptions of a promotion code. Idempotent. */
  setPromotionCodeActive(id: string, active: boolean): Promise<ProviderPromotionCode>;

  /** Returns the coupon with exactly this id. Rejects with `not_found`. */
  coupon(id: string): Promise<ProviderCoupon>;

  /** Returns the coupons that can be redeemed now, newest first. */
  validCoupons(): Promise<ProviderCoupon[]>;

  /** Returns the prices of all products, newest first, up to 1,000. Without the permission to read products, their names are null. */
  prices(): Promise<ProviderPrice[]>;

  /**
   * Returns the payments of an invoice, with their charges if the key may read payment intents. None if the invoice was paid outside the provider, and for a short time after it was paid: the
   * provider lists a payment later than it reports the invoice.
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

  /** Opens a checkout, which expires unless it is paid. A further call with the same key returns the result of the first call. */
  openCheckout(checkout: NewCheckout, idempotencyKey: string): Promise<{ url: string }>;

  /** Returns the metadata of a record. Rejects with `not_found`, also for a deleted customer. */
  metadata(owner: MetadataOwner): Promise<Record<string, string>>;

  /** Changes entries of a record's metadata, and leaves the others. An empty value removes the entry. Idempotent. Rejects with `not_found`. */
  writeMetadata(owner: MetadataOwner, changes: Record<string, string>, idempotencyKey: string): Promise<void>;

  /** Iterates over the events of handled types that the provider could not deliver, newest first. The provider keeps events for 30 days. */
  undeliveredEvents(since: Date): AsyncIterable<ProviderEvent>;
}

/** How an account's events are read. */
export interface EventReading {
  /** Key of the metadata that contain the merchant's own id of the customer. Null if there is none. */
  customerIdKey: string | null;
}

export interface EventVerification extends EventReading {
  secrets: readonly string[];
  now: Date;
}

export interface ProviderOptions extends EventReading {
  connectedAccountId: string | null;
}

/** Entry point to the payment provider. Needs no connection of an account. */
export interface PaymentProviderGateway {
  /** Event types to which an endpoint at the provider has to subscribe. */
  readonly handledEventTypes: readonly string[];

  /** Why an event of a handled type may have nothing that this service needs, by type. */
  readonly unneededReasons: Readonly<Record<string, IgnoreReason>>;

  /** Returns the handled event types that an endpoint with these types does not receive. */
  missingTypes(received: readonly string[]): string[];

  /** Returns the mode of a secret key, or null if the text is not a secret key of this provider. */
  modeOf(secretKey: string): ProviderMode | null;

  /**
   * Returns access to the account of a secret key.
   *
   * @param options.connectedAccountId a connected account of this platform, to which the calls go instead
   */
  open(secretKey: string, options?: ProviderOptions): Promise<PaymentProvider>;

  /**
   * Verifies a delivery with the valid secrets and parses it. Rejects with `InvalidPspEventError` or `MalformedPspEventError`.
   *
   * @param rawBody the request body byte for byte: the signature covers bytes, not JSON
   */
  readEvent(rawBody: Uint8Array, header: (name: string) => string | undefined, by: EventVerification): Promise<ProviderEvent>;

  /**
   * Asks the provider for data that an event lacks. Called outside transactions. Rejects with `PspError`; with reason `incomplete` while the answer is not
   * final.
   *
   * @param hasWaited true if the event was received so long ago that the provider's answer is final
   */
  complete(
    ctx: Pick<Ctx, 'db' | 'accountId'>,
    provider: PaymentProvider,
    event: ProviderEvent,
    hasWaited: boolean,
  ): Promise<ProviderEvent>;

  /** Keeps what an event says, and returns everything that is known now about its payer, its codes and its payments. */
  tell(ctx: WriteCtx, events: Held<'psp events'>, event: ProviderEvent): Promise<Seen[]>;

  /** Parses an event that was verified before and stored as text. */
  rereadEvent(payload: string, reading: EventReading): ProviderEvent;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    psp: PaymentProviderGateway;
  }
}
