/**
 * The language between a source and the rest of the service: what a source knows of payments, payers, subscriptions and codes. Telling it again
 * changes nothing. Amounts include the tax and are in the currency's ISO 4217 minor unit, whatever form the provider uses.
 */
import { z } from 'zod';
import type { Instant } from '../../platform/time/instant.ts';
import { instant as instantOnWire, MAX_CENTS } from '../../platform/wire/scalars.ts';
import type { ProviderPromotionCode } from './capabilities.ts';

const name = z.string().min(1).max(300);
const text = z.string().max(1_000).nullable();
const instant = instantOnWire();

const Money = z.object({
  amount: z
    .int()
    .min(0)
    .max(MAX_CENTS * 100),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

/** How a payment was made. The first of these words says the most about where a referral can be named. */
export const PAYMENT_WAYS = ['payment_link', 'checkout', 'subscription', 'invoice'] as const;
export type PaymentWay = (typeof PAYMENT_WAYS)[number];

/** The paying customer, as far as the source knows. A guest has no id. */
const Payer = z.object({
  ids: z.array(name),
  /** The merchant's own id of the customer. */
  externalId: name.nullable(),
  email: text,
  name: text,
});
export type Payer = z.infer<typeof Payer>;

/** A value that may say who sent the customer: the id of a referral, the token of a link, or anything else that the merchant wrote there. */
const Reference = z.object({
  value: z.string().min(1).max(1_000),
  /**
   * `checkout`: the checkout was opened with the value. `metadata`: the merchant wrote it to another object. `renewal`: the provider copied it into a later
   * payment of a subscription, so that the token of a link in it is not a visit.
   */
  place: z.enum(['checkout', 'metadata', 'renewal']),
  /** False if the value is only a claim on the payer, whom the same object identifies (`PayerSeen`). */
  ofPayment: z.boolean(),
  /** Time at which the value was said. */
  at: instant,
});
export type Reference = z.infer<typeof Reference>;

const SoldLine = z.object({
  product: z.string().max(255).nullable(),
  price: z.string().max(255).nullable(),
  name: z.string().max(255).nullish(),
  interval: z.enum(['day', 'week', 'month', 'year', 'one_time']).nullable(),
  quantity: z.int().min(1).max(1_000_000),
  /** Amount after the discounts of the line and without tax. Negative for a line that takes an earlier charge back. */
  amount_cents: z.int(),
});

/** Money that went back, or was asked back. `failed`: the merchant has kept the money after all. */
const RefundSeen = z.object({
  id: name,
  amount: z.int().min(0),
  at: instant,
  state: z.enum(['waiting', 'done', 'failed']),
  /** Time at which a refund failed that had been done before; otherwise null. */
  failedAt: instant.nullable(),
  /** Parts of the refund of which the tax is known, with that tax. */
  taxed: z.array(z.object({ amount: z.int().min(0), tax: Money })),
  /** Amounts without tax that are taken back from products, if the refund names any. */
  lines: z.array(z.object({ product: z.string().max(255).nullable(), amount: z.int().min(0) })),
});
export type RefundSeen = z.infer<typeof RefundSeen>;

const DisputeSeen = z.object({
  id: name,
  amount: z.int().min(0),
  at: instant,
  /** `won` includes every end that takes no money from the merchant. */
  outcome: z.enum(['open', 'won', 'lost']),
});
export type DisputeSeen = z.infer<typeof DisputeSeen>;

/** Everything that a source knows of one payment at this moment. */
export const PaymentSeen = z.object({
  kind: z.literal('payment'),
  source: name,
  /** Null for a source without connections, such as the merchant's reports. */
  connectionId: name.nullable(),
  mode: z.enum(['live', 'test']),
  /** Names of this payment alone, each with its kind in front: `charge:ch_1`, `txn_1`, `order:7`. Any of them finds the payment again. */
  names: z.array(name),
  /** The name of an invoice or order that several payments may pay, and the number of its known payments. */
  group: z.object({ name, payments: z.int().min(1) }).nullable(),
  payer: Payer,
  /**
   * The part of the payment from which anybody may earn, such as goods without shipping. Null if the payment is known by name only, because nothing was
   * taken yet. A tax in another currency than the amount is ignored. Refunds and disputes are those of this part.
   */
  charged: z.object({ amount: Money, tax: Money.nullable(), at: instant }).nullable(),
  /** All lines that were sold. Empty if they are not known. */
  lines: z.array(SoldLine),
  references: z.array(Reference),
  /** The promotion codes that were redeemed: the provider's id or, if it is unknown, the text that the customer typed. */
  codes: z.array(z.object({ id: name.nullable(), text: name.nullable(), at: instant.nullable() })),
  way: z.enum(PAYMENT_WAYS).nullable(),
  /** True if the merchant said with the payment that nobody earns from it. */
  excluded: z.boolean(),
  /** True if the customer paid outside the provider, which only keeps the books. */
  paidOutside: z.boolean(),
  refunds: z.array(RefundSeen),
  disputes: z.array(DisputeSeen),
  subscription: z.object({ id: name, trialUntil: instant.nullable() }).nullable(),
  description: text,
  /** A time or a rising number of the source, as a text. A snapshot with a smaller version is older and changes nothing. */
  version: z.string().min(1),
});
export type PaymentSeen = z.infer<typeof PaymentSeen>;

/** Facts of a source about a payer, apart from a payment: who they are, who sent them, and whether anybody may earn from them. */
export const PayerSeen = z.object({
  kind: z.literal('payer'),
  source: name,
  connectionId: name.nullable(),
  mode: z.enum(['live', 'test']),
  payer: Payer,
  /**
   * The origin of the facts: the provider's record of them, a completed checkout, or the metadata and discounts of another object, which matter only
   * if they say something new about the payer.
   */
  place: z.enum(['record', 'checkout', 'metadata']),
  /** The address that the current one replaced. */
  formerEmail: text,
  /**
   * References to the affiliate who sent the payer. `from`: the time from which a claim counts; null for the visit of the referral. `at`: when the claim was
   * made.
   */
  references: z.array(
    z.object({ value: z.string().min(1), place: Reference.shape.place, from: instant.nullable(), at: instant }),
  ),
  /** Codes that were redeemed without a payment. Codes with the same `source` were redeemed together. */
  redemptions: z.array(z.object({ id: name, at: instant, source: name })),
  /** `excluded`: the record of the payer says that nobody earns from them. `isNew`: this has just changed. */
  exclusion: z.object({ excluded: z.boolean(), isNew: z.boolean() }).nullable(),
  at: instant,
});
export type PayerSeen = z.infer<typeof PayerSeen>;

/** A subscription of a payer, with its free period before the first payment. */
export const SubscriptionSeen = z.object({
  kind: z.literal('subscription'),
  source: name,
  connectionId: name.nullable(),
  mode: z.enum(['live', 'test']),
  payer: Payer,
  id: name,
  /** Null if the subscription has no trial any more. */
  trialUntil: instant.nullable(),
  at: instant,
});
export type SubscriptionSeen = z.infer<typeof SubscriptionSeen>;

/** The state of a promotion code at the provider. */
export interface CodeSeen {
  kind: 'code';
  connectionId: string | null;
  code: ProviderPromotionCode;
  at: string;
}

/** The provider will soon refuse the key of the connection. */
export interface KeyExpirySeen {
  kind: 'key expiry';
  connectionId: string;
  expiresAt: Instant;
}

/** A fact that a source tells. */
export type Seen = PaymentSeen | PayerSeen | SubscriptionSeen | CodeSeen | KeyExpirySeen;
