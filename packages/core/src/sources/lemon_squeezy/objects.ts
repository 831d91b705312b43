/** The parts of Lemon Squeezy's objects that this service reads. Amounts are integers in cents, also in US dollars (`_usd`). */
import { z } from 'zod';
import { amount, currency, optionalTime, text, time } from '../port/provider-values.ts';

/** Ids are numbers in attributes, and texts elsewhere. */
const id = z
  .union([z.int().min(1), z.string().regex(/^\d{1,18}$/)])
  .transform(String)
  .pipe(z.string().min(1));
const cents = amount.min(0);

const Buyer = { store_id: id, customer_id: id, user_name: text, user_email: text, test_mode: z.boolean() };
const Paid = {
  currency,
  status: z.string(),
  total: cents,
  tax: cents,
  total_usd: cents,
  tax_usd: cents,
  refunded: z.boolean().nullish(),
  refunded_amount: cents.nullish(),
  refunded_amount_usd: cents.nullish(),
  refunded_at: optionalTime,
  created_at: time,
  updated_at: time,
};

/** Returns an object of JSON:API as its id and its attributes. */
const flat = <Attributes>(of: { id: string; attributes: Attributes }) => ({ ...of.attributes, id: of.id });

export const RESOURCES = {
  orders: z.object({ id, attributes: z.object({ ...Buyer, ...Paid }) }).transform(flat),
  /** `billing_reason`: `initial`, `renewal` or `updated`. */
  'subscription-invoices': z
    .object({ id, attributes: z.object({ ...Buyer, ...Paid, subscription_id: id, billing_reason: z.string() }) })
    .transform(flat),
  subscriptions: z
    .object({
      id,
      attributes: z.object({
        order_id: id,
        product_id: id,
        product_name: text,
        status: z.string(),
        trial_ends_at: optionalTime,
        first_subscription_item: z.object({ price_id: id, quantity: z.int().nullish() }).nullish().catch(null),
      }),
    })
    .transform(flat),
  'order-items': z
    .object({ id, attributes: z.object({ product_id: id, price_id: id, product_name: text, quantity: z.int() }) })
    .transform(flat),
  'discount-redemptions': z.object({ id, attributes: z.object({ discount_code: text }) }).transform(flat),
};
export type Order = z.infer<typeof RESOURCES.orders>;
export type Invoice = z.infer<(typeof RESOURCES)['subscription-invoices']>;
export type Subscription = z.infer<typeof RESOURCES.subscriptions>;
export type Item = z.infer<(typeof RESOURCES)['order-items']>;

/** An answer with one object and those that it includes. */
export const Answer = z.object({
  data: z.unknown(),
  included: z
    .array(z.looseObject({ type: z.string() }))
    .nullish()
    .transform((all) => all ?? []),
});

export const Page = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

/** A delivery, or a payload that was stored, which has the id of its event. */
export const Message = z.looseObject({
  meta: z.looseObject({ event_name: z.string().min(1).max(100), custom_data: z.unknown().optional() }),
  data: z.looseObject({ type: z.string().max(100), id, attributes: z.looseObject({ updated_at: time }) }),
});

/** The part of an order, an invoice or a subscription that leads to its payment. */
export const OfPayment = z.object({
  customer_id: id,
  user_email: text,
  order_id: id.nullish(),
  status: z.string(),
  refunded_amount: cents.nullish(),
  test_mode: z.boolean(),
});

export const User = z.object({ meta: z.object({ test_mode: z.boolean().nullish() }).nullish() });
export const Store = z.object({
  data: z.object({ id, attributes: z.object({ name: text, country: text, currency: text }) }),
});

export const Endpoint = z.object({ id, attributes: z.object({ url: z.string(), events: z.array(z.string()) }) }).transform(flat);
export type Endpoint = z.infer<typeof Endpoint>;
