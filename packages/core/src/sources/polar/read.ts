/** Reads events of Polar, and the parts of its objects that this service needs. Amounts are integers in Polar's smallest unit of the currency. */
import { z } from 'zod';
import { readCustomData } from '../port/custom-data.ts';
import type { EventPayer, ProviderMode, SourceEvent } from '../port/port.ts';
import { amount, currency, id, optionalId, optionalTime, text, time } from '../port/provider-values.ts';
import { eventOf, parseMessage, withEventId } from '../port/read-message.ts';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
const changed = { created_at: time, modified_at: optionalTime };

const Customer = z.object({ id, external_id: optionalId, email: text, name: text, metadata: z.unknown() });
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

export const Dispute = z.object({
  ...changed,
  id,
  status: z.string(),
  amount: amount.min(0),
  tax_amount: amount.min(0),
  order_id: id,
});
export type Dispute = z.infer<typeof Dispute>;

export const Refund = Dispute.extend({ dispute: z.object({ id }).nullish() });
export type Refund = z.infer<typeof Refund>;

const Subscription = z.object({
  ...changed,
  id,
  status: z.string(),
  trial_end: optionalTime,
  customer_id: id,
  metadata: z.unknown(),
  customer: Customer.nullish(),
});
export type Subscription = z.infer<typeof Subscription>;

const Message = z.looseObject({ type: z.string().max(100), timestamp: time, data: z.looseObject({}) });

/** The entity of an event, by the kind in front of its type. */
const ENTITIES = {
  order: z.object({ id, customer_id: optionalId, customer: Customer.nullish().catch(null) }),
  refund: z.object({ order_id: id, customer_id: optionalId }),
  customer: Customer,
  subscription: Subscription,
} as const;

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

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), pagination: z.object({ max_page: z.int() }) });
}

/** The types that may contain something of use. Polar has no events about disputes. */
export const EVENT_TYPES = [
  'order.paid',
  'order.updated',
  'order.refunded',
  'refund.created',
  'refund.updated',
  'customer.updated',
  'subscription.created',
  'subscription.active',
  'subscription.updated',
];

export interface WholeOrder {
  order: Order;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
}

export interface PolarEvent extends SourceEvent {
  /** The order that the event is about; null for another event. */
  orderId: string | null;
  /** The order with its refunds and disputes, once they have been read. */
  whole: WholeOrder | null;
  customer: Customer | null;
  subscription: Subscription | null;
}

const NOTHING = { orderId: null, whole: null, customer: null, subscription: null };

/** Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`. */
export function readMessage(body: string, mode: ProviderMode): PolarEvent {
  const told = parseMessage('Polar', Message, body);
  const { type, timestamp: at, data } = told;
  // The id of a delivery is in a header. Every attempt has the same content.
  const payload = withEventId(told, [type, at, data]);
  const event = { id: payload.affiliate_event_id, type, at, mode, payload };
  return eventOf<PolarEvent>(event, EVENT_TYPES, NOTHING, () => {
    const kind = type.split('.')[0] as keyof typeof ENTITIES;
    const { success, data: entity } = ENTITIES[kind].safeParse(data);
    return success ? entityOf(kind, entity) : null;
  });
}

function entityOf(kind: keyof typeof ENTITIES, data: object): Partial<PolarEvent> {
  switch (kind) {
    case 'order': {
      const { id, customer_id, customer } = data as { id: string; customer_id: string | null; customer?: Customer | null };
      return { orderId: id, payer: customer ? payerOf(customer) : named(customer_id) };
    }
    case 'refund': {
      const { order_id, customer_id } = data as { order_id: string; customer_id: string | null };
      return { orderId: order_id, payer: named(customer_id) };
    }
    case 'customer': {
      const customer = data as Customer;
      return { customer, payer: payerOf(customer) };
    }
    default: {
      const subscription = data as Subscription;
      const { externalId } = readCustomData(subscription.metadata);
      const payer = subscription.customer ? payerOf(subscription.customer) : { ...named(subscription.customer_id), externalId };
      return { subscription, payer };
    }
  }
}

export function payerOf({ id, external_id: externalId, email }: Customer): EventPayer {
  return { id, externalId, email, formerEmail: null };
}

function named(id: string | null): EventPayer {
  return { id, externalId: null, email: null, formerEmail: null };
}

/** Returns an event about an order that was found in a list. */
export function polledEvent(orderId: string, what: string, at: string, mode: ProviderMode): PolarEvent {
  const told = { type: 'order.updated', timestamp: at, data: { id: orderId }, affiliate_event_id: `${what} ${at}` };
  return readMessage(JSON.stringify(told), mode);
}
