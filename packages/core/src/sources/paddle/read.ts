/** Reads notifications of Paddle, and the parts of its objects that this service needs. Amounts are texts in the minor unit of the currency. */
import { z } from 'zod';
import { readCustomData } from '../port/custom-data.ts';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { amountText as amount, currency, id, optionalId, optionalTime, text, time } from '../port/provider-values.ts';
import { eventOf, parseMessage } from '../port/read-message.ts';

const billingCycle = z
  .object({ interval: z.enum(['day', 'week', 'month', 'year']) })
  .nullish()
  .catch(null);

const Adjustment = z.object({
  id,
  action: z.string(),
  transaction_id: id,
  status: z.string(),
  items: z.array(z.object({ item_id: id, totals: z.object({ subtotal: amount, tax: amount, total: amount }).nullish() })),
  totals: z.object({ tax: amount, total: amount }).nullish(),
  created_at: time,
  updated_at: optionalTime,
});
export type Adjustment = z.infer<typeof Adjustment>;

/** A transaction with what was asked for with it: customer, discount and adjustments. */
export const Transaction = z.object({
  id,
  status: z.string(),
  origin: z.string().nullish(),
  customer_id: optionalId,
  subscription_id: optionalId,
  custom_data: z.unknown(),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  items: z
    .array(
      z.object({
        price: z.object({ id, billing_cycle: billingCycle }).nullish().catch(null),
      }),
    )
    .catch([]),
  details: z
    .object({
      totals: z.object({ tax: amount, total: amount }).nullish(),
      line_items: z.array(
        z.object({
          id,
          price_id: optionalId,
          quantity: z.number(),
          totals: z.object({ subtotal: amount, discount: amount }).nullish(),
          product: z.object({ id, name: text }).nullish(),
        }),
      ),
    })
    .nullish(),
  payments: z.array(z.object({ status: z.string(), captured_at: optionalTime })).catch([]),
  created_at: time,
  updated_at: time,
  billed_at: optionalTime,
  customer: z.object({ email: text, name: text }).nullish(),
  discount: z.object({ code: text }).nullish(),
  adjustments: z.array(Adjustment).nullish(),
});
export type Transaction = z.infer<typeof Transaction>;

const Customer = z.object({ id, email: text, name: text, custom_data: z.unknown() });
export type Customer = z.infer<typeof Customer>;

const Subscription = z.object({
  id,
  status: z.string(),
  customer_id: id,
  custom_data: z.unknown(),
  items: z.array(z.object({ trial_dates: z.object({ ends_at: time }).nullish().catch(null) })).catch([]),
  started_at: optionalTime,
  created_at: time,
});
export type Subscription = z.infer<typeof Subscription>;

/** An API key. The id is part of the key itself. */
const ApiKey = z.object({ id, expires_at: time });
type ApiKey = z.infer<typeof ApiKey>;

/** A notification. `data` is the whole entity, without the records that it refers to. */
const Notification = z.object({
  event_id: id,
  event_type: z.string().max(100),
  occurred_at: time,
  data: z.looseObject({}),
});

/** The entity of a notification, by the kind in front of its type. */
const ENTITIES = {
  transaction: z.object({ id, customer_id: optionalId, custom_data: z.unknown() }),
  adjustment: Adjustment.pick({ transaction_id: true }).extend({ customer_id: optionalId }),
  customer: Customer,
  subscription: Subscription,
  api_key: ApiKey,
} as const;

/** A price with its product, if it was asked for and may be read. */
export const Price = z.object({
  id,
  name: text,
  description: text,
  product_id: id,
  status: z.string(),
  billing_cycle: billingCycle,
  unit_price: z.object({ amount, currency_code: currency }),
  product: z.object({ name: text }).nullish(),
});
export type Price = z.infer<typeof Price>;

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    meta: z.object({ pagination: z.object({ next: z.string().nullish(), has_more: z.boolean() }).nullish() }).nullish(),
  });
}

export const ListedAdjustment = z.object({
  id,
  transaction_id: id,
  created_at: time,
  updated_at: time,
});

/** A destination of notifications. */
export const NotificationSetting = z.object({
  id,
  description: z.string(),
  destination: z.string(),
  active: z.boolean(),
  api_version: z.number(),
  subscribed_events: z.array(z.object({ name: z.string() })),
  /** Missing in lists, where nothing needs it. */
  endpoint_secret_key: z.string().min(1).optional(),
});

/** The types that may contain something of use. The others tell the same later. */
export const EVENT_TYPES = [
  'transaction.completed',
  'adjustment.created',
  'adjustment.updated',
  'customer.updated',
  'subscription.created',
  'subscription.trialing',
  'subscription.activated',
  'subscription.updated',
  'api_key.expiring',
];
/** Type of the events that the poller makes. */
const POLLED = 'transaction.updated';

export interface PaddleEvent extends SourceEvent {
  /** The transaction that the event is about; null for another event. */
  transactionId: string | null;
  /** The whole transaction, once it has been read. */
  transaction: Transaction | null;
  customer: Customer | null;
  subscription: Subscription | null;
  /** The key that expires soon. Null unless it is the key of the connection, once that has been compared. */
  apiKey: ApiKey | null;
}

const NOTHING = { transactionId: null, transaction: null, customer: null, subscription: null, apiKey: null };

/** Reads a notification, or the payload of a polled event. Throws `MalformedPspEventError`. */
export function readNotification(body: string, mode: ProviderMode): PaddleEvent {
  const told = parseMessage('Paddle', Notification, body);
  const { event_id: id, event_type: type, occurred_at: at, data } = told;
  return eventOf<PaddleEvent>({ id, type, at, mode, payload: told }, [...EVENT_TYPES, POLLED], NOTHING, () => {
    const kind = type.split('.')[0] as keyof typeof ENTITIES;
    const { success, data: entity } = ENTITIES[kind].safeParse(data);
    return success ? entityOf(kind, entity) : null;
  });
}

function entityOf(kind: keyof typeof ENTITIES, data: object): Partial<PaddleEvent> {
  const named = (id: string | null, email: string | null = null) => {
    const { externalId } = readCustomData('custom_data' in data ? data.custom_data : null);
    return { payer: { id, externalId, email, formerEmail: null } };
  };
  switch (kind) {
    case 'transaction': {
      const { id, customer_id } = data as { id: string; customer_id: string | null };
      return { transactionId: id, ...named(customer_id) };
    }
    case 'adjustment': {
      const { transaction_id, customer_id } = data as { transaction_id: string; customer_id: string | null };
      return { transactionId: transaction_id, ...named(customer_id) };
    }
    case 'customer': {
      const customer = data as Customer;
      return { customer, ...named(customer.id, customer.email) };
    }
    case 'api_key':
      return { apiKey: data as ApiKey };
    default: {
      const subscription = data as Subscription;
      return { subscription, ...named(subscription.customer_id) };
    }
  }
}

/** Returns an event about a change that was found in a list. */
export function polledEvent(
  type: string,
  id: string,
  at: string,
  mode: ProviderMode,
  transaction: Transaction | null,
): PaddleEvent {
  const told = { id, transaction_id: id, customer_id: transaction?.customer_id ?? null, custom_data: transaction?.custom_data };
  const payload = { event_id: `${id} ${at}`, event_type: type, occurred_at: at, data: told };
  return { ...readNotification(JSON.stringify(payload), mode), transactionId: id, transaction };
}
