/** Reads events of Dodo. */
import { createHash } from 'node:crypto';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import { MalformedPspEventError } from '../port/psp-error.ts';
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
  const { success, data: told } = Message.safeParse(parsed(body));
  if (!success) throw new MalformedPspEventError('The body is not an event of Dodo');
  const { type, timestamp, data, affiliate_event_id: known } = told;
  // The id of a delivery is in a header. Every attempt has the same content.
  const id = typeof known === 'string' ? known : `evt_${digestOf([type, timestamp, data])}`;
  const event: DodoEvent = {
    id,
    type,
    occurredAt: new Date(timestamp),
    mode,
    isUnused: !EVENT_TYPES.includes(type),
    problem: null,
    payer: null,
    payload: { ...told, affiliate_event_id: id },
    paymentId: null,
    read: null,
  };
  if (event.isUnused) return event;
  const of = OfPayment.safeParse(data);
  if (!of.success) return { ...event, problem: 'An object of the payment provider could not be read.' };
  const { payment_id: paymentId, customer } = of.data;
  const payer = customer && { id: customer.customer_id, externalId: null, email: customer.email, formerEmail: null };
  return { ...event, paymentId, payer: payer ?? null };
}

/** Returns an event about the state of an entry that was found in a list. Its id is that of the state, so that a known state is not read again. */
export function polledEvent(paymentId: string, state: string, at: string, mode: ProviderMode): DodoEvent {
  const told = { type: 'payment.succeeded', timestamp: at, data: { payment_id: paymentId }, affiliate_event_id: state };
  return readMessage(JSON.stringify(told), mode);
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
