/** The parts of Polar's objects that this service reads. Amounts are integers in Polar's smallest unit of the currency. */
import { z } from 'zod';
import { amount, currency, id, optionalId, optionalTime, text, time } from '../port/provider-values.ts';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
const changed = { created_at: time, modified_at: optionalTime };

export const Customer = z.object({ id, external_id: optionalId, email: text, name: text, metadata: z.unknown() });
export type Customer = z.infer<typeof Customer>;

export const Order = z.object({
  ...changed,
  id,
  paid: z.boolean(),
  net_amount: amount,
  tax_amount: amount,
  total_amount: amount,
  currency,
  billing_reason: z.string(),
  customer_id: id,
  product_id: optionalId,
  subscription_id: optionalId,
  metadata: z.unknown(),
  customer: Customer.nullish(),
  product: z.object({ name: text }).nullish(),
  discount: z.object({ code: text }).nullish().catch(null),
  subscription: z
    .object({ recurring_interval: z.enum(INTERVALS) })
    .nullish()
    .catch(null),
  items: z.array(z.object({ product_price_id: optionalId })).catch([]),
});
export type Order = z.infer<typeof Order>;

export const Refund = z.object({
  ...changed,
  id,
  status: z.string(),
  amount: amount.min(0),
  tax_amount: amount.min(0),
  order_id: id,
  dispute: z.object({ id }).nullish(),
});
export type Refund = z.infer<typeof Refund>;

export const Dispute = z.object({
  ...changed,
  id,
  status: z.string(),
  amount: amount.min(0),
  tax_amount: amount.min(0),
  order_id: id,
});
export type Dispute = z.infer<typeof Dispute>;

export const Subscription = z.object({
  ...changed,
  id,
  status: z.string(),
  trial_end: optionalTime,
  customer_id: id,
  metadata: z.unknown(),
  customer: Customer.nullish(),
});
export type Subscription = z.infer<typeof Subscription>;

export const Message = z.looseObject({ type: z.string().max(100), timestamp: time, data: z.looseObject({}) });

/** The entity of an event, by the kind in front of its type. */
export const ENTITIES = {
  order: z.object({ id, customer_id: optionalId, customer: Customer.nullish().catch(null) }),
  refund: z.object({ order_id: id, customer_id: optionalId }),
  customer: Customer,
  subscription: Subscription,
} as const;

/** A product with its prices. */
export const Product = z.object({
  id,
  name: text,
  is_archived: z.boolean(),
  recurring_interval: z.enum(INTERVALS).nullish().catch(null),
  prices: z.array(
    z.object({
      id,
      is_archived: z.boolean(),
      /** Missing if the customer chooses the amount, or the price is free or metered. */
      price_amount: amount.nullish(),
      price_currency: currency,
    }),
  ),
});
export type Product = z.infer<typeof Product>;

export const Organization = z.object({ id, name: text });

export const Endpoint = z.object({
  id,
  url: z.string(),
  name: z.string().nullish(),
  api_version: z.string().nullish(),
  secret: z.string().min(1),
  events: z.array(z.string()),
  enabled: z.boolean(),
});

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), pagination: z.object({ max_page: z.int() }) });
}
