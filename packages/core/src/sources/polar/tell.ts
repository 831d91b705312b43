/**
 * Reads the events and objects of Polar, and tells an order with its refunds and disputes as a snapshot of a payment. Amounts are integers in Polar's
 * smallest unit of the currency.
 */
import { z } from 'zod';
import type { EventPayer, ProviderMode, SourceEvent } from '../port/port.ts';
import {
  amount,
  currency,
  eventOf,
  id,
  optionalId,
  optionalTime,
  parseMessage,
  text,
  time,
  toMinorUnits,
  withEventId,
} from '../port/read-message.ts';
import type { DisputeSeen, Payer, PaymentSeen, RefundSeen, Seen } from '../port/seen.ts';
import { type Origin, readCustomData, recordSeen, subscriptionTold, wholePayment } from '../port/whole-payment.ts';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
const changed = { created_at: time, modified_at: optionalTime };

const Customer = z.object({ id, external_id: optionalId, email: text, name: text, metadata: z.unknown() });
type Customer = z.infer<typeof Customer>;

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
type Subscription = z.infer<typeof Subscription>;

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

interface WholeOrder {
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
      return { orderId: id, payer: customer ? eventPayerOf(customer) : named(customer_id) };
    }
    case 'refund': {
      const { order_id, customer_id } = data as { order_id: string; customer_id: string | null };
      return { orderId: order_id, payer: named(customer_id) };
    }
    case 'customer': {
      const customer = data as Customer;
      return { customer, payer: eventPayerOf(customer) };
    }
    default: {
      const subscription = data as Subscription;
      const { externalId } = readCustomData(subscription.metadata);
      const payer = subscription.customer
        ? eventPayerOf(subscription.customer)
        : { ...named(subscription.customer_id), externalId };
      return { subscription, payer };
    }
  }
}

export function eventPayerOf({ id, external_id: externalId, email }: Customer): EventPayer {
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

export const POLAR = 'polar';

/** Currencies without decimals at Polar. All others have two there. */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));

/** Converts an amount of Polar to the ISO 4217 minor unit of its currency. */
export function minorUnitsAtPolar(amount: number, currency: string): number {
  return toMinorUnits(amount, currency, WITHOUT_DECIMALS.has(currency) ? 0 : 2);
}

/** Returns what an order says of its payment and payer. */
export function orderSeen(told: Origin, { order, refunds, disputes }: WholeOrder): Seen[] {
  const { id, currency, paid, metadata, subscription_id, created_at: at, billing_reason } = order;
  const minor = (amount: number) => minorUnitsAtPolar(Math.max(0, amount), currency);
  const money = (amount: number) => ({ amount: minor(amount), currency });
  const { referrals, excluded, externalId } = readCustomData(metadata);
  return wholePayment({
    ...told,
    names: [`order:${id}`],
    payer: payerOf(order, externalId),
    charged: paid ? { amount: money(order.total_amount), tax: money(order.tax_amount), at } : null,
    lines: linesOf(order, minor),
    referrals,
    saidAt: at,
    isRenewal: billing_reason !== 'purchase' && billing_reason !== 'subscription_create',
    codes: [order.discount?.code ?? null],
    excluded,
    refunds: refunds.map((refund) => refundOf(refund, minor, currency)),
    disputes: disputes.map((dispute) => disputeOf(dispute, refunds, minor)),
    subscription: subscription_id === null ? null : { id: subscription_id, trialUntil: null },
    version: [order, ...refunds, ...disputes].map(changedAt).reduce((last, time) => (time > last ? time : last)),
  });
}

export function changedAt({ created_at, modified_at }: { created_at: string; modified_at: string | null }): string {
  return modified_at ?? created_at;
}

/** An order is for one product. Its discount is not split by its items, so that the order is one line. */
function linesOf(order: Order, minor: (amount: number) => number): PaymentSeen['lines'] {
  const { product_id, product, items, subscription, net_amount } = order;
  if (product_id === null) return [];
  return [
    {
      product: product_id,
      price: items[0]?.product_price_id ?? null,
      name: product?.name ?? null,
      interval: subscription?.recurring_interval ?? 'one_time',
      quantity: 1,
      amount_cents: minor(net_amount),
    },
  ];
}

/** The amount of a refund is without tax. */
function refundOf(refund: Refund, minor: (amount: number) => number, currency: string): RefundSeen {
  const { id, status, amount, tax_amount, created_at: at } = refund;
  const state = status === 'succeeded' ? 'done' : status === 'pending' ? 'waiting' : 'failed';
  const gross = minor(amount + tax_amount);
  return {
    id,
    amount: gross,
    at,
    state,
    failedAt: null,
    taxed: [{ amount: gross, tax: { amount: minor(tax_amount), currency } }],
    lines: [],
  };
}

/** A dispute that was prevented by a refund, or refunded when it was lost, takes nothing beside the refund. */
function disputeOf(dispute: Dispute, refunds: readonly Refund[], minor: (amount: number) => number): DisputeSeen {
  const { id, status, amount, tax_amount, created_at: at } = dispute;
  const isRefunded = refunds.some((refund) => refund.dispute?.id === id && refund.status === 'succeeded');
  const isLost = status === 'lost' && !isRefunded;
  const isOver = status === 'won' || status === 'prevented' || isRefunded;
  return { id, amount: minor(amount + tax_amount), at, outcome: isLost ? 'lost' : isOver ? 'won' : 'open' };
}

function payerOf({ customer, customer_id }: Pick<Order, 'customer' | 'customer_id'>, ownId: string | null): Payer {
  const { external_id = null, email = null, name = null } = customer ?? {};
  return { ids: [customer?.id ?? customer_id], externalId: external_id ?? ownId, email, name };
}

/** Returns what the record of a customer says. */
export function customerSeen(told: Origin, customer: Customer, at: string): Seen {
  return recordSeen(told, payerOf({ customer, customer_id: customer.id }, null), at);
}

/** Returns what a subscription says: its trial, and who sent its customer. */
export function subscriptionSeen(told: Origin, subscription: Subscription, at: string): Seen[] {
  const { id, status, trial_end, metadata, created_at } = subscription;
  const { referrals, externalId } = readCustomData(metadata);
  const trialUntil = status === 'trialing' ? trial_end : null;
  return subscriptionTold({ ...told, payer: payerOf(subscription, externalId), id, trialUntil, at }, referrals, created_at);
}
