/** Reads notifications of Paddle. */
import { readCustomData } from '../port/custom-data.ts';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { eventOf, parseMessage } from '../port/read-message.ts';
import { type ApiKey, type Customer, ENTITIES, Notification, type Subscription, type Transaction } from './objects.ts';

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
