/** Reads events of WooCommerce, each of which is an order. */
import { z } from 'zod';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { eventOf, onlyFields, parseMessage, withEventId } from '../port/read-message.ts';
import { type Order, OrderState } from './objects.ts';
import type { WholeOrder } from './tell.ts';

/** The topic that tells every change of an order, also of its payment and its refunds. */
export const EVENT_TYPES = ['order.updated'];

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
