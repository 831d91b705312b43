/**
 * Reads events of WooCommerce, each of which is an order, and the parts of its objects that this service needs. Amounts are decimal texts in the unit of the
 * currency.
 */
import { z } from 'zod';
import type { ConnectionSettings, ProviderMode, SourceEvent } from '../port/port.ts';
import { currency, decimal, text, time } from '../port/provider-values.ts';
import { eventOf, onlyFields, parseMessage, withEventId } from '../port/read-message.ts';

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
export interface WholeOrder {
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
