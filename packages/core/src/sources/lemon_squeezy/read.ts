/** Reads events of Lemon Squeezy. */
import { createHash } from 'node:crypto';
import { type CustomData, readCustomData } from '../port/custom-data.ts';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { MalformedPspEventError } from '../port/psp-error.ts';
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
  /** What the checkout was opened with. Only deliveries state it. */
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
  const { success, data: told } = Message.safeParse(parsed(body));
  if (!success) throw new MalformedPspEventError('The body is not an event of Lemon Squeezy');
  const { meta, data, affiliate_event_id: known } = told;
  const { event_name: type, custom_data } = meta;
  const of = OfPayment.safeParse(data.attributes);
  const { status, refunded_amount } = of.data ?? {};
  // Deliveries have no id. The same state with the same custom data is the same event, also if a list has told it.
  const state = [data.type, data.id, data.attributes.updated_at, status, refunded_amount, custom_data ?? null];
  const id = typeof known === 'string' ? known : `evt_${digestOf(of.success ? state : [type, data])}`;
  const event: LemonSqueezyEvent = {
    id,
    type,
    occurredAt: new Date(data.attributes.updated_at),
    mode: of.success ? (of.data.test_mode ? 'test' : 'live') : mode,
    isUnused: !EVENT_TYPES.includes(type),
    problem: null,
    payer: null,
    payload: { ...told, affiliate_event_id: id },
    about: null,
    custom: readCustomData(custom_data),
    read: null,
  };
  if (event.isUnused) return event;
  const about = of.success ? subjectOf(data.type, data.id, of.data.order_id ?? null) : null;
  if (!of.success || about === null) return { ...event, problem: 'An object of the payment provider could not be read.' };
  const { customer_id, user_email: email } = of.data;
  const payer = { id: customer_id, externalId: event.custom.externalId, email, formerEmail: null };
  return { ...event, about, payer };
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

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
