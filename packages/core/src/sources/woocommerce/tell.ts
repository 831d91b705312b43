/**
 * Reads the events of WooCommerce, each of which is an order, and tells an order with its refunds as a snapshot of a payment. Amounts are decimal texts
 * in the unit of the currency.
 */
import { z } from 'zod';
import type { ConnectionSettings, ProviderMode, SourceEvent } from '../port/port.ts';
import {
  currency,
  decimal,
  decimalMinorUnits,
  eventOf,
  onlyFields,
  parseMessage,
  text,
  time,
  withEventId,
} from '../port/read-message.ts';
import type { Payer, RefundSeen, Seen } from '../port/seen.ts';
import { type CustomData, readCustomData, referralsInAddress, wholePayment } from '../port/whole-payment.ts';
import { type OrderRefund, refundsOfPart } from '../port/without-shipping.ts';

const id = z.int().min(0).transform(String);
/** Times in GMT have no time zone in their text. */
const gmt = z
  .string()
  .transform((value) => (/[zZ]$/.test(value) ? value : `${value}Z`))
  .pipe(time);

const Amounts = { total: decimal, total_tax: decimal };
/** Lines of a refund have negative amounts. */
const Lines = {
  line_items: z.array(z.object({ id, product_id: id, variation_id: id, name: text, quantity: z.number(), ...Amounts })),
  shipping_lines: z.array(z.object({ id, ...Amounts })),
  fee_lines: z.array(z.object({ id, name: text, ...Amounts })),
};

/** The part of an order by which a change of it is recognized. */
export const OrderState = z.looseObject({
  id,
  status: z.string().max(100),
  total: decimal,
  date_modified_gmt: gmt,
  refunds: z.array(z.object({ id, total: decimal })),
  customer_id: id,
  billing: z.object({ email: text }).nullish(),
});

export const Order = z.object({
  ...Lines,
  id,
  status: z.string(),
  currency,
  total: decimal,
  date_created_gmt: gmt,
  date_modified_gmt: gmt,
  date_paid_gmt: gmt.nullish(),
  created_via: text,
  /** `0` for a guest. */
  customer_id: id,
  billing: z.object({ email: text, first_name: text, last_name: text }),
  coupon_lines: z.array(z.object({ code: text })),
  refunds: z.array(z.object({ id })),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })),
});
export type Order = z.infer<typeof Order>;

export const Refund = z.object({ ...Lines, id, amount: decimal, date_created_gmt: gmt });
export type Refund = z.infer<typeof Refund>;

export const Webhook = z.object({
  id,
  name: z.string(),
  status: z.string(),
  topic: z.string(),
  delivery_url: z.string(),
});

export const Index = z.object({ name: text });
export const CurrentCurrency = z.object({ code: currency });

/** The topic that tells every change of an order, also of its payment and its refunds. */
export const EVENT_TYPES = ['order.updated'];

/** An order with all that belongs to it, and the merchant's choices when it was read. */
interface WholeOrder {
  order: Order;
  refunds: readonly Refund[];
  settings: ConnectionSettings;
}

export interface WooCommerceEvent extends SourceEvent {
  /** The order that the event is about; null for another event. */
  orderId: string | null;
  /** The order as it was found in a list, and the time of that; null if it has to be read. */
  listed: { order: Order; at: string } | null;
  /** The order with its refunds, once it has been read, and the time of that. */
  read: { whole: WholeOrder; at: string } | null;
}

/** Time of an event that is not an order. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/** The fields of an order that are stored as they are. */
const STORED = ['id', 'status', 'total', 'date_modified_gmt', 'customer_id', 'affiliate_event_id'];

const Message = z.looseObject({ id: z.int().min(1) });

/** Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`. */
export function readMessage(body: string, mode: ProviderMode): WooCommerceEvent {
  const told = parseMessage('WooCommerce', Message, body);
  const { success, data: order } = OrderState.safeParse(told);
  const { id, status, total, date_modified_gmt: at, refunds } = order ?? {};
  // The id of a delivery is in a header, and two deliveries within a second have the same one. The same state is the same event.
  const stored = {
    ...onlyFields(told, STORED),
    refunds: refunds?.map((refund) => ({ ...refund, id: Number(refund.id) })),
    billing: { email: order?.billing?.email ?? null },
  };
  const payload = withEventId(stored, success ? [id, status, total, at, refunds] : told);
  const event = { id: payload.affiliate_event_id, type: EVENT_TYPES[0]!, at: at ?? UNKNOWN_TIME, mode, payload };
  return eventOf<WooCommerceEvent>(event, EVENT_TYPES, { orderId: null, listed: null, read: null }, () => {
    if (!success) return null;
    const { customer_id, billing } = order;
    const payer = {
      id: customer_id === '0' ? null : customer_id,
      externalId: null,
      email: billing?.email ?? null,
      formerEmail: null,
    };
    return { orderId: order.id, payer };
  });
}

export const WOOCOMMERCE = 'woocommerce';

/** A paid order in this state waits, e.g. because its customer disputes the payment. */
const ON_HOLD = 'on-hold';
const CANCELLED = 'cancelled';
const BY_HAND = new Set(['admin', 'rest-api']);
const ATTRIBUTION = '_wc_order_attribution_';
const RENEWAL = '_subscription_renewal';

/**
 * Returns what an order says of its payment and payer.
 *
 * @param readAt time at which the order was read. The deletion of a refund does not change the time of its order
 */
export function orderSeen(connectionId: string, mode: ProviderMode, whole: WholeOrder, readAt: string): Seen[] {
  const { order, settings } = whole;
  const { id, currency, status, created_via, date_paid_gmt } = order;
  const at = date_paid_gmt ?? order.date_created_gmt;
  const renewed = metaOf(order, RENEWAL);
  const { referrals, externalId, excluded } = customDataOf(order);
  const { amount, tax, lines } = earning(whole);
  return wholePayment({
    source: WOOCOMMERCE,
    connectionId,
    mode,
    names: [`order:${id}`],
    payer: payerOf(order, externalId),
    charged: date_paid_gmt == null ? null : { amount: { amount, currency }, tax: { amount: tax, currency }, at },
    lines,
    referrals,
    saidAt: at,
    isRenewal: renewed !== null,
    codes: order.coupon_lines.map(({ code }) => code),
    excluded: excluded || (settings['manual_orders'] === 'exclude' && BY_HAND.has(created_via ?? '')),
    refunds: refundsOf(whole, amount),
    disputes: status === ON_HOLD ? [{ id: ON_HOLD, amount, at, outcome: 'open' }] : [],
    subscription: renewed === null ? null : { id: renewed, trialUntil: null },
    version: readAt,
  });
}

type Amounts = Pick<Order['fee_lines'][number], 'total' | 'total_tax'>;

/** Returns the lines that earn by the merchant's choices. A fee below zero is a discount. */
function counted({ settings }: WholeOrder, of: Pick<Order, 'line_items' | 'fee_lines' | 'shipping_lines'>) {
  const countsFees = settings['fees'] === 'count';
  const isDiscount = ({ total }: Amounts) => total.startsWith('-');
  return {
    goods: of.line_items,
    fees: (isReduced: boolean) => of.fee_lines.filter((fee) => countsFees || isDiscount(fee) !== isReduced),
    shipping: settings['shipping'] === 'count' ? of.shipping_lines : [],
  };
}

/** Returns the part of an order that earns, with its tax, and its lines without tax. */
function earning(whole: WholeOrder) {
  const { order } = whole;
  const minor = (text: string) => decimalMinorUnits(text, order.currency);
  const { goods, fees, shipping } = counted(whole, order);
  const all: readonly Amounts[] = [...goods, ...fees(false), ...shipping];
  const tax = Math.max(0, sum(all.map(({ total_tax }) => minor(total_tax))));
  const amount = Math.max(0, sum(all.map(({ total }) => minor(total)))) + tax;
  const interval = metaOf(order, RENEWAL) === null ? ('one_time' as const) : null;
  const lines = goods.map(({ product_id, variation_id, name, quantity, total }) => ({
    product: product_id,
    price: variation_id === '0' ? null : variation_id,
    name,
    interval,
    quantity: Math.max(1, Math.trunc(quantity)),
    amount_cents: minor(total),
  }));
  const ofNothing = { product: null, price: null, name: null, interval, quantity: 1 };
  const others = [...fees(false), ...shipping].map(({ total }) => ({ ...ofNothing, amount_cents: minor(total) }));
  return { amount, tax, lines: [...lines, ...others] };
}

/** Returns the refunds of the part that earns. What is left of a cancelled order counts as refunded. */
function refundsOf(whole: WholeOrder, earned: number): RefundSeen[] {
  const { order } = whole;
  const { currency } = order;
  const minor = (text: string) => decimalMinorUnits(text, currency);
  const refunds = whole.refunds.toSorted(byTime).map((refund): OrderRefund => {
    const { goods, fees, shipping } = counted(whole, refund);
    const own: readonly Amounts[] = [...goods, ...fees(true), ...shipping];
    const all: readonly Amounts[] = [...refund.line_items, ...refund.fee_lines, ...refund.shipping_lines];
    return {
      id: refund.id,
      at: refund.date_created_gmt,
      state: 'done',
      amount: minor(refund.amount),
      net: -sum(own.map(({ total }) => minor(total))),
      tax: -sum(own.map(({ total_tax }) => minor(total_tax))),
      named: -sum(all.map(({ total, total_tax }) => minor(total) + minor(total_tax))),
      products: goods.map((line) => ({ product: line.product_id, amount: Math.max(0, -minor(line.total)) })),
    };
  });
  const seen = refundsOfPart(refunds, { earned, total: minor(order.total), currency });
  const rest = earned - sum(seen.map(({ amount }) => amount));
  if (order.status !== CANCELLED || rest === 0) return seen;
  const at = order.date_modified_gmt;
  return [...seen, { id: CANCELLED, amount: rest, at, state: 'done', failedAt: null, taxed: [], lines: [] }];
}

function byTime(a: Refund, b: Refund): number {
  return a.date_created_gmt < b.date_created_gmt || (a.date_created_gmt === b.date_created_gmt && a.id < b.id) ? -1 : 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function metaOf({ meta_data }: Order, key: string): string | null {
  const value = meta_data.find((each) => each.key === key)?.value;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
}

/**
 * Returns what the checkout says: metadata and fields of the merchant, whose keys may have underscores or a namespace in front, or else what WooCommerce keeps
 * of the visit: a campaign whose source is `affiliate`, and the landing page.
 */
function customDataOf(order: Order): CustomData {
  const named = order.meta_data.map(({ key, value }) => [key.slice(key.lastIndexOf('/') + 1).replace(/^_+/, ''), value] as const);
  const custom = readCustomData(Object.fromEntries(named));
  if (custom.referrals.length > 0) return custom;
  const campaign = metaOf(order, `${ATTRIBUTION}utm_source`) === 'affiliate' ? metaOf(order, `${ATTRIBUTION}utm_campaign`) : null;
  const landing = referralsInAddress(metaOf(order, `${ATTRIBUTION}session_entry`));
  const { referrals } = readCustomData({ referral: campaign });
  return { ...custom, referrals: [...new Set([...referrals, ...landing])] };
}

function payerOf({ customer_id, billing }: Order, externalId: string | null): Payer {
  const name = [billing.first_name, billing.last_name].filter((part) => part !== null).join(' ');
  return { ids: customer_id === '0' ? [] : [customer_id], externalId, email: billing.email, name: name || null };
}
