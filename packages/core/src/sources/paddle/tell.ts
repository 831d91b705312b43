/**
 * Reads the notifications and objects of Paddle, and tells a transaction with its adjustments as a snapshot of a payment. Amounts are texts in the minor
 * unit of the currency.
 */
import { z } from 'zod';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import {
  amountText as amount,
  currency,
  eventOf,
  id,
  optionalId,
  optionalTime,
  parseMessage,
  text,
  time,
} from '../port/read-message.ts';
import type { DisputeSeen, Payer, PaymentSeen, RefundSeen, Seen } from '../port/seen.ts';
import { type Origin, readCustomData, recordSeen, subscriptionTold, wholePayment } from '../port/whole-payment.ts';

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
type Adjustment = z.infer<typeof Adjustment>;

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
type Customer = z.infer<typeof Customer>;

const Subscription = z.object({
  id,
  status: z.string(),
  customer_id: id,
  custom_data: z.unknown(),
  items: z.array(z.object({ trial_dates: z.object({ ends_at: time }).nullish().catch(null) })).catch([]),
  started_at: optionalTime,
  created_at: time,
});
type Subscription = z.infer<typeof Subscription>;

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

export const PADDLE = 'paddle';

/** Returns what a transaction says of its payment and payer. Nothing was charged before Paddle has completed it. */
export function transactionSeen(told: Origin, transaction: Transaction): Seen[] {
  const { id, status, currency_code: currency, custom_data, subscription_id, created_at, details } = transaction;
  const { referrals, excluded } = readCustomData(custom_data);
  const adjustments = transaction.adjustments ?? [];
  const money = (amount: number) => ({ amount: Math.max(0, amount), currency });
  const totals = status === 'completed' ? (details?.totals ?? null) : null;
  const paidAt = transaction.payments.find((payment) => payment.status === 'captured' && payment.captured_at)?.captured_at;
  return wholePayment({
    ...told,
    names: [`transaction:${id}`],
    payer: payerOf(transaction),
    charged: totals && {
      amount: money(totals.total),
      tax: money(totals.tax),
      at: paidAt ?? transaction.billed_at ?? created_at,
    },
    lines: linesOf(transaction),
    referrals,
    saidAt: created_at,
    isRenewal: transaction.origin?.startsWith('subscription_') === true,
    codes: [transaction.discount?.code ?? null],
    excluded,
    refunds: adjustments.flatMap((adjustment) => refundOf(transaction, adjustment, currency)),
    disputes: disputesOf(adjustments),
    subscription: subscription_id === null ? null : { id: subscription_id, trialUntil: null },
    version: versionOf(transaction),
  });
}

/** Returns the time of the last change. A change of an adjustment does not change the transaction. */
function versionOf({ updated_at, adjustments }: Transaction): string {
  return [updated_at, ...(adjustments ?? []).map((each) => each.updated_at ?? each.created_at)].reduce((last, at) =>
    at > last ? at : last,
  );
}

function payerOf({ customer_id, custom_data, customer }: Transaction): Payer {
  const { externalId } = readCustomData(custom_data);
  const { email = null, name = null } = customer ?? {};
  return { ids: customer_id === null ? [] : [customer_id], externalId, email, name };
}

function linesOf({ details, items }: Transaction): PaymentSeen['lines'] {
  return (details?.line_items ?? []).flatMap(({ price_id, quantity, totals, product }) => {
    if (!totals) return [];
    const price = items.find((item) => item.price?.id === price_id)?.price;
    return [
      {
        product: product?.id ?? null,
        price: price_id,
        name: product?.name ?? null,
        interval: price ? (price.billing_cycle?.interval ?? 'one_time') : null,
        quantity: Math.max(1, Math.trunc(quantity)),
        amount_cents: totals.subtotal - totals.discount,
      },
    ];
  });
}

/** A refund that Paddle rejects was never paid. One that turns `reversed` had been. */
const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  pending_approval: 'waiting',
  approved: 'done',
  rejected: 'failed',
  reversed: 'failed',
};

function refundOf({ details }: Transaction, adjustment: Adjustment, currency: string): RefundSeen[] {
  const { id, action, status, totals, items, created_at: at, updated_at } = adjustment;
  const state = REFUND_STATES[status];
  if (action !== 'refund' || !totals || state === undefined) return [];
  const lines = items.flatMap(({ item_id, totals: taken }) => {
    const sold = details?.line_items.find((line) => line.id === item_id);
    return sold && taken && taken.subtotal >= 0 ? [{ product: sold.product?.id ?? null, amount: taken.subtotal }] : [];
  });
  const amount = Math.abs(totals.total);
  return [
    {
      id,
      amount,
      at,
      state,
      failedAt: status === 'reversed' ? (updated_at ?? at) : null,
      taxed: [{ amount, tax: { amount: Math.abs(totals.tax), currency } }],
      lines: lines.length === items.length ? lines : [],
    },
  ];
}

/**
 * A warning is an open dispute. A chargeback has taken the money, until it is reversed: it then turns `reversed`, and has an adjustment of its own, of
 * which either may become known first.
 */
function disputesOf(adjustments: readonly Adjustment[]): DisputeSeen[] {
  const of = (action: string) =>
    adjustments.filter((each) => each.action === action && each.status !== 'rejected' && each.totals).toSorted(byTime);
  const ended = (action: string) => of(action).length;
  const seen = (action: string, taken: 'open' | 'lost') =>
    of(action).map(({ id, status, totals, created_at: at }, place): DisputeSeen => {
      const isWon = status === 'reversed' || place < ended(`${action}_reverse`);
      return { id, amount: Math.abs(totals!.total), at, outcome: isWon ? 'won' : taken };
    });
  const chargebacks = seen('chargeback', 'lost');
  // The chargeback has taken the place of its warning.
  return chargebacks.length > 0 ? chargebacks : seen('chargeback_warning', 'open');
}

function byTime(a: Adjustment, b: Adjustment): number {
  return a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? -1 : 1;
}

/** Returns what the record of a customer says. */
export function customerSeen(told: Origin, { id, email, name, custom_data }: Customer, at: string): Seen {
  const { externalId } = readCustomData(custom_data);
  return recordSeen(told, { ids: [id], externalId, email, name }, at);
}

/** Returns what a subscription says: its trial, and who sent its customer. */
export function subscriptionSeen(told: Origin, subscription: Subscription, at: string): Seen[] {
  const { id, status, customer_id, custom_data, items, created_at } = subscription;
  const { referrals, externalId } = readCustomData(custom_data);
  const payer: Payer = { ids: [customer_id], externalId, email: null, name: null };
  const ends = status === 'trialing' ? items.flatMap(({ trial_dates }) => trial_dates?.ends_at ?? []).toSorted() : [];
  return subscriptionTold({ ...told, payer, id, trialUntil: ends.at(-1) ?? null, at }, referrals, created_at);
}
