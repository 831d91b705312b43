/** Reads events of Lemon Squeezy. */
import { type CustomData, readCustomData } from '../port/custom-data.ts';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { eventOf, parseMessage, withEventId } from '../port/read-message.ts';
import { Message, OfPayment } from './objects.ts';
import type { WholePayment } from './tell.ts';

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

export interface LemonSqueezyEvent extends SourceEvent {
  /** The order or the invoice of a subscription that the event is about; null for another event. */
  about: { kind: 'orders' | 'subscription-invoices'; id: string } | null;
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
export function polledEvent(kind: 'orders' | 'subscription-invoices', id: string, attributes: object, mode: ProviderMode) {
  const type = kind === 'orders' ? 'order_created' : 'subscription_payment_success';
  return readMessage(JSON.stringify({ meta: { event_name: type }, data: { type: kind, id, attributes } }), mode);
}
