/** Reads events of Dodo. */
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { eventOf, parseMessage, withEventId } from '../port/read-message.ts';
import { Message, OfPayment, type Payment } from './objects.ts';

/** The types that may contain something of use. */
export const EVENT_TYPES = [
  'payment.succeeded',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.expired',
  'dispute.accepted',
  'dispute.cancelled',
  'dispute.challenged',
  'dispute.won',
  'dispute.lost',
];

export interface DodoEvent extends SourceEvent {
  /** The payment that the event is about; null for another event. */
  paymentId: string | null;
  /** The payment, once it has been read, and the time of that. */
  read: { payment: Payment; at: string } | null;
}

/** Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`. */
export function readMessage(body: string, mode: ProviderMode): DodoEvent {
  const told = parseMessage('Dodo', Message, body);
  const { type, timestamp: at, data } = told;
  // The id of a delivery is in a header. Every attempt has the same content.
  const payload = withEventId(told, [type, at, data]);
  const event = { id: payload.affiliate_event_id, type, at, mode, payload };
  return eventOf<DodoEvent>(event, EVENT_TYPES, { paymentId: null, read: null }, () => {
    const { success, data: of } = OfPayment.safeParse(data);
    if (!success) return null;
    const { payment_id: paymentId, customer } = of;
    const payer = customer && { id: customer.customer_id, externalId: null, email: customer.email, formerEmail: null };
    return { paymentId, payer: payer ?? null };
  });
}

/** Returns an event about the state of an entry that was found in a list. Its id is that of the state, so that a known state is not read again. */
export function polledEvent(paymentId: string, state: string, at: string, mode: ProviderMode): DodoEvent {
  const told = { type: 'payment.succeeded', timestamp: at, data: { payment_id: paymentId }, affiliate_event_id: state };
  return readMessage(JSON.stringify(told), mode);
}
