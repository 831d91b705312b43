/** Reads events of Shopify. The type of a delivery is in a header, so that its form tells it. */
import { z } from 'zod';
import type { ConnectionSettings, ProviderMode, SourceEvent } from '../port/port.ts';
import { eventOf, onlyFields, parseMessage, withEventId } from '../port/read-message.ts';
import { OfOrder, type Order, OrderMessage } from './objects.ts';

/** Topics by the type of their events. */
export const TOPICS = {
  'orders/updated': 'ORDERS_UPDATED',
  'refunds/create': 'REFUNDS_CREATE',
  'disputes/create': 'DISPUTES_CREATE',
  'disputes/update': 'DISPUTES_UPDATE',
} as const;
export const EVENT_TYPES = Object.keys(TOPICS);

/** Time of an event that does not state its own. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

export interface ShopifyEvent extends SourceEvent {
  /** The order that the event is about, as GraphQL names it; null for another event. */
  orderId: string | null;
  /** The order, once it has been read, with the time of that and the merchant's choices. */
  read: { order: Order; at: string; settings: ConnectionSettings } | null;
}

/** The fields of a delivery that are stored as they are. */
const STORED = [
  'admin_graphql_api_id',
  'updated_at',
  'test',
  'email',
  'order_id',
  'created_at',
  'initiated_at',
  'network_reason_code',
  'affiliate_event_id',
];

const Message = z.looseObject({});

/**
 * Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`.
 *
 * @param mode mode of an event that does not state its own
 */
export function readMessage(body: string, mode: ProviderMode): ShopifyEvent {
  const told = parseMessage('Shopify', Message, body);
  // The id of a delivery is in a header. Every attempt has the same content.
  const { success, data: order } = OrderMessage.safeParse(told);
  const customer = order?.customer ? { id: Number(order.customer.id) } : null;
  const payload = withEventId({ ...onlyFields(told, STORED), customer }, told);
  const { data: of } = OfOrder.safeParse(told);
  const type = success ? 'orders/updated' : 'network_reason_code' in told ? 'disputes/update' : 'refunds/create';
  const at = order?.updated_at ?? of?.created_at ?? of?.initiated_at ?? UNKNOWN_TIME;
  const ownMode = typeof order?.test === 'boolean' ? (order.test ? 'test' : 'live') : mode;
  const event = { id: payload.affiliate_event_id, type, at, mode: ownMode, payload } as const;
  return eventOf<ShopifyEvent>(event, EVENT_TYPES, { orderId: null, read: null }, () => {
    if (success) {
      const payer = { id: order.customer?.id ?? null, externalId: null, email: order.email, formerEmail: null };
      return { orderId: order.admin_graphql_api_id, payer };
    }
    return of ? { orderId: `gid://shopify/Order/${of.order_id}` } : null;
  });
}

/** Returns an event about an order that was found in a list. */
export function polledEvent({ id, updatedAt, test }: { id: string; updatedAt: string; test: boolean }): ShopifyEvent {
  const told = { admin_graphql_api_id: id, updated_at: updatedAt, test };
  return readMessage(JSON.stringify(told), test ? 'test' : 'live');
}
