/** The parts of Paddle's objects that this service reads. Amounts are texts in the minor unit of the currency. */
import { z } from 'zod';
import { amountText as amount, currency, id, optionalId, optionalTime, text, time } from '../port/provider-values.ts';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;

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
        price: z
          .object({
            id,
            billing_cycle: z
              .object({ interval: z.enum(INTERVALS) })
              .nullish()
              .catch(null),
          })
          .nullish()
          .catch(null),
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
export type ApiKey = z.infer<typeof ApiKey>;

/** A notification. `data` is the whole entity, without the records that it refers to. */
export const Notification = z.object({
  event_id: id,
  event_type: z.string().max(100),
  occurred_at: time,
  data: z.looseObject({}),
});

/** The entity of a notification, by the kind in front of its type. */
export const ENTITIES = {
  transaction: z.object({ id, customer_id: optionalId, custom_data: z.unknown() }),
  adjustment: Adjustment.pick({ transaction_id: true }).extend({ customer_id: optionalId }),
  customer: Customer,
  subscription: Subscription,
  api_key: ApiKey,
} as const;

/** A page of a list. */
/** A price with its product, if it was asked for and may be read. */
export const Price = z.object({
  id,
  name: text,
  description: text,
  product_id: id,
  status: z.string(),
  billing_cycle: z
    .object({ interval: z.enum(INTERVALS) })
    .nullish()
    .catch(null),
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
