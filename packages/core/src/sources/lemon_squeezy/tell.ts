/**
 * Reads the events and objects of Lemon Squeezy, and tells an order with the invoices of its subscription as snapshots of payments. Amounts are integers
 * in cents, also in US dollars (`_usd`).
 */
import { z } from 'zod';
import { minorUnitDigits } from '../../platform/money/money.ts';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { amount, currency, eventOf, optionalTime, parseMessage, text, time, withEventId } from '../port/read-message.ts';
import type { RefundSeen, Seen } from '../port/seen.ts';
import { type CustomData, readCustomData, wholePayment } from '../port/whole-payment.ts';

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
type Order = z.infer<typeof RESOURCES.orders>;
export type Invoice = z.infer<(typeof RESOURCES)['subscription-invoices']>;
export type Subscription = z.infer<typeof RESOURCES.subscriptions>;
type OrderItem = z.infer<(typeof RESOURCES)['order-items']>;

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
const Message = z.looseObject({
  meta: z.looseObject({ event_name: z.string().min(1).max(100), custom_data: z.unknown().optional() }),
  data: z.looseObject({ type: z.string().max(100), id, attributes: z.looseObject({ updated_at: time }) }),
});

/** The part of an order, an invoice or a subscription that leads to its payment. */
const OfPayment = z.object({
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

/** The types that may contain something of use. Lemon Squeezy has no events about disputes: it refunds. */
export const EVENT_TYPES = [
  'order_created',
  'order_refunded',
  'subscription_created',
  'subscription_updated',
  'subscription_payment_success',
  'subscription_payment_recovered',
  'subscription_payment_refunded',
];

/** An order, or a later invoice of its subscription, with all that belongs to it. */
export interface WholePayment {
  orderId: string;
  /** Null for a later invoice. */
  order: Order | null;
  /** The first invoices of the order's subscriptions, or the later one. */
  invoices: readonly Invoice[];
  subscription: Subscription | null;
  items: readonly OrderItem[];
  codes: readonly string[];
}

/** The kind of object that is paid. */
export type Kind = 'orders' | 'subscription-invoices';

export interface LemonSqueezyEvent extends SourceEvent {
  /** The order or the invoice of a subscription that the event is about; null for another event. */
  about: { kind: Kind; id: string } | null;
  /** The custom data of the checkout. Only deliveries state them. */
  custom: CustomData;
  /** The payment as a whole, once it has been read, and the time of that. */
  read: { payment: WholePayment; at: string } | null;
}

/**
 * Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`.
 *
 * @param mode mode of an event that does not state its own
 */
export function readMessage(body: string, mode: ProviderMode): LemonSqueezyEvent {
  const told = parseMessage('Lemon Squeezy', Message, body);
  const { meta, data } = told;
  const { event_name: type, custom_data } = meta;
  const { updated_at: at } = data.attributes;
  const { success, data: of } = OfPayment.safeParse(data.attributes);
  // Deliveries have no id. The same state with the same custom data is the same event, also if a list has told it.
  const state = success ? [data.type, data.id, at, of.status, of.refunded_amount, custom_data ?? null] : [type, data];
  const payload = withEventId(told, state);
  const ownMode = success ? (of.test_mode ? 'test' : 'live') : mode;
  const event = { id: payload.affiliate_event_id, type, at, mode: ownMode, payload } as const;
  const custom = readCustomData(custom_data);
  return eventOf<LemonSqueezyEvent>(event, EVENT_TYPES, { about: null, custom, read: null }, () => {
    const about = success ? subjectOf(data.type, data.id, of.order_id ?? null) : null;
    if (!success || about === null) return null;
    const payer = { id: of.customer_id, externalId: custom.externalId, email: of.user_email, formerEmail: null };
    return { about, payer };
  });
}

/** A subscription leads to its order. */
function subjectOf(type: string, id: string, orderId: string | null): LemonSqueezyEvent['about'] {
  if (type === 'orders' || type === 'subscription-invoices') return { kind: type, id };
  return type === 'subscriptions' && orderId !== null ? { kind: 'orders', id: orderId } : null;
}

/** Returns an event about an order or invoice that was found in a list. */
export function polledEvent(kind: Kind, id: string, attributes: object, mode: ProviderMode) {
  const type = kind === 'orders' ? 'order_created' : 'subscription_payment_success';
  return readMessage(JSON.stringify({ meta: { event_name: type }, data: { type: kind, id, attributes } }), mode);
}

export const LEMON_SQUEEZY = 'lemon_squeezy';

interface Told {
  connectionId: string;
  mode: ProviderMode;
  /** Time at which the payment was read. Not every change is sure to move the time of its object. */
  readAt: string;
}

const PAID = new Set(['paid', 'refunded', 'partial_refund', 'fraudulent']);

/** Returns what a payment says of its payer and itself. */
export function paymentsSeen(told: Told, whole: WholePayment, custom: CustomData): Seen[] {
  const { order, invoices } = whole;
  const later = invoices
    .filter((invoice) => !isPartOf(invoice, order))
    .flatMap((invoice) => invoiceSeen(told, invoice, whole, custom));
  return order === null ? later : [...orderSeen(told, order, whole, custom), ...later];
}

/**
 * The first invoice of a subscription is the payment of its order again. After a free trial, it is a payment of its own: the order was free.
 */
function isPartOf({ billing_reason, total }: Invoice, order: Order | null): boolean {
  return order !== null && billing_reason === 'initial' && (order.total > 0 || total === 0);
}

function orderSeen(told: Told, order: Order, whole: WholePayment, custom: CustomData): Seen[] {
  const { subscription, items, codes } = whole;
  const same = whole.invoices.filter((invoice) => isPartOf(invoice, order));
  const [item, ...more] = items;
  const product = item && more.length === 0 && { product: item.product_id, price: item.price_id, name: item.product_name };
  const interval = subscription === null ? ('one_time' as const) : null;
  const payment = seen(told, [order, ...same], custom);
  const trialUntil = subscription?.status === 'on_trial' ? subscription.trial_ends_at : null;
  return wholePayment({
    ...payment,
    names: [`order:${order.id}`, ...same.map((invoice) => `subinv:${invoice.id}`)],
    lines: product ? [{ ...product, interval, quantity: Math.max(1, item.quantity), amount_cents: net(payment) }] : [],
    isRenewal: false,
    codes,
    subscription: subscription && { id: subscription.id, trialUntil },
  });
}

/** A renewal keeps the custom data of its checkout. */
function invoiceSeen(told: Told, invoice: Invoice, { subscription }: WholePayment, custom: CustomData): Seen[] {
  const payment = seen(told, [invoice], custom);
  const quantity = Math.max(1, subscription?.first_subscription_item?.quantity ?? 1);
  const price = subscription?.first_subscription_item?.price_id ?? null;
  const line = { price, interval: null, quantity, amount_cents: net(payment) };
  return wholePayment({
    ...payment,
    names: [`subinv:${invoice.id}`],
    lines: subscription ? [{ product: subscription.product_id, name: subscription.product_name, ...line }] : [],
    isRenewal: true,
    codes: [],
    subscription: { id: invoice.subscription_id, trialUntil: null },
  });
}

/** Returns what all of the records of a payment say. Its amounts are those of the first one. */
function seen(
  { connectionId, mode, readAt: version }: Told,
  records: readonly [Order | Invoice, ...Invoice[]],
  { referrals, externalId, excluded }: CustomData,
) {
  const [{ customer_id, user_email: email, user_name: name, created_at: at }] = records;
  const { total, tax, currency } = amountsOf(records[0]);
  const money = (amount: number) => ({ amount, currency });
  const isPaid = records.some(({ status }) => PAID.has(status));
  return {
    source: LEMON_SQUEEZY,
    connectionId,
    mode,
    payer: { ids: [customer_id], externalId, email, name },
    charged: isPaid ? { amount: money(total), tax: money(Math.min(tax, total)), at } : null,
    referrals,
    saidAt: at,
    excluded,
    refunds: refundsOf(records),
    disputes: [],
    version,
  };
}

function net({ charged }: ReturnType<typeof seen>): number {
  return charged === null ? 0 : charged.amount.amount - charged.tax.amount;
}

/** Lemon Squeezy’s unit of currencies without two decimals is unknown. Payments in them are told in US dollars. */
function amountsOf({ currency, ...of }: Order | Invoice) {
  if (minorUnitDigits(currency) === 2) return { currency, total: of.total, tax: of.tax, refunded: of.refunded_amount };
  return { currency: 'USD', total: of.total_usd, tax: of.tax_usd, refunded: of.refunded_amount_usd };
}

/**
 * All refunds of a payment are one sum. A refund of a first payment may be told with the order, with the invoice, or with both, so that the larger sum
 * counts.
 */
function refundsOf(records: readonly (Order | Invoice)[]): RefundSeen[] {
  const sums = records.map((record) => {
    const { total, refunded } = amountsOf(record);
    const isWhole = record.status === 'refunded' || record.refunded === true;
    const amount = refunded || (isWhole && record.status !== 'partial_refund' ? total : 0);
    return { amount: Math.min(amount, total), at: record.refunded_at ?? record.updated_at };
  });
  const { amount, at } = sums.reduce((most, each) => (each.amount > most.amount ? each : most));
  if (amount === 0) return [];
  return [{ id: 'refunded', amount, at, state: 'done', failedAt: null, taxed: [], lines: [] }];
}
