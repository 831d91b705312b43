/** Reads events of Polar. */
import { readCustomData } from '../port/custom-data.ts';
import type { EventPayer, ProviderMode, SourceEvent } from '../port/port.ts';
import { eventOf, parseMessage, withEventId } from '../port/read-message.ts';
import { type Customer, ENTITIES, Message, type Subscription } from './objects.ts';
import type { WholeOrder } from './tell.ts';

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
      return { orderId: id, payer: customer ? payerOf(customer) : named(customer_id) };
    }
    case 'refund': {
      const { order_id, customer_id } = data as { order_id: string; customer_id: string | null };
      return { orderId: order_id, payer: named(customer_id) };
    }
    case 'customer': {
      const customer = data as Customer;
      return { customer, payer: payerOf(customer) };
    }
    default: {
      const subscription = data as Subscription;
      const { externalId } = readCustomData(subscription.metadata);
      const payer = subscription.customer ? payerOf(subscription.customer) : { ...named(subscription.customer_id), externalId };
      return { subscription, payer };
    }
  }
}

export function payerOf({ id, external_id: externalId, email }: Customer): EventPayer {
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
