/**
 * Abilities of some payment providers beside telling payments. Each capability is a small interface of its own, and a source has those that its provider
 * has.
 *
 * Every method rejects with a `PspError` and nothing else. The adapter may repeat reads. If a write is rejected with `outcomeUnknown`, the
 * write may or may not have taken effect.
 */

/** A discount that promotion codes apply. */
export interface ProviderCoupon {
  id: string;
  name: string | null;
  mode: ProviderMode;
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

/** Promotion codes that attribute sales. */
export interface Codes {
  /** True if codes are made elsewhere, so that the service cannot create or change them. */
  readonly isReadOnly?: boolean;

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

/** The number of prices up to which a provider lists all. */
export const MAX_PRICES = 1_000;

/** Products and prices by name. */
export interface Catalog {
  /** Returns the prices of all products, newest first, up to `MAX_PRICES`. Without the permission to read products, their names are null. */
  prices(): Promise<ProviderPrice[]>;
}

/** A record of the provider whose metadata this service may write. */
export interface MetadataOwner {
  kind: 'customer' | 'invoice';
  id: string;
}

export interface Metadata {
  /** Returns the metadata of a record. Rejects with `not_found`, also for a deleted customer. */
  readMetadata(owner: MetadataOwner): Promise<Record<string, string>>;

  /** Changes entries of a record's metadata, and leaves the others. An empty value removes the entry. Idempotent. Rejects with `not_found`. */
  writeMetadata(owner: MetadataOwner, changes: Record<string, string>, idempotencyKey: string): Promise<void>;
}

/** A checkout of a one-off payment. */
export interface NewCheckout {
  /** The token of a link, by which the checkout names who sent the customer. */
  reference: string;
  customerEmail: string;
  /** In the minor unit of `currency`. */
  amount: number;
  currency: string;
  /** Address to which the customer returns. */
  successUrl: string;
}

/** Purchases that cost nothing, to see whether everything works. */
export interface TestCheckout {
  /** Opens a checkout, which expires unless it is paid. A further call with the same key returns the result of the first call. */
  openCheckout(checkout: NewCheckout, idempotencyKey: string): Promise<{ url: string }>;
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

/** Endpoints at the provider, to which it sends events. */
export interface Endpoints {
  allEndpoints(): Promise<ProviderEndpoint[]>;

  /**
   * Creates an endpoint for the handled event types, in the version that this service knows. A further call with the same key returns the
   * result of the first call, for at least 24 hours. Only this call returns the signing secret.
   */
  createEndpoint(endpoint: { url: string; createdFor: string }, idempotencyKey: string): Promise<{ id: string; secret: string }>;

  /** Deletes an endpoint. Rejects with `not_found`. */
  deleteEndpoint(id: string): Promise<void>;
}

export interface Capabilities {
  codes: Codes;
  catalog: Catalog;
  metadata: Metadata;
  testCheckout: TestCheckout;
  endpoints: Endpoints;
}

/** Mode of a key. The provider keeps live and test records apart. */
export type ProviderMode = 'live' | 'test';

/** A promotion code as the provider reports it at one moment. */
export interface ProviderPromotionCode {
  id: string;
  /** Text that a customer types. Unique among the provider's active codes, without regard to case. */
  code: string;
  active: boolean;
  mode: ProviderMode;
  couponId: string | null;
  /** Id of the only customer who can use the code; null if any customer can. */
  customerId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  maxRedemptions: number | null;
  timesRedeemed: number;
  firstTimeTransaction: boolean;
  /** In the minor unit of `minimumAmountCurrency`. */
  minimumAmount: number | null;
  minimumAmountCurrency: string | null;
  metadata: Record<string, string>;
}
